import { hash, randomBytes } from 'node:crypto';
import type http from 'node:http';
import { isbot } from 'isbot';
import { getDomain, getHostname } from 'tldts';
import type { EventKind } from '#domain/delivery/reasons.ts';
import { isLoopback } from '#server/platform/net/networks.ts';
import { ORIGIN_LENGTH } from '../tokens/tokens.ts';
import { type Agent, agentIn } from './declared-agent.ts';
import { readUserAgent, type UserAgent } from './user-agent.ts';

/** The number of distinct strings to remember of each kind. Those of real visitors repeat; an attacker's need not. */
const MAX_REMEMBERED = 5000;
/** Browsers send shorter strings. Longer ones are cut to this length and not remembered, to save memory. */
export const MAX_LENGTH = 512;

export type Page = {
  /** The registrable domain, or the host if there is none; null for an opaque or missing origin. */
  site: string | null;
  /** True for a loopback page, and for files and sandboxed pages. */
  local: boolean;
  /** 16 bits of a hash of the origin, for tokens. */
  hash: string;
};

/** 'https://blog.example.co.uk/x' -> 'example.co.uk'. Sites of different people on a shared host stay separate. */
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

/** The origin of a sandboxed frame. */
export const FRAME_ORIGIN = 'null';
/**
 * Google's IMA, which many video players use, requests VAST and reports from a frame of this origin
 * (https://developers.google.com/interactive-media-ads/docs/sdks/html5/client-side/cors).
 */
export const IMA_ORIGIN = 'https://imasdk.googleapis.com';

export type Browser = {
  /** True for a declared robot or a missing User-Agent, which isbot does not report (omrilotan/isbot#66). */
  automated: boolean;
  /** The agent that the User-Agent names. */
  agent: Agent | null;
  /** 32 random bits for each remembered User-Agent. They distinguish browsers and reveal nothing about them. */
  mark: number;
  /** The engine and version that the User-Agent claims. */
  userAgent: UserAgent;
  /** The last Sec-CH-UA that came with this User-Agent, and whether this browser can send it (request-headers.ts). */
  lastBrands: { text: string; possible: boolean } | null;
};

export const browserOf = remember((userAgent: string): Browser => ({
  automated: userAgent === '' || isbot(userAgent),
  agent: agentIn(userAgent),
  mark: randomBytes(4).readInt32LE(),
  userAgent: readUserAgent(userAgent),
  lastBrands: null,
}));

/**
 * Whether a request is a prefetch or another load that no visitor has caused. A click must also be a navigation;
 * loading its URL as an image or a script is speculative too.
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
    if (text.length > MAX_LENGTH) return find(text.slice(0, MAX_LENGTH));
    const value = find(text);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, value);
    return value;
  };
}
