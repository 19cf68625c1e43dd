import { randomBytes } from 'node:crypto';
import { DAY_MS } from '#domain/time.ts';
import type { Request } from './answer.ts';
import { isLoopbackAddress } from './client-address.ts';
import { createOften } from './often.ts';
import { withAd } from './recent-counts.ts';
import type { Browser } from './traffic.ts';

/** The same ad is chosen for the same visitor this often a day before others go first. */
export const OFTEN = 6;
/** Visitors times ads of a day; more, and the least seen are forgotten. 2 MiB. */
const MOST_REMEMBERED = 1 << 19;

const DOT = '.'.charCodeAt(0);
const COLON = ':'.charCodeAt(0);

/**
 * Remembers how often which ad was chosen for whom, today and in memory of a fixed size. A visitor is 32 bits made of
 * network (IPv4 /24, IPv6 /48), browser and a number that is random and thrown away daily. The address is mixed in, not
 * hashed as in visitors.ts: nobody ever sees the number, no money depends on it, and nearly every decision makes one.
 */
export function createFrequency(addressOf: (request: Request) => string) {
  const chosen = createOften(OFTEN, DAY_MS, MOST_REMEMBERED);
  let day = -1;
  let seed = 0;

  function turn(nowMs: number): void {
    const today = Math.floor(nowMs / DAY_MS);
    if (today === day) return;
    day = today;
    seed = randomBytes(4).readInt32LE();
  }

  return {
    /** Who asks; null for who asks not to be told apart (Global Privacy Control), and for this machine itself. */
    visitorOf(request: Request, browser: Browser, nowMs: number): number | null {
      if (request.headers['sec-gpc'] === '1') return null;
      const address = addressOf(request);
      if (isLoopbackAddress(address)) return null;
      turn(nowMs);
      let visitor = seed ^ browser.mark;
      for (let at = networkLength(address) - 1; at >= 0; at--) {
        // As MurmurHash3 does at its end: each step can be undone, so no two of one length meet by the mixing alone.
        visitor = Math.imul(visitor ^ address.charCodeAt(at), 0x85_eb_ca_6b);
        visitor ^= visitor >>> 13;
      }
      return visitor;
    },

    isOften: (visitor: number, adId: number, nowMs: number): boolean =>
      chosen.isOften(withAd(visitor, adId), nowMs),

    note: (visitor: number, adId: number, nowMs: number): void => chosen.note(withAd(visitor, adId), nowMs),
  };
}
export type Frequency = ReturnType<typeof createFrequency>;

/** How much of an address names the network: of IPv4 the first three numbers, of IPv6 the first three groups. */
function networkLength(address: string): number {
  // Letter by letter, because the search of the language is a call out of compiled code.
  for (let at = address.length - 1; at > 0; at--) if (address.charCodeAt(at) === DOT) return at;
  let groups = 0;
  for (let at = 0; at < address.length; at++)
    if (address.charCodeAt(at) === COLON && ++groups === 3) return at;
  return address.length;
}
