import type { Context } from '#server/context.ts';
import type { LiveZone } from '../snapshot/snapshot.ts';
import { markTagSeen, markVerified } from './store.ts';

/** The minimum time between two writes of a zone's `tag_seen_at`. */
const SEEN_EVERY_MS = 60 * 1000;

/**
 * Notes that the tag runs on the site's own domain, which verifies the website. A decision only notes it; `flush`
 * writes in batches, so that no decision waits for the database. [DEL-20]
 */
export function createSiteProof(ctx: Context) {
  let websites = new Set<number>();
  let zones = new Set<number>();
  return {
    note(zone: LiveZone, nowMs: number): void {
      if (!zone.verified) {
        zone.verified = true;
        websites.add(zone.websiteId);
      }
      if (Math.abs(nowMs - zone.tagSeenAtMs) < SEEN_EVERY_MS) return;
      zone.tagSeenAtMs = nowMs;
      zones.add(zone.id);
    },
    flush: async (): Promise<void> => {
      const [newSites, seenZones] = [websites, zones];
      websites = new Set();
      zones = new Set();
      try {
        if (newSites.size > 0) await markVerified(ctx.db, [...newSites], ctx.now());
        if (seenZones.size > 0) await markTagSeen(ctx.db, [...seenZones], ctx.now());
      } catch (error) {
        for (const id of newSites) websites.add(id);
        for (const id of seenZones) zones.add(id);
        throw error;
      }
    },
  };
}
export type SiteProof = ReturnType<typeof createSiteProof>;
