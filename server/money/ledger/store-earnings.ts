/** The SQL of accrue.ts. It reads the ads and their delivery, and writes ad_earnings and earned_hours. */
import { sql } from 'kysely';
import type { Stretch } from '#domain/ads/delivered.ts';
import type { Currency } from '#domain/money.ts';
import type { HourEarnings, HourUnits } from '#domain/payments/earned-hours.ts';
import type { Price } from '#domain/payments/earned.ts';
import type { Shares } from '#domain/payments/refunds.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';

function adsToEarn(tx: Tx, adIds: readonly number[]) {
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
    .where('a.id', '=', (eb) => eb.fn.any(eb.val(adIds)));
}

export type AdToEarn = Awaited<ReturnType<ReturnType<typeof adsToEarn>['executeTakeFirstOrThrow']>>;

export async function listAdsToEarn(tx: Tx, adIds: readonly number[]): Promise<AdToEarn[]> {
  return await adsToEarn(tx, adIds).execute();
}

/** Locks the ad until the transaction ends, as counting does. */
export async function lockAdToEarn(tx: Tx, adId: number): Promise<AdToEarn | null> {
  return (await adsToEarn(tx, [adId]).forNoKeyUpdate('a').executeTakeFirst()) ?? null;
}

export function findPaid(tx: Tx, adId: number) {
  return tx
    .selectFrom('payments')
    .leftJoin('taxAccounts', 'taxAccounts.id', 'payments.taxAccountId')
    .select(['payments.id', 'book', 'currency', 'amountCents', 'commissionCents', 'feeCents', 'taxCents'])
    .select(['taxAccountId', 'taxAccounts.rate as taxRate', 'taxAccounts.country as taxCountry'])
    .where('adId', '=', adId)
    .where('status', '=', 'succeeded')
    .executeTakeFirst();
}

/**
 * The hours after `after` in which the zones of these ads had valid ad requests, as milliseconds, by ad. endDays in
 * server/ads/clock/clock-store.ts decides by the same rows which days were silent.
 */
export async function requestedHours(
  tx: Tx,
  of: readonly { adId: number; zoneId: number; after: Date }[],
): Promise<Map<number, number[]>> {
  if (of.length === 0) return new Map();
  const { rows } = await sql<{ adId: number; ms: number }>`
    select q."adId", (extract(epoch from d.hour) * 1000)::float8 as ms
      from json_to_recordset(${JSON.stringify(of)}::json) as q ("adId" integer, "zoneId" integer, after timestamptz)
      cross join lateral (
        select distinct hour from counted_hours
          where zone_id = q."zoneId" and hour > q.after and kind in ('decision', 'view')
          offset 0) as d`.execute(tx);
  return byAd(rows, ({ ms }) => ms);
}

/** The pauses of these ads by their advertisers that had not ended at `after`, by ad. */
export async function pausesOfAds(
  tx: Tx,
  of: readonly { adId: number; after: Date }[],
): Promise<Map<number, Stretch[]>> {
  if (of.length === 0) return new Map();
  const { rows } = await sql<{ adId: number; began: Date; ended: Date | null }>`
    select q."adId", p.began_at as began, p.ended_at as ended
      from json_to_recordset(${JSON.stringify(of)}::json) as q ("adId" integer, after timestamptz)
      join advertiser_pauses p on p.ad_id = q."adId" and (p.ended_at is null or p.ended_at > q.after)`.execute(
    tx,
  );
  return byAd(rows, ({ began, ended }) => ({ from: began.getTime(), to: ended?.getTime() ?? Infinity }));
}

