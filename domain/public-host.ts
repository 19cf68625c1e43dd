/** Which addresses people may name: the public internet only. The forms and the server share these rules. */
import { z } from 'zod';
import { fitsDns, isWebAddress, MAX_ADDRESS } from './fields.ts';

/**
 * IPv4 networks outside the public internet, as first address and prefix, from IANA's special-purpose address registry:
 * https://www.iana.org/assignments/iana-ipv4-special-registry.
 */
const NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  // Carrier-grade NAT.
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, where cloud providers serve instance metadata.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 3],
];

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

const numberOf = (ipv4: string): number => ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Whether an IP address lies on the public internet. The server calls no other one that a user named. [DEL-26] */
export function isPublicAddress(address: string): boolean {
  if (IPV4.test(address)) {
    const number = numberOf(address);
    return !NOT_PUBLIC.some(([first, prefix]) => {
      const size = 2 ** (32 - prefix);
      return Math.floor(number / size) === Math.floor(numberOf(first) / size);
    });
  }
  // IANA assigns public IPv6 addresses only from 2000::/3 (https://www.iana.org/assignments/iana-ipv6-special-registry).
  // Addresses that embed an IPv4 address, such as ::ffff:127.0.0.1, lie outside of it or below.
  if (!/^[23][\da-f]{3}:/i.test(address)) return false;
  const [first = 0, second = 0] = address.split(':').map((group) => Number.parseInt(group || '0', 16));
  const isTeredoOrOther = first === 0x2001 && second < 0x200;
  const isExample = (first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second < 0x1000);
  const is6to4 = first === 0x2002;
  return !isTeredoOrOther && !isExample && !is6to4;
}

/** Names that no public DNS server knows (RFC 6761, RFC 6762, RFC 8375, and ICANN's reservation of .internal). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Whether a host, as browsers normalize it, can be on the public internet. It may still have no address in the DNS. */
export function isPublicHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  if (name.startsWith('[')) return isPublicAddress(name.slice(1, -1));
  if (IPV4.test(name)) return isPublicAddress(name);
  const labels = name.split('.');
  return (
    labels.length > 1 && labels.every((label) => label !== '') && fitsDns(name) && !PRIVATE_NAME.test(name)
  );
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;
const PARTS = /^https?:\/\/(\[[^\]]*\]|[^/?#:]*)/;

/** The address as browsers normalize it; null if they cannot open it. */
function normalized(address: string): { href: string; host: string } | null {
  // This room has no `URL`, so a schema reads the address with that of its platform.
  const { data: href } = z.url({ normalize: true }).safeParse(address);
  const host = PARTS.exec(href ?? '')?.[1];
  return href === undefined || host === undefined ? null : { href, host };
}

/**
 * The address in ASCII: the host in lower case and Punycode, without a default port and a dot at its end, and other
 * letters of the rest percent-encoded, as browsers send them. The rest stays as it was typed.
 */
export function asciiAddress(address: string): string {
  const origin = ORIGIN.exec(normalized(address)?.href ?? '')?.[0];
  const typed = ORIGIN.exec(address)?.[0];
  if (origin === undefined || typed === undefined || !address.isWellFormed()) return address;
  const rest = address.slice(typed.length).replace(/[^\u0021-\u007e]+/g, encodeURIComponent);
  return origin.replace(/\.(?=:\d+$|$)/, '') + rest;
}

/** A host name in Punycode, as browsers send it. A text that is none, or only ASCII, stays as it is. */
export function asciiHost(name: string): string {
  if (!/[^ -~]/.test(name) || /[\s\p{Cc}/?#:@\\%[\]]/u.test(name)) return name;
  const host = normalized(`https://${name}`)?.host;
  return host !== undefined && fitsDns(host) ? host : name;
}

/** Whether the host of an address can be on the public internet. */
export function isPublicTarget(address: string): boolean {
  const host = normalized(address)?.host;
  return host !== undefined && isPublicHost(host);
}

const NO_DOMAIN = 'Please enter a domain such as example.com';

/** A domain that a person typed, perhaps as a whole address: as a host in Punycode, without port and 'www.'. */
export const domainText = z
  .string(NO_DOMAIN)
  .trim()
  .min(1, NO_DOMAIN)
  .max(100, 'A rule can have at most 100 characters')
  .refine((typed) => domainOf(typed) !== null, NO_DOMAIN)
  .overwrite((typed) => domainOf(typed) ?? typed);

function domainOf(typed: string): string | null {
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
  const host = /\s|@/.test(typed) ? undefined : normalized(address)?.host;
  const name = host
    ?.toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\.(?=[^.]+\.)/, '');
  return name !== undefined && name !== '' && fitsDns(name) ? name : null;
}

const INVALID = 'Please enter a valid URL';
export const ONLY_PUBLIC = 'Please enter an address on the public internet, such as https://example.com';
export const NO_CREDENTIALS = 'Please enter an address without a user name and password';
export const NO_BIDI = 'This address has invisible characters that reverse text. Please type it again';

/** A public http or https address, in ASCII. The message is for text that is no address at all. [DEST-01] */
export function publicAddress(message = INVALID) {
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(MAX_ADDRESS, message)
    .superRefine((value, context) => {
      const problem = problemOf(value, message);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    })
    .overwrite(asciiAddress);
}

function problemOf(value: string, message: string): string | null {
  if (/\p{Bidi_Control}/u.test(value)) return NO_BIDI;
  if (/^https?:\/\/[^/?#]*@/i.test(value)) return NO_CREDENTIALS;
  if (!isWebAddress(value) || !value.isWellFormed()) return message;
  const address = normalized(value);
  if (address === null) return message;
  return isPublicHost(address.host) ? null : ONLY_PUBLIC;
}
