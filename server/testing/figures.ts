/** Fixtures for figures over time: views, clicks and payments at given times, and calls that return the figures. */
import { sql } from 'kysely';
import type { Ad } from '#domain/ads/contract.ts';
import type { BreakdownRow, Figures, getSeries } from '#domain/analytics/contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { measureZones, SETTLED_MS } from '#server/delivery/forecast/measure-zones.ts';
import { refundByOperator } from '#server/money/refunds/by-operator.ts';
import { countMoments } from '#server/app/sample/count-moments.ts';
import type { Client } from './client.ts';
import type { TestServer } from './server.ts';

/** Counts views and clicks of an ad at one time (ISO 8601). */
export async function countAt(ctx: Context, ad: Ad, at: string, views: number, clicks = 0): Promise<void> {
  await countMoments(ctx.db, ad, [{ at: new Date(at), views, clicks }]);
}

/**
 * Measures all zones anew, also those that were measured today, up to the end of yesterday (UTC). The product waits
 * SETTLED_MS before it measures a day, and without these minutes a test would fail shortly after midnight.
 */
export async function measureAgain(ctx: Context): Promise<void> {
  await ctx.db.updateTable('zoneMeasurements').set({ measuredOn: '2000-01-01' }).execute();
  await measureZones({ ...ctx, now: () => later(ctx.now(), SETTLED_MS) });
}

/** Sets the time of an ad's payment (ISO 8601), which the database keeps fixed otherwise. */
export async function payAt({ owner }: TestServer, ad: Ad, at: string): Promise<void> {
  await owner.transaction().execute(async (tx) => {
    await sql`alter table payments disable trigger user`.execute(tx);
    await sql`update payments set paid_at = ${new Date(at)} where ad_id = ${ad.id}`.execute(tx);
    await sql`alter table payments enable trigger user`.execute(tx);
  });
}

/** Records a refund without an entry in the ledger. */
export async function returnPoint(
  ctx: Context,
  ad: Ad,
  refund: { cents: number; commission: number; status: 'owed' | 'sent' | 'done' },
): Promise<void> {
  const { cents, commission, status } = refund;
  await sql`insert into refunds (payment_id, amount_cents, publisher_cents, commission_cents, cause, status, look_at)
    select id, ${cents}, ${cents - commission}, ${commission}, 'operator', ${status}, now()
      from payments where ad_id = ${ad.id}`.execute(ctx.db);
}

export const chooseTimezone = (client: Client, timezone: string) =>
  client.patch('/api/user/settings', { timezone });

export type Query = Record<string, string | number>;

export function addressOf(call: 'series' | 'breakdown' | 'counting', query: Query): string {
  const parameters = Object.entries(query).map(([key, value]) => [key, String(value)]);
  return `/api/analytics/${call}?${new URLSearchParams(parameters).toString()}`;
}

export type Series = Reply<typeof getSeries>;

/** The series of figures, per day unless the query names another step. */
export async function seriesOf(client: Client, query: Query): Promise<Series> {
  return await read(client, addressOf('series', { step: 'day', ...query }));
}

export async function breakdownOf(client: Client, query: Query): Promise<BreakdownRow[]> {
  return await read(client, addressOf('breakdown', query));
}

async function read<T>(client: Client, address: string): Promise<T> {
  const answer = await client.get(address);
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}: ${answer.text}`);
  return answer.body as T;
}

/** The sums of the rows' impressions, clicks, amounts and payments. */
export function sumOf(rows: readonly Pick<Figures, 'impressions' | 'clicks' | 'amount' | 'paid'>[]) {
  return {
    impressions: rows.reduce((sum, row) => sum + row.impressions, 0),
    clicks: rows.reduce((sum, row) => sum + row.clicks, 0),
    amount: sumOfMoney(rows.map(({ amount }) => amount)),
    paid: sumOfMoney(rows.map(({ paid }) => paid)),
  };
}

export const sumOfMoney = (amounts: readonly string[]): string =>
  decimalOf(amounts.reduce((sum, amount) => sum + centsOf(amount), 0));

/** The refund of a part of an ad's price by the operator. The ad runs on. */
export async function refundPart({ ctx }: TestServer, ad: Ad, amountCents: number): Promise<void> {
  const refund = { adId: ad.id, amountCents, reason: 'Goodwill' };
  await ctx.db.transaction().execute((tx) => refundByOperator(ctx, tx, refund));
}
