import { type Insertable, type Selectable, sql } from 'kysely';
import type { RemovedFor } from '#domain/ads/variants.ts';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { AdVariants } from '#server/platform/database/tables.ts';

export type VariantRow = Selectable<AdVariants>;

/** Second creatives that wait or are shown. An ad has at most one of them. */
const OPEN = ['pending', 'approved'] as const;

const named = (tx: Tx, ref: Reference) =>
  tx
    .selectFrom('adVariants')
    .selectAll()
    .where((eb) => ('id' in ref ? eb('id', '=', ref.id) : eb('publicId', '=', ref.publicId)));

export async function findVariant(tx: Tx, ref: Reference): Promise<VariantRow | undefined> {
  return await named(tx, ref).executeTakeFirst();
}

/** Locks a second creative. The caller has locked its ad. */
export async function lockVariant(tx: Tx, id: number): Promise<VariantRow> {
  return await named(tx, { id }).forNoKeyUpdate().executeTakeFirstOrThrow();
}

/** The second creatives of an ad, newest first. There are never more than MAX_VARIANTS. */
export async function listVariantsOf(tx: Tx, adId: number): Promise<VariantRow[]> {
  return await tx
    .selectFrom('adVariants')
    .selectAll()
    .where('adId', '=', adId)
    .orderBy('number', 'desc')
    .execute();
}

/** The second creatives of the ads of an advertiser, with ids above `after`. */
export async function listVariantsOfOwner(
  tx: Tx,
  userId: number,
  { after, limit }: { after: number; limit: number },
): Promise<(VariantRow & { adPublicId: string })[]> {
  return await tx
    .selectFrom('adVariants')
    .innerJoin('ads', 'ads.id', 'adVariants.adId')
    .selectAll('adVariants')
    .select('ads.publicId as adPublicId')
    .where('ads.userId', '=', userId)
    .where('adVariants.id', '>', after)
    .orderBy('adVariants.id')
    .limit(limit)
    .execute();
}

/**
 * The second creatives that wait for a publisher in running campaigns, oldest first, with ids above `after`. A campaign
 * that has ended shows none, so nothing is left to decide.
 */
export async function listPendingVariantsOf(
  tx: Tx,
  publisherId: number,
  { after, limit }: { after: number; limit: number },
): Promise<VariantRow[]> {
  return await tx
    .selectFrom('adVariants')
    .innerJoin('ads', 'ads.id', 'adVariants.adId')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .selectAll('adVariants')
    .where('websites.userId', '=', publisherId)
    .where('ads.status', '=', 'active')
    .where('adVariants.status', '=', 'pending')
    .where('adVariants.id', '>', after)
    .orderBy('adVariants.id')
    .limit(limit)
    .execute();
}

export async function insertVariant(tx: Tx, row: Insertable<AdVariants>): Promise<VariantRow> {
  return await tx.insertInto('adVariants').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Answers a pending second creative. Returns undefined if it is no longer pending. */
export async function decideVariant(
  tx: Tx,
  id: number,
  answer: Pick<VariantRow, 'rejectionReason'> & Partial<Pick<VariantRow, 'approvedHost'>>,
  at: Date,
): Promise<VariantRow | undefined> {
  return await tx
    .updateTable('adVariants')
    .set({
      ...answer,
      status: answer.rejectionReason === null ? 'approved' : 'rejected',
      decidedAt: at,
      ...(answer.rejectionReason !== null && { checkDueAt: null }),
    })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
}

/** Takes away a second creative that waits or is shown. Returns undefined if it does neither. */
export async function closeVariant(
  tx: Tx,
  id: number,
  removedFor: RemovedFor,
  at: Date,
): Promise<VariantRow | undefined> {
  return await tx
    .updateTable('adVariants')
    .set({ status: 'removed', removedAt: at, removedFor, checkDueAt: null })
    .where('id', '=', id)
    .where('status', 'in', [...OPEN])
    .returningAll()
    .executeTakeFirst();
}

export type DueTarget = Pick<VariantRow, 'id' | 'adId' | 'targetUrl'>;

/**
 * Takes up to `limit` targets that are due at `now`, the longest due first. They are due again at `retryAt`, in case the
 * server ends meanwhile. The targets of campaigns that are over are not checked any more.
 */
export async function takeDueTargets(tx: Tx, now: Date, retryAt: Date, limit: number): Promise<DueTarget[]> {
  const { rows } = await sql<DueTarget & { isRunning: boolean }>`
    with due as (
      select v.id, a.status = 'active' as is_running from ad_variants v join ads a on a.id = v.ad_id
        where v.check_due_at <= ${now}
        order by v.check_due_at, v.id limit ${limit} for no key update of v skip locked)
    update ad_variants v set check_due_at = case when d.is_running then ${retryAt}::timestamptz end
      from due d where d.id = v.id
      returning v.id, v.ad_id, v.target_url, d.is_running`.execute(tx);
  return rows.filter(({ isRunning }) => isRunning);
}

/** Lets all targets be checked again, because the list of phishing hosts has changed. */
export async function checkAllTargetsAt(tx: Tx, at: Date): Promise<void> {
  await tx.updateTable('adVariants').set({ checkDueAt: at }).where('checkDueAt', 'is not', null).execute();
}

export async function writeTarget(
  tx: Tx,
  id: number,
  changes: Partial<
    Pick<VariantRow, 'finalHost' | 'approvedHost' | 'elsewhereSince' | 'checkedAt' | 'checkDueAt'>
  >,
): Promise<void> {
  await tx.updateTable('adVariants').set(changes).where('id', '=', id).execute();
}

/** Locks up to `limit` second creatives that have waited since before `before`. */
export async function lockUnanswered(
  tx: Tx,
  before: Date,
  limit: number,
): Promise<Pick<VariantRow, 'id' | 'adId'>[]> {
  return await tx
    .selectFrom('adVariants')
    .select(['id', 'adId'])
    .where('status', '=', 'pending')
    .where('createdAt', '<=', before)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
}
