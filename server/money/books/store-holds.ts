/** The SQL of earnings on hold, over all publishers. Amounts are cents. */
import { sql } from 'kysely';
import type { HoldReason } from '#domain/payments/holds.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isOpenHold } from '../ledger/held.ts';

export type OpenHold = {
  id: number;
  userId: number;
  /** Null if the account was deleted. */
  email: string | null;
  /** Null for all earnings of the publisher. */
  adId: number | null;
  ad: string | null;
  reason: HoldReason;
  amountCents: number;
  since: Date;
  /** When the hold ends by itself; null if it waits for a decision. */
  until: Date | null;
};

/**
 * The holds that are not released, of all publishers or of one, the oldest first. A hold covers what its ads have earned
 * since it began.
 */
export async function listOpenHolds(tx: Tx, limit: number, now: Date, userId?: number): Promise<OpenHold[]> {
  const own = userId === undefined ? sql`` : sql`and h.user_id = ${userId}`;
  const { rows } = await sql<Omit<OpenHold, 'amountCents'> & { cents: string }>`
    select h.id, h.user_id as "userId", case when u.deleted_at is null then u.email end as email, h.ad_id as "adId",
        a.public_id as ad, h.reason, h.made_at as since, h.until,
        (select coalesce(sum(greatest(0, e.publisher_cents - h.earned_before_cents - coalesce((
            select sum(d.borne_cents) from payments p join disputes d on d.payment_id = p.id where p.ad_id = e.ad_id), 0))), 0)
          from websites w
          join ad_zones z on z.website_id = w.id
          join ads o on o.ad_zone_id = z.id and o.id = coalesce(h.ad_id, o.id)
          join ad_earnings e on e.ad_id = o.id
          where w.user_id = h.user_id) as cents
      from (select h.* from holds h where ${isOpenHold(now)} ${own} order by h.id limit ${limit}) as h
      join users u on u.id = h.user_id
      left join ads a on a.id = h.ad_id
      order by h.id`.execute(tx);
  return rows.map(({ cents, ...row }) => ({ ...row, amountCents: Number(cents) }));
}

/** The publisher of an ad; null if there is no such ad. */
export async function findPublisherOf(tx: Tx, adId: number): Promise<number | null> {
  const row = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select('websites.userId')
    .where('ads.id', '=', adId)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** Holds earnings for the operator. Returns the hold's number, or null if the operator holds them already. */
export async function insertOperatorHold(
  tx: Tx,
  hold: { userId: number; adId: number | null },
  at: Date,
): Promise<number | null> {
  const row = await tx
    .insertInto('holds')
    .values({ ...hold, reason: 'operator', externalRef: null, madeAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function lockHold(tx: Tx, id: number) {
  return await tx
    .selectFrom('holds')
    .select(['id', 'userId', 'adId', 'reason', 'externalRef', 'releasedAt'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Whether the provider's dispute behind a hold is not decided. */
export async function isDisputeOpen(tx: Tx, disputeId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('disputes')
    .select('id')
    .where('disputeId', '=', disputeId)
    .where('closedAt', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markReleased(tx: Tx, id: number, releasedAt: Date): Promise<void> {
  await tx.updateTable('holds').set({ releasedAt }).where('id', '=', id).execute();
}
