/** How addresses of websites are stored, compared and shown. */
import { domainToUnicode } from 'node:url';
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

/** Names the site of a normalized address, as the column `websites.host` does: 'www.' is the same site. */
export function hostOf(address: string): string {
  return new URL(address).host.replace(/^www\.(?=[^.]+\.)/, '');
}

/** The registered domain of the host, or the host itself if it has none, such as an IP address. */
export function registrableDomain({ hostname, host }: URL): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? host;
}

/** Whether two addresses belong to the same registered domain. A redirect between them stays with one publisher. */
export function staysOnDomain(from: URL, to: URL): boolean {
  return registrableDomain(from) === registrableDomain(to);
}

/**
 * Shortens a website's address for people: 'https://www.example.com/blog/' becomes 'example.com/blog'. Punycode becomes
 * readable, except where letters of different scripts could imitate another host.
 */
export function displayAddress(address: string): string {
  const url = URL.parse(address);
  const host = url ? displayHost(url) : '';
  return `${host}${address.replace(ORIGIN, '')}`.replace(/^www\./, '').replace(/\/$/, '');
}

function displayHost({ host, hostname }: URL): string {
  const readable = domainToUnicode(hostname);
  return readable === '' || mixesScripts(readable) ? host : host.replace(hostname, readable);
}

/** Scripts that may stand together in a host, and those that may only stand alone (Unicode TS 39, 'highly restrictive'). */
const TOGETHER = ['Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'];
const ALONE =
  'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';
const WHOLE = [...TOGETHER, ...ALONE.split(' ')].map((scripts) => {
  const each = ['Common', 'Inherited', ...scripts.split(' ')];
  return new RegExp(`^[${each.map((script) => `\\p{Script=${script}}`).join('')}]*$`, 'u');
});

function mixesScripts(host: string): boolean {
  return !WHOLE.some((whole) => whole.test(host));
}
