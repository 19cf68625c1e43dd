import { hash, randomBytes } from 'node:crypto';
import type http from 'node:http';
import { isbot } from 'isbot';
import { getDomain, getHostname } from 'tldts';
import type { EventKind } from '#domain/delivery/reasons.ts';
import { isLoopback } from '#server/net/loopback.ts';
import { ORIGIN_LENGTH } from '../tokens/tokens.ts';

/** Distinct strings remembered of each kind; visitors' browsers and sites repeat, attackers' need not. */
const MAX_REMEMBERED = 5000;
/** Longer ones are no browser's: they are looked at as far as that, and not remembered, for they are not cheap. */
const LONGEST_REMEMBERED = 512;

export type Page = {
  /** Registrable domain, or the host where there is none; null for opaque and missing origins. */
  site: string | null;
  /** A loopback page, or a file or sandboxed page of a developer's own machine. */
  local: boolean;
  /** 16 bits of a hash of the origin, for the token. */
  hash: string;
};

/** 'https://blog.example.co.uk/x' -> 'example.co.uk'; sites of one host that belong to different people stay apart. */
export function siteOf(url: string): string | null {
  return getDomain(url, { allowPrivateDomains: true }) ?? getHostname(url);
}

export const pageOf = remember((origin: string): Page => {
  const opaque = origin === 'null' || origin === '';
  return {
    site: opaque ? null : siteOf(origin),
    local: opaque || isLoopback(origin),
    hash: hash('sha256', origin).slice(0, ORIGIN_LENGTH),
  };
});

export type Browser = {
  /** A declared robot, or a caller that does not say what it is, which isbot lets pass (omrilotan/isbot#66). */
  automated: boolean;
  /** 32 random bits, the same for as long as the name is remembered: it tells browsers apart, and nothing about them. */
  mark: number;
};

/** By the User-Agent. */
export const browserOf = remember((userAgent: string): Browser => ({
  automated: userAgent === '' || isbot(userAgent),
  mark: randomBytes(4).readInt32LE(),
}));

/**
 * A load that nobody has asked for yet. A click must be a navigation: a picture or a script with its address is
 * none.
 */
export function isSpeculative(headers: http.IncomingHttpHeaders, kind?: EventKind): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz'];
  if (typeof purpose === 'string' && /prefetch|prerender|preview/i.test(purpose)) return true;
  const destination = headers['sec-fetch-dest'];
  return kind === 'click' && destination !== undefined && destination !== 'document';
}

function remember<T>(find: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (text.length > LONGEST_REMEMBERED) return find(text.slice(0, LONGEST_REMEMBERED));
    const value = find(text);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, value);
    return value;
  };
}
