/**
 * Reads a small file from a website that a user named. It calls only the public internet, so that a user cannot make
 * the server call internal addresses (server-side request forgery, OWASP ASVS 5.0, 1.3.6). [DEL-26]
 */
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '#domain/public-host.ts';
import type { Names } from './names.ts';

export type Fetched = { status: number; bytes: Buffer; contentType: string; url: string };

/** Nothing was read. The message gives the reason to the user who named the address. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

export type FetchRules = {
  maxBytes: number;
  /** Takes the first `maxBytes` of a larger answer instead of refusing it. */
  mayCut?: boolean;
  /** The limit for all requests together, including redirects. */
  timeoutMs: number;
  maxRedirects: number;
  /** Returns whether a redirect may be followed. */
  mayFollow: (from: URL, to: URL) => boolean;
  /** Tells the user what to do about a redirect that may not be followed. */
  redirectAdvice: string;
  /** Allows any address and port. Only for development mode, never in production. */
  allowLocal: boolean;
  /** The header `Accept`. */
  accept: string;
  names: Names;
};

/** Throws FetchError if nothing can be read. `url` of the result is the address after all redirects. */
export async function fetchBytes(address: string, rules: FetchRules): Promise<Fetched> {
  const deadline = AbortSignal.timeout(rules.timeoutMs);
  let url = new URL(address);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await get(url, rules, deadline);
    if (answer.location === null) return { ...answer, url: url.href };
    if (redirects === rules.maxRedirects)
      throw new FetchError('The address redirects too many times. Remove some redirects, then check again.');
    const next = URL.parse(answer.location, url.href);
    if (!next || !rules.mayFollow(url, next))
      throw new FetchError(`The address redirects to another website. ${rules.redirectAdvice}`);
    url = next;
  }
}

type Answer = Omit<Fetched, 'url'> & { location: string | null };

const TOO_SLOW = 'The website took too long to answer. Please try again later.';
const UNREACHABLE = 'We couldn’t reach the website. Check that it is online, then try again.';
const NOT_PUBLIC = 'The website is not on the public internet. Use one with a public address.';
const NO_NAME =
  'We couldn’t find this host name in the DNS. Check the website’s address and its DNS records, then try again.';
const BAD_CERTIFICATE = 'The website’s certificate is not valid. Renew or replace it, then try again.';

async function get(url: URL, rules: FetchRules, deadline: AbortSignal): Promise<Answer> {
  assertAllowed(url, rules);
  const { request } = url.protocol === 'https:' ? https : http;
  return await new Promise<Answer>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        error instanceof FetchError ? error : new FetchError(deadline.aborted ? TOO_SLOW : causeOf(error)),
      );
    const call = request(
      url,
      {
        // Each request opens its own connection. A pooled one could skip the check in `lookupPublic`.
        agent: false,
        lookup: rules.allowLocal ? rules.names.lookup : lookupPublic(rules.names),
        signal: deadline,
        headers: { 'User-Agent': 'Openslot site check', Accept: rules.accept },
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        const location = status >= 300 && status < 400 ? (headers.location ?? null) : null;
        if (location !== null) {
          call.destroy();
          return resolve({ status, bytes: Buffer.alloc(0), contentType: '', location });
        }
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size <= rules.maxBytes) return;
          if (rules.mayCut) {
            const bytes = Buffer.concat(chunks).subarray(0, rules.maxBytes);
            resolve({ status, bytes, contentType: headers['content-type'] ?? '', location });
            call.destroy();
            return;
          }
          fail(
            new FetchError(
              `The answer is too large: we read at most ${Math.round(rules.maxBytes / 1024)} KB. Make it smaller, then check again.`,
            ),
          );
          call.destroy();
        });
        response.on('error', fail);
        response.on('end', () =>
          resolve({
            status,
            bytes: Buffer.concat(chunks),
            contentType: headers['content-type'] ?? '',
            location,
          }),
        );
      },
    );
    call.on('error', fail);
    call.end();
  });
}

function assertAllowed(url: URL, { allowLocal }: FetchRules): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('Use an address that starts with http:// or https://.');
  }
  if (url.username || url.password) throw new FetchError('Use an address without a password.');
  if (allowLocal) return;
  // `url.port` is empty for the default port of the scheme.
  if (url.port !== '')
    throw new FetchError('Use an address without a port: only ports 80 and 443 are allowed.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Node does not look up IP addresses, so `lookupPublic` never sees them.
  if (isIP(host) && !isPublicAddress(host)) throw new FetchError(NOT_PUBLIC);
}

/** Returns what the user can do about an error of the connection. */
function causeOf(error: NodeJS.ErrnoException): string {
  const { code = '' } = error;
  if (code === dns.NOTFOUND || code === dns.NODATA) return NO_NAME;
  // The names of OpenSSL's verification errors (https://nodejs.org/api/tls.html#x509-certificate-error-codes).
  return /CERT|SIGNATURE|ISSUER|ERR_TLS/.test(code) ? BAD_CERTIFICATE : UNREACHABLE;
}

/**
 * Checks the addresses of a name during the lookup for the connection. The connection uses only the checked addresses, so
 * a DNS server that answers a second lookup differently cannot change them.
 */
function lookupPublic(names: Names): LookupFunction {
  return (hostname, options, callback) => {
    names.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const allowed = (addresses as dns.LookupAddress[]).filter(({ address }) => isPublicAddress(address));
      const [first] = allowed;
      if (!first) return callback(new FetchError(NOT_PUBLIC), '');
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
