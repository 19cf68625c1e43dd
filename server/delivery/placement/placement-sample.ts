import { DAY_MS } from '#domain/time.ts';

/** A measured page view costs its visitor a second request and a module, so only one of these many is measured. */
export const REQUESTS_PER_REPORT = 10;
/** Of a zone, on one server. So the reports of busy zones stay few. */
export const MAX_A_DAY = 100;
/** Beyond this many zones, all are forgotten and begin again. */
const MAX_ZONES = 100_000;

type Asked = { requests: number; day: number; taken: number };

/** Picks the ad requests whose pages measure where the ad zone stands. */
export function createPlacementSample() {
  const zones = new Map<number, Asked>();
  return {
    /**
     * Counts a request of the zone, and returns whether it is picked. `isFit` is asked only then; if it says no, the next
     * request is picked instead.
     */
    pick(zoneId: number, nowMs: number, isFit: () => boolean): boolean {
      let asked = zones.get(zoneId);
      if (!asked) {
        if (zones.size >= MAX_ZONES) zones.clear();
        zones.set(zoneId, (asked = { requests: 0, day: 0, taken: 0 }));
      }
      asked.requests += 1;
      if (asked.requests < REQUESTS_PER_REPORT) return false;
      const day = Math.floor(nowMs / DAY_MS);
      if (day !== asked.day) {
        asked.day = day;
        asked.taken = 0;
      }
      if (asked.taken >= MAX_A_DAY || !isFit()) return false;
      asked.requests = 0;
      asked.taken += 1;
      return true;
    },
  };
}
export type PlacementSample = ReturnType<typeof createPlacementSample>;
