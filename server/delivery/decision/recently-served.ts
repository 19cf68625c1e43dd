import type { LiveAd, Snapshot } from '../snapshot/snapshot.ts';

/** Quota ads that are being offered, whose counters other servers move meanwhile. */
export function createRecentlyServed(snapshot: Snapshot, now: () => Date) {
  let served: LiveAd[] = [];

  function note(ad: LiveAd): void {
    if (ad.recentlyServed) return;
    ad.recentlyServed = true;
    served.push(ad);
  }

  return {
    note,

    /** Those offered since it was last called, and those near their end that have promises open. */
    take: (): number[] => {
      const nowMs = now().getTime();
      const taken = served;
      served = [];
      for (const each of taken) each.recentlyServed = false;
      const ids = new Set(taken.map(({ id }) => id));
      for (const id of ids) {
        // The zone may have been read again since.
        const ad = snapshot.ad(id);
        if (!ad || ad.goal === null) continue;
        if (ad.reservations.isNearEnd(ad.goal - ad.views, ad.uncounted.views, nowMs)) note(ad);
      }
      return [...ids];
    },
  };
}
