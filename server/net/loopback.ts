import net from 'node:net';
import { getHostname } from 'tldts';

/** Returns whether a web address leads to this machine itself. */
export function isLoopback(url: string): boolean {
  const host = getHostname(url) ?? '';
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return net.isIPv4(host) && host.startsWith('127.');
}
