/** Finds the campaigns that endings.ts has to look at. Ids above `after`, ascending. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';

/** Running ads that the operator has refunded in part. */
export async function listPartlyRefunded(tx: Tx, after: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .innerJoin('ads', 'ads.id', 'payments.adId')
    .select('ads.id')
    .distinct()
    .where('refunds.cause', '=', 'operator')
    .where('ads.status', '=', 'active')
    .where('ads.id', '>', after)
    .orderBy('ads.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ended ads whose earnings are up to date and that still have deferred money. */
export async function listEndedWithRest(tx: Tx, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct a.id
      from ledger_balances b
      join ledger_accounts l on l.id = b.account_id and l.kind in ('deferred_publisher', 'deferred_commission')
      join ads a on a.id = l.owner_id
      join ad_earnings e on e.ad_id = a.id
      where b.amount_cents < 0 and a.status = 'completed' and e.due_at is null and a.id > ${after}
      order by a.id
      limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** All running ads in the zones of a publisher, by id. Locks them until the transaction ends. */
export async function lockAdsOfPublisher(tx: Tx, userId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select('ads.id')
    .where('websites.userId', '=', userId)
    .where('ads.status', '=', 'active')
    .orderBy('ads.id')
    .forNoKeyUpdate('ads')
    .execute();
  return rows.map(({ id }) => id);
}
