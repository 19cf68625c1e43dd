import type http from 'node:http';

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
