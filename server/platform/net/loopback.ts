import net from 'node:net';
import { getHostname } from 'tldts';

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
