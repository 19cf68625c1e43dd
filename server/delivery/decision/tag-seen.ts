import type { Context } from '#server/platform/context.ts';
import type { LiveZone } from '../snapshot/snapshot.ts';
import { markTagSeen } from './store.ts';
import { MINUTE_MS } from '#domain/time.ts';

/** The minimum time between two writes of a zone's `tag_seen_at`, by any server. */
const SEEN_EVERY_MS = MINUTE_MS;

/**
 * Notes that the tag was seen on the site's own domain. This proves nothing about the owner of the domain, because a
 * client can send any `Origin` header. A decision only notes it; `flush` writes in batches, so that no decision waits for
 * the database. [DEL-20]
 */
export function createTagSeen(ctx: Context) {
  let zones = new Set<number>();
  return {
    note(zone: LiveZone, nowMs: number): void {
      if (Math.abs(nowMs - zone.tagSeenAtMs) < SEEN_EVERY_MS) return;
      zone.tagSeenAtMs = nowMs;
      zones.add(zone.id);
    },
    flush: async (): Promise<void> => {
      const seen = zones;
      zones = new Set();
      try {
        if (seen.size > 0) await markTagSeen(ctx.db, [...seen], ctx.now(), SEEN_EVERY_MS);
      } catch (error) {
        for (const id of seen) zones.add(id);
        throw error;
      }
    },
  };
}

export type TagSeen = ReturnType<typeof createTagSeen>;
