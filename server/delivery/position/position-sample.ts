import { VOTE_MS } from '#domain/delivery/votes.ts';
import { DAY_MS } from '#domain/time.ts';
import type { LiveZone } from '../snapshot/snapshot.ts';
import { createRecentCounts, createSeed, spread, withAd } from '../traffic/recent-counts.ts';

/** A measured page view costs its visitor a second request and a module, so at most one of these many is measured. */
export const REQUESTS_PER_REPORT = 10;
/** Of busy zones fewer are, so that about so many a day are left, spread over the day as its requests are. */
const WANTED_A_DAY = 100;
/** Usually about every second request becomes a view. */
const REQUESTS_PER_VIEW = 2;
/** Of a zone, on one server, if its forecast is too low. */
export const MAX_A_DAY = 400;
/** The networks of ad zones to remember, in 1 MiB. There are few: each costs ten requests. */
const MAX_NETWORKS = 1 << 18;
/** Beyond this many zones, all are forgotten and begin again. */
const MAX_ZONES = 100_000;

type Asked = { requests: number; day: number; taken: number };

/**
 * Picks the ad requests whose pages measure where the ad zone stands and who visits them: of each network (IPv4 /24, IPv6 /48) one in a period, as
 * it has one vote on a share (domain/delivery/votes.ts). [WARD-111]
 */
export function createPositionSample() {
  const zones = new Map<number, Asked>();
  const measured = createRecentCounts(VOTE_MS, MAX_NETWORKS);
  const seedOf = createSeed(VOTE_MS);
  return {
    /**
     * Counts a request of the zone, and returns whether it is picked. `isFit` is asked only then; if it says no, or if a page
     * of this network was picked before, the next request is picked instead. `networkOf`: null for a tool on this machine.
     */
    pick(
      { id, forecastPerDay }: Pick<LiveZone, 'id' | 'forecastPerDay'>,
      networkOf: () => number | null,
      nowMs: number,
      isFit: () => boolean,
    ): boolean {
      let asked = zones.get(id);
      if (!asked) {
        if (zones.size >= MAX_ZONES) zones.clear();
        zones.set(id, (asked = { requests: 0, day: 0, taken: 0 }));
      }
      asked.requests += 1;
      if (asked.requests < Math.max(REQUESTS_PER_REPORT, (forecastPerDay * REQUESTS_PER_VIEW) / WANTED_A_DAY))
        return false;
      const day = Math.floor(nowMs / DAY_MS);
      if (day !== asked.day) {
        asked.day = day;
        asked.taken = 0;
      }
      if (asked.taken >= MAX_A_DAY) return false;
      const network = networkOf();
      const key = network === null ? null : spread(withAd(network ^ seedOf(nowMs), id));
      if ((key !== null && measured.of(key, nowMs) > 0) || !isFit()) return false;
      if (key !== null) measured.add(key, nowMs);
      asked.requests = 0;
      asked.taken += 1;
      return true;
    },
  };
}
export type PositionSample = ReturnType<typeof createPositionSample>;
