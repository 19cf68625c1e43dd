import net, { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { getHostname } from 'tldts';
import type http from 'node:http';

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

/** Returns whether a web address leads to this machine itself. */
export function isLoopback(url: string): boolean {
  const host = getHostname(url) ?? '';
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return net.isIPv4(host) && host.startsWith('127.');
}

/** Returns whether a socket's address is this machine itself. Node writes IPv4 on a dual-stack socket as ::ffff:127.0.0.1. */
export function isLoopbackAddress(address = ''): boolean {
  if (address === '::1') return true;
  const ipv4 = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  return ipv4.startsWith('127.') && net.isIPv4(ipv4);
}

/**
 * Returns an address of X-Forwarded-For without its port, and an IPv6 address without brackets. Azure Application Gateway,
 * App Service and IIS ARR write `203.0.113.7:51234` and `[2001:db8::7]:51234`. [OPS-51]
 */
export function withoutPort(written: string): string {
  const [, ipv6, ipv4] = /^(?:\[([\da-f:.]+)\](?::\d+)?|([\d.]+):\d+)$/i.exec(written) ?? [];
  return ipv6 ?? ipv4 ?? written;
}

/** Removes the ports from X-Forwarded-For before Fastify reads it, because `request.ip` would contain them. */
export function removeForwardedPorts(headers: http.IncomingHttpHeaders): void {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return;
  headers['x-forwarded-for'] = forwarded
    .split(',')
    .map((written) => withoutPort(written.trim()))
    .join(', ');
}
