import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The networks around an address, the smallest first, for limits of calls. `share` says how many times the points of one
 * subscriber a wider network gets: fewer than it has subscribers, so that a rented network is limited, and more than one,
 * so that one subscriber cannot exhaust it. An IPv6 subscriber has a /64 or a /56, and a site a /48. The traffic rules
 * have networks of their own (server/delivery/traffic/client-address.ts).
 */
export function networksAround(ip: string): { key: string; share: number }[] {
  return [
    { key: subscriberOf(ip), share: 1 },
    ...(plainIPv4(ip) === null ? [{ key: ipv6Network(ip, 56), share: 3 }] : []),
    { key: widestNetworkOf(ip), share: plainIPv4(ip) === null ? 10 : 5 },
  ];
}

/** The network of one subscriber: an IPv4 address, or an IPv6 /64. */
export function subscriberOf(ip: string): string {
  return plainIPv4(ip) ?? ipv6Network(ip, 64);
}

/** The network that one customer of a hosting company can have: an IPv4 /24 or an IPv6 /48. */
export function widestNetworkOf(ip: string): string {
  const ipv4 = plainIPv4(ip);
  return ipv4 === null ? ipv6Network(ip, 48) : `${ipv4.split('.').slice(0, 3).join('.')}.0/24`;
}

/** The eight groups of an IPv6 address as numbers. An IPv4 address at its end stands for two groups. */
export const groupsOf = (ip: string): number[] => ipaddr.IPv6.parse(ip).parts;

/** Returns an IPv4 address, also one that a dual-stack socket writes as '::ffff:192.0.2.1'; null for other IPv6. */
function plainIPv4(ip: string): string | null {
  if (!isIPv6(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : null;
}

function ipv6Network(ip: string, bits: 48 | 56 | 64): string {
  const groups = groupsOf(ip).slice(0, Math.ceil(bits / 16));
  if (bits === 56) groups[3]! &= 0xff_00;
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;
}
