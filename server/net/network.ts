import { isIPv6 } from 'node:net';

/** The network of a client: its IPv4 address, or the /64 that an IPv6 subscriber usually has. */
export function networkOf(ip: string): string {
  return isIPv6(ip) && !isMapped(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip;
}

/** The provider's network around it: /24 for IPv4, /48 for IPv6, which one customer of a hosting company can have. */
export function widerNetworkOf(ip: string): string {
  if (isIPv6(ip) && !isMapped(ip)) return `${groupsOf(ip).slice(0, 3).join(':')}::/48`;
  return `${ip.replace(/^::ffff:/i, '').replace(/\.\d+$/, '')}.0/24`;
}

const isMapped = (ip: string): boolean => /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(ip);

/** The eight groups of an IPv6 address, without leading zeros, so that one address has one form. */
function groupsOf(ip: string): string[] {
  const [head = '', tail = ''] = ip.toLowerCase().split('%')[0]!.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const between = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...between, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}
