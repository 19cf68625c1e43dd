import type http from 'node:http';
import net from 'node:net';

/**
 * Finds the visitor's address: the socket's, or, behind the trusted hops (addresses or networks), the last address
 * of X-Forwarded-For that is none of them. Anybody can write that header, so it is read from the end only as far as
 * the hops vouch for it.
 */
export function addressReader(trustedProxies: readonly string[]): (request: http.IncomingMessage) => string {
  const trusted = new net.BlockList();
  for (const hop of trustedProxies) {
    const [address = '', prefix] = hop.split('/');
    const family = net.isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) =>
    trustedProxies.length > 0 && trusted.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');

  return (request) => {
    let address = plain(request.socket.remoteAddress ?? '');
    const forwarded = request.headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return address;
    const hops = forwarded.split(',', 50).map((hop) => plain(hop.trim()));
    while (isTrusted(address)) {
      const next = hops.pop();
      if (next === undefined || net.isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

// '::ffff:192.0.2.1' is how a socket of both families names an IPv4 caller.
function plain(address: string): string {
  return address.startsWith('::ffff:') && net.isIPv4(address.slice(7)) ? address.slice(7) : address;
}

/** The network a visitor is in, as far as it is looked at: IPv4 /24 or IPv6 /48. */
export function networkOf(address: string): string {
  if (net.isIPv4(address)) return address.slice(0, address.lastIndexOf('.'));
  if (!net.isIPv6(address)) return '';
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const end = tail === '' ? [] : tail.split(':');
    while (groups.length + end.length < 8) groups.push('0');
    groups.push(...end);
  }
  return groups
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
