/**
 * Reads a small text from a website that somebody named, without letting them choose whom our server talks to
 * (server-side request forgery: delivery brief, threat 14; ASVS 5.0, 1.3.6).
 */
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../net/public-address.ts';

export type FetchedText = { status: number; text: string; contentType: string; url: string };

/** Why nothing was read; the message is for the person who named the address. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

export type FetchRules = {
  maxBytes: number;
  /** For everything, redirects included. */
  timeoutMs: number;
  maxRedirects: number;
  /** Whether an address we are redirected to may be followed. */
  mayFollow: (from: URL, to: URL) => boolean;
  /** A developer's own machine: any address and port will do. Never in production. */
  allowLocal: boolean;
};

/** Throws FetchError. */
export async function fetchText(address: string, rules: FetchRules): Promise<FetchedText> {
  const deadline = AbortSignal.timeout(rules.timeoutMs);
  let url = new URL(address);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await get(url, rules, deadline);
    if (answer.location === null) return { ...answer, url: url.href };
    if (redirects === rules.maxRedirects) throw new FetchError('It redirects too often.');
    const next = URL.parse(answer.location, url.href);
    if (!next || !rules.mayFollow(url, next)) throw new FetchError('It redirects to somewhere else.');
    url = next;
  }
}

type Answer = { status: number; text: string; contentType: string; location: string | null };

async function get(url: URL, rules: FetchRules, deadline: AbortSignal): Promise<Answer> {
  assertAllowed(url, rules);
  const { request } = url.protocol === 'https:' ? https : http;
  return await new Promise<Answer>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(
        error instanceof FetchError
          ? error
          : new FetchError(deadline.aborted ? 'It took too long to answer.' : 'It could not be reached.'),
      );
    const call = request(
      url,
      {
        // A connection of its own: a kept one would have been looked up for somebody else's question.
        agent: false,
        lookup: rules.allowLocal ? dns.lookup : lookupPublic,
        signal: deadline,
        headers: { 'User-Agent': 'Openslot site check', Accept: 'text/plain, text/*;q=0.5' },
      },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        const location = status >= 300 && status < 400 ? (headers.location ?? null) : null;
        if (location !== null) {
          call.destroy();
          return resolve({ status, text: '', contentType: '', location });
        }
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          chunks.push(chunk);
          if (size <= rules.maxBytes) return;
          fail(new FetchError('It is too large.'));
          call.destroy();
        });
        response.on('error', fail);
        response.on('end', () =>
          resolve({
            status,
            text: Buffer.concat(chunks).toString('utf8'),
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
    throw new FetchError('Only http and https addresses are read.');
  }
  if (url.username || url.password) throw new FetchError('An address with a password is not read.');
  if (allowLocal) return;
  // The URL standard drops a scheme's own port.
  if (url.port !== '') throw new FetchError('Only the usual ports, 80 and 443, are read.');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Addresses written as such are never looked up, so they are judged here.
  if (isIP(host) && !isPublicAddress(host)) throw new FetchError('It is no address of the public internet.');
}

/** The connection is made to the very address that was judged, so that a name cannot change its mind in between. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '');
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (!first) return callback(new FetchError('It is no address of the public internet.'), '');
    if (options.all) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};
