/** Finds the campaigns that endings.ts has to look at. Ids above `after`, ascending. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

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

/** Ads whose earnings are up to date and of whose price a rest may have to be refunded. */
export async function listUnsettled(tx: Tx, after: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('unsettledAds')
    .select('adId')
    .where('adId', '>', after)
    .orderBy('adId')
    .limit(limit)
    .execute();
  return rows.map(({ adId }) => adId);
}

/**
 * Notes that nothing is left to refund of an ad, unless deferred money is. An ad that runs is noted again when it has ended.
 * The caller locks the ad.
 */
export async function markSettled(tx: Tx, adId: number): Promise<void> {
  await sql`
    delete from unsettled_ads u
      where u.ad_id = ${adId}
        and not exists (
          select from ledger_accounts l
            join ledger_balances b on b.account_id = l.id
            join ads a on a.id = l.owner_id
            where l.owner_id = u.ad_id and l.kind in ('deferred_publisher', 'deferred_commission')
              and b.amount_cents < 0 and a.status = 'completed')`.execute(tx);
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
