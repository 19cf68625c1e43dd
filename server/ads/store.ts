import type { Insertable, Selectable } from 'kysely';
import type { AdContent } from '#domain/ads/changes.ts';
import { type AdAction, move } from '#domain/ads/status.ts';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '../db/database.ts';
import type { Ads } from '../db/tables.ts';

/** An ad with what its views say of the place it is bought for, in one query. */
function withPlace(tx: Tx) {
  return tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .selectAll('ads')
    .select([
      'adZones.name as adZoneName',
      'adZones.zoneType',
      'adZones.width as adZoneWidth',
      'adZones.height as adZoneHeight',
      'adZones.pausedAt as zonePausedAt',
      'websites.userId as publisherId',
      'websites.name as websiteName',
      'websites.url as websiteUrl',
      'websites.verifiedAt as websiteVerifiedAt',
    ]);
}

export type AdRow = Awaited<ReturnType<ReturnType<typeof withPlace>['executeTakeFirstOrThrow']>>;

function named(tx: Tx, ref: Reference) {
  return 'id' in ref
    ? withPlace(tx).where('ads.id', '=', ref.id)
    : withPlace(tx).where('ads.publicId', '=', ref.publicId);
}

export function findAd(tx: Tx, ref: Reference): Promise<AdRow | undefined> {
  return named(tx, ref).executeTakeFirst();
}

/** The ad, held until the transaction ends: whoever else wants to move it waits and then sees what it has become. */
export function lockAd(tx: Tx, ref: Reference): Promise<AdRow | undefined> {
  return named(tx, ref).forUpdate('ads').executeTakeFirst();
}

/** Newest first, below the id `before`. */
export function listAdsOfOwner(
  tx: Tx,
  userId: number,
  page: { before: number | null; limit: number },
): Promise<AdRow[]> {
  return withPlace(tx)
    .where('ads.userId', '=', userId)
    .$if(page.before !== null, (query) => query.where('ads.id', '<', page.before as number))
    .orderBy('ads.id', 'desc')
    .limit(page.limit)
    .execute();
}

/** Oldest first, above the id `after`: who waited longest is answered first. */
export function listPendingOfPublisher(
  tx: Tx,
  userId: number,
  page: { after: number | null; limit: number },
): Promise<AdRow[]> {
  return withPlace(tx)
    .where('websites.userId', '=', userId)
    .where('ads.status', '=', 'pending')
    .$if(page.after !== null, (query) => query.where('ads.id', '>', page.after as number))
    .orderBy('ads.id')
    .limit(page.limit)
    .execute();
}

/**
 * A zone that takes ads, or nothing. Held, so that it is not deleted before the ad is in: the zone's deletion waits,
 * and then finds the ad.
 */
export async function holdOpenZone(tx: Tx, ref: Reference): Promise<{ id: number } | undefined> {
  return tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select('adZones.id')
    .where((eb) => ('id' in ref ? eb('adZones.id', '=', ref.id) : eb('adZones.publicId', '=', ref.publicId)))
    .where('adZones.isActive', '=', true)
    .where('adZones.deletedAt', 'is', null)
    .where('websites.isActive', '=', true)
    .forShare()
    .executeTakeFirst();
}

/** An active pricing option of this zone. Held, so that its price is the one the ad is made with. */
export function holdProduct(tx: Tx, zoneId: number, productId: number) {
  return tx
    .selectFrom('adZoneProducts')
    .select(['id', 'adType', 'price', 'pricingModel', 'duration', 'impressions', 'clicks'])
    .where('id', '=', productId)
    .where('adZoneId', '=', zoneId)
    .where('isActive', '=', true)
    .forShare()
    .executeTakeFirst();
}

export async function insertAd(tx: Tx, ad: Insertable<Ads>): Promise<number> {
  const { id } = await tx.insertInto('ads').values(ad).returning('id').executeTakeFirstOrThrow();
  return id;
}

type Changes = Partial<
  AdContent &
    Pick<
      Selectable<Ads>,
      'approvedAt' | 'rejectionReason' | 'paymentIntentId' | 'startDate' | 'endDate' | 'takenDownReason'
    >
>;

/** One move of the state table, with what it writes. False when the ad is not where the move begins. */
export async function moveAd(
  tx: Tx,
  adId: number,
  action: AdAction,
  at: Date,
  changes: Changes,
): Promise<boolean> {
  const { from, to } = move(action);
  const { numUpdatedRows } = await tx
    .updateTable('ads')
    .set({ ...changes, status: to, updatedAt: at })
    .where('id', '=', adId)
    .where('status', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Rejects all pending ads of a zone; their ids. */
export async function rejectPending(tx: Tx, zoneId: number, reason: string, at: Date): Promise<number[]> {
  const { from, to } = move('reject');
  const rows = await tx
    .updateTable('ads')
    .set({ status: to, rejectionReason: reason, updatedAt: at })
    .where('adZoneId', '=', zoneId)
    .where('status', '=', from)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The states of a zone's ads that are not over, each held until the transaction ends. */
export async function lockOpenAdsOfZone(tx: Tx, zoneId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('ads')
    .select('status')
    .where('adZoneId', '=', zoneId)
    .where('status', 'in', ['pending', 'approved', 'active'])
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ status }) => status);
}

/**
 * Active ads whose time is over at `now`; those another copy of the server is completing are left out, and those whose
 * zone was paused before their end: their clock stands still.
 */
export function lockEndedAds(tx: Tx, now: Date, limit: number) {
  return tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .select('ads.id')
    .where('ads.status', '=', 'active')
    .where('ads.endDate', '<=', now)
    .where((eb) =>
      eb.or([eb('adZones.pausedAt', 'is', null), eb('adZones.pausedAt', '>=', eb.ref('ads.endDate'))]),
    )
    .orderBy('ads.endDate')
    .limit(limit)
    .forUpdate('ads')
    .skipLocked()
    .execute();
}

/** A zone's ads that run at `now`, as far as the choice looks at them. */
export function listLiveAds(tx: Tx, zoneId: number, now: Date) {
  return tx
    .selectFrom('ads')
    .select(['id', 'pricingModel', 'impressions', 'clicks', 'totalImpressions', 'totalClicks', 'startDate'])
    .where('adZoneId', '=', zoneId)
    .where('status', '=', 'active')
    .where((eb) => eb.or([eb('endDate', 'is', null), eb('endDate', '>', now)]))
    .execute();
}

/** Approved ads above the id `after` that have waited for their payment since `deadline` or longer. */
export async function listUnpaid(tx: Tx, deadline: Date, after: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('ads')
    .select('id')
    .where('status', '=', 'approved')
    .where('approvedAt', '<=', deadline)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ads that a user submitted, or that stand on the user's zones; each held until the transaction ends. */
export function lockAdsOfAccount(tx: Tx, userId: number) {
  return tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['ads.id', 'ads.userId', 'ads.status'])
    .where((eb) => eb.or([eb('ads.userId', '=', userId), eb('websites.userId', '=', userId)]))
    .orderBy('ads.id')
    .forUpdate('ads')
    .execute();
}

export async function deleteAds(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('ads').where('id', 'in', ids).execute();
}
