import { leavesNobody } from '#domain/targeting/leaves-nobody.ts';
import { type Excludes, storedLimits, type Targeting } from '#domain/targeting/limits.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict } from '#server/platform/http/errors.ts';

/** Throws 409 if the exclusions of the ad zone leave nobody of those to whom an ad is limited. */
export function requireSomebody(targeting: Targeting | null, excludes: Excludes | null): void {
  if (!leavesNobody(targeting, excludes)) return;
  throw conflict(
    'The publisher excludes everybody to whom this ad is limited. Widen its limits, or choose another ad zone.',
    { reason: 'excluded' },
  );
}

/** Throws 409 if exclusions would leave nobody to an ad that runs in the ad zone or may still run. The caller has locked the zone. */
export async function requireSomebodyForEach(
  tx: Tx,
  zoneId: number,
  excludes: Excludes | null,
): Promise<void> {
  const ads = await tx
    .selectFrom('ads')
    .select(['title', 'targeting'])
    .where('adZoneId', '=', zoneId)
    .where('status', 'in', ['pending', 'approved', 'active'])
    .where('targeting', 'is not', null)
    .orderBy('id')
    .execute();
  const first = ads.find((ad) => leavesNobody(storedLimits(ad.targeting), excludes));
  if (!first) return;
  throw conflict(
    `This would leave nobody to the ad “${first.title}”, which is limited to visitors whom you would exclude. Exclude less, or wait until it has ended.`,
    { reason: 'excluded' },
  );
}
