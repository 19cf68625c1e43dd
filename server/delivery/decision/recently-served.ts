import type { LiveAd, Snapshot } from '../snapshot/snapshot.ts';

/**
 * Collects the quota ads that this server serves, so that it rereads their counters, which other servers change too.
 */
export function createRecentlyServed(snapshot: Snapshot, now: () => Date) {
  let served: LiveAd[] = [];

  function note(ad: LiveAd): void {
    if (ad.recentlyServed) return;
    ad.recentlyServed = true;
    served.push(ad);
  }

  return {
    note,

    /**
     * The ids of the ads that were served since the last call. An ad that is close to its goal and has open
     * reservations is returned by the next call as well.
     */
    take: (): number[] => {
      const nowMs = now().getTime();
      const taken = served;
      served = [];
      for (const each of taken) each.recentlyServed = false;
      const ids = new Set(taken.map(({ id }) => id));
      for (const id of ids) {
        // The zone may have been reloaded since, and its ads are new objects then.
        const ad = snapshot.ad(id);
        if (!ad || ad.goal === null) continue;
        if (ad.reservations.isNearEnd(ad.goal - ad.views, ad.uncounted.views, nowMs)) note(ad);
      }
      return [...ids];
    },
  };
}
