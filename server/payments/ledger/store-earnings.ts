/** The SQL of accrue.ts. It reads the ads and their delivery, and writes ad_earnings. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';

function adsToEarn(tx: Tx, adId: number) {
  return tx
    .selectFrom('ads as a')
    .innerJoin('adZones as z', 'z.id', 'a.adZoneId')
    .innerJoin('websites as w', 'w.id', 'z.websiteId')
    .select([
      'a.id',
      'a.status',
      'a.endedReason',
      'a.pricingModel',
      'a.duration',
      'a.impressions',
      'a.clicks',
      'a.totalImpressions',
      'a.totalClicks',
      'a.totalAmount',
      'a.commissionAmount',
      'a.startDate',
      'a.endDate',
      'a.dayBeganAt',
      'a.dayCountsFrom',
      'a.minDayViews',
      'a.silentDays',
      'a.adZoneId',
      'w.userId as publisherId',
      sql<Date | null>`ad_held_since(a.id)`.as('heldSince'),
    ])
    .where('a.id', '=', adId);
}

export type AdToEarn = Awaited<ReturnType<ReturnType<typeof adsToEarn>['executeTakeFirstOrThrow']>>;

export async function findAdToEarn(tx: Tx, adId: number): Promise<AdToEarn | null> {
  return (await adsToEarn(tx, adId).executeTakeFirst()) ?? null;
}

/** Locks the ad until the transaction ends, as counting does. */
export async function lockAdToEarn(tx: Tx, adId: number): Promise<AdToEarn | null> {
  return (await adsToEarn(tx, adId).forNoKeyUpdate('a').executeTakeFirst()) ?? null;
}

export function findPaid(tx: Tx, adId: number) {
  return tx
    .selectFrom('payments')
    .select(['book', 'currency'])
    .where('adId', '=', adId)
    .where('status', '=', 'succeeded')
    .executeTakeFirst();
}

/**
 * The hours from `from` on in which the zone had valid ad requests, as milliseconds. endDays in server/ads/clock/clock-store.ts
 * decides by the same rows which days were silent.
 */
export async function requestedHours(tx: Tx, zoneId: number, from: Date): Promise<number[]> {
  const rows = await tx
    .selectFrom('deliveryHourly')
    .select(sql<number>`(extract(epoch from hour) * 1000)::float8`.as('ms'))
    .distinct()
    .where('zoneId', '=', zoneId)
    .where('hour', '>', from)
    .where('kind', 'in', ['decision', 'view'])
    .where('reason', '=', '')
    .execute();
  return rows.map(({ ms }) => ms);
}

/** The counted views of an ad, less the withdrawn ones, by the hours from `from` on, which are in milliseconds. */
export async function viewsByHour(tx: Tx, adId: number, from: Date): Promise<{ ms: number; n: number }[]> {
  const { rows } = await sql<{ ms: number; n: number }>`
    select (extract(epoch from hour) * 1000)::float8 as ms, sum(n)::float8 as n
      from (
        select hour, n from delivery_hourly
          where ad_id = ${adId} and kind = 'view' and reason = '' and hour > ${from}
        union all
        select hour, -n from withdrawn_hours where ad_id = ${adId} and kind = 'view' and hour > ${from}) as counted
      group by hour`.execute(tx);
  return rows;
}

/** Amounts are in cents. */
export type Earnings = {
  units: number;
  publisherCents: number;
  commissionCents: number;
  entries: number;
  entryUnits: number;
};

/**
 * `isClosed`: a dispute was lost, so nothing is earned or corrected any more. `settledUnits`: the units of an ended per-day
 * ad after a withdrawal changed its days (server/db/functions/adjust_counters.sql).
 */
export type KnownEarnings = Earnings & { isClosed: boolean; settledUnits: number | null };

function earningsOf(tx: Tx, adId: number) {
  return tx
    .selectFrom('adEarnings as e')
    .select([
      'e.units',
      'e.publisherCents',
      'e.commissionCents',
      'e.entries',
      'e.entryUnits',
      'e.closedAt',
      'e.settledUnits',
    ])
    .where('e.adId', '=', adId);
}

type EarningsRow = Awaited<ReturnType<ReturnType<typeof earningsOf>['executeTakeFirstOrThrow']>>;

const knownEarnings = (row: EarningsRow): KnownEarnings => ({
  units: row.units,
  publisherCents: row.publisherCents,
  commissionCents: row.commissionCents,
  entries: row.entries,
  entryUnits: row.entryUnits,
  isClosed: row.closedAt !== null,
  settledUnits: row.settledUnits,
});

export async function findEarnings(tx: Tx, adId: number): Promise<KnownEarnings | null> {
  const row = await earningsOf(tx, adId).executeTakeFirst();
  return row ? knownEarnings(row) : null;
}

/** The earnings of an ad, and what findPaid() returns. Null if it was never paid. */
export async function findSold(tx: Tx, adId: number) {
  const row = await earningsOf(tx, adId)
    .innerJoin('payments as p', (join) =>
      join.onRef('p.adId', '=', 'e.adId').on('p.status', '=', 'succeeded'),
    )
    .select(['p.book', 'p.currency'])
    .executeTakeFirst();
  if (!row) return null;
  const { book, currency } = row;
  return { paid: { book, currency }, before: knownEarnings(row) };
}

/** Records the earnings of an ad until `until`. It is due again at `dueAt`; never, if that is null. */
export async function keepEarnings(
  tx: Tx,
  adId: number,
  earnings: Earnings & { until: Date; dueAt: Date | null },
): Promise<void> {
  await tx.updateTable('adEarnings').set(earnings).where('adId', '=', adId).execute();
}

/** An ad whose accrual is due, and since when, as text: '-infinity' is no Date. */
export type Due = { adId: number; dueAt: string };

/** The ads whose accrual is due at `until`, the longest waiting first, behind `after`. */
export async function listDue(tx: Tx, until: Date, after: Due | null, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select ad_id, due_at::text as due_at from ad_earnings
      where due_at <= ${until}
        and (due_at, ad_id) > (${after?.dueAt ?? '-infinity'}::timestamptz, ${after?.adId ?? 0}::integer)
      order by due_at, ad_id
      limit ${limit}`.execute(tx);
  return rows;
}

/** The ads of a publisher that may have delivered something since their last accrual. */
export async function listDueOf(tx: Tx, publisherId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('websites as w')
    .innerJoin('adZones as z', 'z.websiteId', 'w.id')
    .innerJoin('ads as a', 'a.adZoneId', 'z.id')
    .innerJoin('adEarnings as e', 'e.adId', 'a.id')
    .select('a.id')
    .where('w.userId', '=', publisherId)
    .where('e.dueAt', 'is not', null)
    .orderBy('a.id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function postpone(tx: Tx, adId: number, dueAt: Date): Promise<void> {
  await tx.updateTable('adEarnings').set({ dueAt }).where('adId', '=', adId).execute();
}
