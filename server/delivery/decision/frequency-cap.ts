import { randomBytes } from 'node:crypto';
import { DAY_MS } from '#domain/time.ts';
import type { Request } from '#server/http/raw-answer.ts';
import type { ClientAddress } from '../traffic/client-address.ts';
import { createThresholdCounter } from './threshold-counter.ts';
import { withAd } from '../traffic/recent-counts.ts';
import type { Browser } from '../traffic/traffic.ts';

/** The same ad is chosen for the same visitor this often a day before others go first. */
export const FREQUENCY_CAP = 6;
/** Visitors times ads of a day; more, and the least seen are forgotten. 2 MiB. */
const MAX_REMEMBERED = 1 << 19;

/**
 * Remembers how often which ad was chosen for whom, today and in memory of a fixed size. A visitor is 32 bits made of
 * network (IPv4 /24, IPv6 /48), browser and a number that is random and thrown away daily. The network is mixed in, not
 * hashed as in visitors.ts: nobody ever sees the number, no money depends on it, and nearly every decision makes one.
 */
export function createFrequencyCap(networkNumberOf: ClientAddress['networkNumberOf']) {
  const chosen = createThresholdCounter(FREQUENCY_CAP, DAY_MS, MAX_REMEMBERED);
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
      const network = networkNumberOf(request);
      if (network === null) return null;
      turn(nowMs);
      return spread(network ^ seed) ^ browser.mark;
    },

    isCapped: (visitor: number, adId: number, nowMs: number): boolean =>
      chosen.isReached(withAd(visitor, adId), nowMs),

    note: (visitor: number, adId: number, nowMs: number): void => chosen.note(withAd(visitor, adId), nowMs),
  };
}
export type FrequencyCap = ReturnType<typeof createFrequencyCap>;

/** MurmurHash3's last step: the 32 bits evenly spread. Each line can be undone, so no two numbers meet. */
function spread(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return bits ^ (bits >>> 16);
}
