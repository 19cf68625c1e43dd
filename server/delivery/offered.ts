import type { Snapshot } from './snapshot.ts';

/** Quota ads that are being offered, whose counters other servers move meanwhile. */
export function createOffered(snapshot: Snapshot, now: () => Date) {
  let ids = new Set<number>();
  return {
    note: (adId: number): void => void ids.add(adId),

    /** Those offered since it was last called, and those near their end that have promises open. */
    take: (): number[] => {
      const nowMs = now().getTime();
      const taken = [...ids];
      const near = taken.filter((adId) => {
        const ad = snapshot.ad(adId);
        if (!ad || ad.goal === null) return false;
        return ad.reserved.isNearEnd(ad.goal - ad.views, ad.uncounted.views, nowMs);
      });
      ids = new Set(near);
      return taken;
    },
  };
}
