import type http from 'node:http';
import net from 'node:net';

/** Of the trusted addresses, remembered. */
const MOST_HOPS = 1000;

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
const DOT = '.'.charCodeAt(0);

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
  // The hops are few and the list is slow to ask; who is none of them is asked about once, if ever.
  const hops = new Set<string>();
  const isTrusted = (address: string): boolean => {
    if (trustedProxies.length === 0) return false;
    if (hops.has(address)) return true;
    const isHop = trusted.check(address, net.isIPv6(address) ? 'ipv6' : 'ipv4');
    if (isHop && hops.size < MOST_HOPS) hops.add(address);
    return isHop;
  };

  return (request) => {
    const socket = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'];
    if (typeof forwarded !== 'string' || !isTrusted(socket)) return plain(socket);
    // The usual proxy is alone, and writes one address.
    if (isDottedQuad(forwarded)) return forwarded;
    const written = forwarded.split(',', 50);
    let address = plain(socket);
    do {
      const next = plain(written.pop()!.trim());
      if (net.isIP(next) === 0) break;
      address = next;
    } while (written.length > 0 && isTrusted(address));
    return address;
  };
}

/**
 * Whether it is an IPv4 address, written as usual. net.isIP tells all there are, by a regular expression that would be
 * a fortieth of a decision (docs/performance.md).
 */
function isDottedQuad(text: string): boolean {
  let numbers = 0;
  let number = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) {
      if (number < 0) return false;
      numbers += 1;
      number = -1;
    } else {
      // A number with a zero before it means different things to different programs.
      if (code < ZERO || code > NINE || number === 0) return false;
      number = (number < 0 ? 0 : number * 10) + code - ZERO;
      if (number > 255) return false;
    }
  }
  return numbers === 3 && number >= 0;
}

// '::ffff:192.0.2.1' is how a socket of both families names an IPv4 caller.
function plain(address: string): string {
  return address.startsWith('::ffff:') && net.isIPv4(address.slice(7)) ? address.slice(7) : address;
}

/** Whether an address (no URL) is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (address.startsWith('127.') && net.isIPv4(address));
}

/** The network a visitor is in, as far as it is looked at: IPv4 /24 or IPv6 /48. */
export function networkOf(address: string): string {
  if (net.isIPv4(address)) return address.slice(0, address.lastIndexOf('.'));
  return (
    firstGroupsOf(address)
      ?.map((group) => group.toString(16))
      .join(':') ?? ''
  );
}

/** The first three numbers of an IPv6 address, which are its /48; null for anything else. */
export function firstGroupsOf(address: string): [number, number, number] | null {
  // Nearly all addresses write these out; cutting up the rest of them would cost more than looking it up.
  const written = /^([\da-f]{1,4}):([\da-f]{1,4}):([\da-f]{1,4}):/i.exec(address);
  const groups = written ? written.slice(1) : net.isIPv6(address) ? filled(address) : null;
  if (!groups) return null;
  const [first = '', second = '', third = ''] = groups;
  return [Number.parseInt(first, 16), Number.parseInt(second, 16), Number.parseInt(third, 16)];
}

/** The groups of an address that leaves out zeros, as far as they are needed. */
function filled(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const end = tail === '' ? [] : tail.split(':');
  // What ends as IPv4 ends in two numbers.
  const length = end.length + (tail.includes('.') ? 1 : 0);
  while (groups.length + length < 8) groups.push('0');
  return [...groups, ...end];
}
