/** How addresses are named and shown to people. */
import { domainToUnicode } from 'node:url';

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** Names the site of a normalized address, as the column `websites.host` does: 'www.' is the same site. */
export function hostOf(address: string): string {
  return new URL(address).host.replace(/^www\.(?=[^.]+\.)/, '');
}

/**
 * Shortens the address of a website or of an ad's target for people: 'https://www.example.com/blog/' becomes
 * 'example.com/blog'. Punycode becomes readable, except where letters of different scripts could imitate another host.
 */
export function displayAddress(address: string): string {
  const url = URL.parse(address);
  const host = url ? displayHost(url.host) : '';
  return `${host}${address.replace(ORIGIN, '')}`.replace(/^www\./, '').replace(/\/$/, '');
}

/** An address in full, with its host as people read it. */
export function readableAddress(address: string): string {
  const host = URL.parse(address)?.host;
  return host === undefined ? address : address.replace(host, displayHost(host));
}

/** An e-mail address, with its domain as people read it. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  return email.slice(0, at) + displayHost(email.slice(at));
}

/** A host for people. Its port stays. */
export function displayHost(host: string): string {
  const name = host.replace(/:\d+$/, '');
  const readable = domainToUnicode(name);
  return readable === '' || mixesScripts(readable) ? host : host.replace(name, readable);
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