/** The counted views or clicks of these ads, less the withdrawn ones, by ad and hour after `after`, the oldest first. */
export async function countedHours(
  tx: Tx,
  of: readonly { adId: number; kind: 'view' | 'click'; after: Date }[],
): Promise<Map<number, HourUnits[]>> {
  if (of.length === 0) return new Map();
  const { rows } = await sql<{ adId: number } & HourUnits>`
    select q."adId", (extract(epoch from d.hour) * 1000)::float8 as hour, sum(d.n)::float8 as units
      from json_to_recordset(${JSON.stringify(of)}::json) as q ("adId" integer, kind text, after timestamptz)
      cross join lateral (
        select hour, n from net_hours where ad_id = q."adId" and kind = q.kind and hour > q.after
        offset 0) as d
      group by q."adId", d.hour
      order by d.hour`.execute(tx);
  return byAd(rows, ({ hour, units }) => ({ hour, units }));
}

function byAd<Row extends { adId: number }, T>(rows: readonly Row[], of: (row: Row) => T): Map<number, T[]> {
  const groups = Map.groupBy(rows, ({ adId }) => adId);
  return new Map([...groups].map(([adId, each]) => [adId, each.map(of)]));
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
 * The postings of a paid ad. `left` is its deferred money, which is neither earned nor refunded,
 * and `taken` the part of the earnings that lost disputes took back. `isClosed`: a dispute
 * was lost, so nothing is earned or corrected any more. `settledUnits`: the units of an ended per-day ad after a
 * withdrawal changed its days (server/platform/database/functions/invalid-traffic/adjust_counters.sql).
 */
export type Sold = Earnings & {
  adId: number;
  until: Date;
  isClosed: boolean;
  settledUnits: number | null;
  /** The paid price, whose commission contains the tax, if there is one. */
  price: Price;
  left: Shares;
  taken: Shares;
  book: PaymentBook;
  currency: Currency;
};

/** The posted earnings of those of these ads that were paid. */
export async function listSold(tx: Tx, adIds: readonly number[]): Promise<Sold[]> {
  const deferred = (kind: 'deferred_publisher' | 'deferred_commission') => sql<number>`coalesce((
    select -b.amount_cents from ledger_accounts a join ledger_balances b on b.account_id = a.id
      where a.kind = ${kind} and a.owner_id = e.ad_id and a.book = p.book and a.currency = p.currency), 0)`;
  const rows = await tx
    .selectFrom('adEarnings as e')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.adId', '=', 'e.adId').on('p.status', '=', 'succeeded'),
    )
    .select(['e.adId', 'e.units', 'e.publisherCents', 'e.commissionCents', 'e.entries', 'e.entryUnits'])
    .select(['e.closedAt', 'e.settledUnits', 'e.until', 'p.book', 'p.currency'])
    .select(['p.amountCents as totalCents', 'p.commissionCents as paidCommissionCents'])
    .select(['e.takenPublisherCents', 'e.takenCommissionCents'])
    .select([
      deferred('deferred_publisher').as('leftPublisher'),
      deferred('deferred_commission').as('leftCommission'),
    ])
    .where('e.adId', '=', (eb) => eb.fn.any(eb.val(adIds)))
    .execute();
  return rows.map(({ closedAt, leftPublisher, leftCommission, ...rest }) => {
    const { takenPublisherCents, takenCommissionCents, totalCents, paidCommissionCents, ...row } = rest;
    return {
      ...row,
      isClosed: closedAt !== null,
      price: { totalCents, commissionCents: paidCommissionCents },
      left: { publisherCents: leftPublisher, commissionCents: leftCommission },
      taken: { publisherCents: takenPublisherCents, commissionCents: takenCommissionCents },
    };
  });
}

/** Adds earnings, or losses if they are negative, to the hours of an ad. The caller has locked the ad. */
export async function addEarnedHours(tx: Tx, adId: number, hours: readonly HourEarnings[]): Promise<void> {
  if (hours.length === 0) return;
  await tx
    .insertInto('earnedHours')
    .values(hours.map(({ hour, ...shares }) => ({ adId, hour: new Date(hour), ...shares })))
    .onConflict((conflict) =>
      conflict.columns(['adId', 'hour']).doUpdateSet({
        publisherCents: sql`earned_hours.publisher_cents + excluded.publisher_cents`,
        commissionCents: sql`earned_hours.commission_cents + excluded.commission_cents`,
      }),
    )
    .execute();
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
