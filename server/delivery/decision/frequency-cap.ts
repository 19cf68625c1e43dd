import { DAY_MS } from '#domain/time.ts';
import type { Request } from '#server/platform/http/raw-answer.ts';
import type { ClientAddress } from '../traffic/client-address.ts';
import { createThresholdCounter } from './threshold-counter.ts';
import { createSeed, spread, withAd } from '../traffic/recent-counts.ts';
import type { Browser } from '../traffic/traffic.ts';

/** After a visitor was shown an ad this often in one day, other ads go first. */
export const FREQUENCY_CAP = 6;
/** Pairs of visitor and ad to remember per day, in 2 MiB. Beyond this number, the least seen pairs are forgotten. */
const MAX_REMEMBERED = 1 << 19;

/**
 * Counts how often each visitor was shown each ad today, in memory of a fixed size. A visitor is a 32-bit number made
 * of the network (IPv4 /24, IPv6 /48), the browser and a random seed that is replaced daily. The network is mixed in,
 * not hashed as in traffic/visitors.ts, because nearly every decision needs the number, no money depends on it, and it
 * never leaves this process. [DEL-49]
 */
export function createFrequencyCap(networkNumberOf: ClientAddress['networkNumberOf']) {
  const chosen = createThresholdCounter(FREQUENCY_CAP, DAY_MS, MAX_REMEMBERED);
  const seedOf = createSeed(DAY_MS);

  return {
    /** The visitor's number; null if the request carries Global Privacy Control or comes from this machine. */
    visitorOf(request: Request, browser: Browser, nowMs: number): number | null {
      if (request.headers['sec-gpc'] === '1') return null;
      const network = networkNumberOf(request);
      if (network === null) return null;
      return spread(network ^ seedOf(nowMs)) ^ browser.mark;
    },

    isCapped: (visitor: number, adId: number, nowMs: number): boolean =>
      chosen.isReached(withAd(visitor, adId), nowMs),

    note: (visitor: number, adId: number, nowMs: number): void => chosen.note(withAd(visitor, adId), nowMs),
  };
}
export type FrequencyCap = ReturnType<typeof createFrequencyCap>;
