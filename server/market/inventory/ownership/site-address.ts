/** How addresses of websites are stored and compared. */
import { getDomain } from 'tldts';
import { fitsDns } from '#domain/fields.ts';

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Returns the address with a normalized origin: lower case, Punycode, no default port and no dot at the end of the host.
 * The rest stays as it was typed. Null if browsers cannot open it.
 */
export function normalizeAddress(address: string): string | null {
  const url = URL.parse(address);
  const origin = ORIGIN.exec(address)?.[0];
  if (!url || origin === undefined) return null;
  const host = url.host.replace(/\.(?=:\d+$|$)/, '');
  return host === '' || !fitsDns(url.hostname)
    ? null
    : `${url.protocol}//${host}${address.slice(origin.length)}`;
}

/** The registered domain of the host, or the host itself if it has none, such as an IP address. */
export function registrableDomain({ hostname, host }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}

/** Whether two addresses belong to the same registered domain. A redirect between them stays with one publisher. */
export function staysOnDomain(from: URL, to: URL): boolean {
  return registrableDomain(from) === registrableDomain(to);
}
