import type { BreakdownRow, getBreakdown, getSeries } from '#domain/analytics/contract.ts';
import { daysBefore, dayStart } from '#domain/analytics/days.ts';
import { rangeProblem } from '#domain/analytics/range.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { inSnapshot, type Tx } from '#server/platform/database/database.ts';
import { decodeKeys, encodeKeys, pageBy } from '#server/platform/http/cursor.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { unpostedHours } from '#server/money/ledger/accrue.ts';
import {
  type BreakdownPosition,
  findTimezone,
  listDueAds,
  namesUnowned,
  type Range,
  sumByGroup,
  sumByStep,
  type Sums,
  type Unposted,
} from './store-range.ts';
import { breakdownRowReply, figuresReply } from './reply.ts';

const DEFAULT_LIMIT = 100;

/**
 * Every day, week or month of the range in the user's timezone, including empty ones, their sums, and those of the same
 * number of days before. [FIG-03]
 */
export async function series(
  ctx: Context,
  who: Caller,
  { query }: Pick<Parsed<typeof getSeries>, 'query'>,
): Promise<Reply<typeof getSeries>> {
  return await inSnapshot(ctx.db, async (tx) => {
    const range = await ownRange(ctx, who, query, tx);
    const unposted = await unpostedOf(ctx, tx, range);
    const rows = await sumByStep(tx, range, query.step, unposted);
    const before = await sumByStep(tx, { ...range, ...daysBefore(range) }, 'month', unposted);
    return {
      timezone: range.timezone,
      dayStart: dayStart(range.timezone, range),
      totals: figuresReply(addUp(rows)),
      previous: figuresReply(addUp(before)),
      buckets: rows.map(({ start, ...sums }) => ({ start, ...figuresReply(sums) })),
    };
  });
}

/** Campaigns, zones or websites that have figures in the range, most impressions first. */
export async function breakdown(
  ctx: Context,
  who: Caller,
  { query }: Pick<Parsed<typeof getBreakdown>, 'query'>,
): Promise<Page<BreakdownRow>> {
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const limit = query.limit ?? DEFAULT_LIMIT;
  return await inSnapshot(ctx.db, async (tx) => {
    const range = await ownRange(ctx, who, query, tx);
    const unposted = await unpostedOf(ctx, tx, range);
    const rows = await sumByGroup(tx, range, query.by, { after, limit: limit + 1, unposted });
    const { items, next } = pageBy(rows, limit, ({ impressions, amount, id }) =>
      encodeKeys([Number(impressions), Number(amount), id]),
    );
    return { items: items.map(breakdownRowReply), next };
  });
}

/** The timezone of the user's days. */
export async function timezoneOf(ctx: Context, who: Caller): Promise<string> {
  return await findTimezone(ctx.db, who.id);
}

/** Earnings of the range's ads that are not posted yet. */
export async function unpostedOf(ctx: Context, tx: Tx, range: Range): Promise<Unposted> {
  return await unpostedHours(tx, await listDueAds(tx, range), ctx.now());
}

function addUp(rows: readonly Sums[]): Sums {
  const sum = (of: (row: Sums) => string) => String(rows.reduce((total, row) => total + Number(of(row)), 0));
  return {
    impressions: sum(({ impressions }) => impressions),
    clicks: sum(({ clicks }) => clicks),
    amount: sum(({ amount }) => amount),
    paid: sum(({ paid }) => paid),
  };
}

/** Throws 404 if a filter names something that the user does not own on this side. The role does not matter. */
export async function ownRange(
  ctx: Context,
  who: Caller,
  query: Omit<Parsed<typeof getSeries>['query'], 'step'> & {
    step?: Parsed<typeof getSeries>['query']['step'];
  },
  tx: Tx = ctx.db,
): Promise<Range> {
  const problem = rangeProblem(query);
  if (problem !== null) throw invalid(problem, 'to');
  const { side, from, to, campaign, zone, website } = query;
  const filters = { campaign, zone, website };
  if (await namesUnowned(tx, side, who.id, filters)) throw notFound();
  const timezone = await findTimezone(tx, who.id);
  return { side, userId: who.id, from, to, timezone, book: ctx.payments.book, ...filters };
}

function readCursor(cursor: string): BreakdownPosition {
  const [impressions, amount, id] = decodeKeys(cursor, ['bigint', 'bigint', 'id']);
  return { impressions, amount, id };
}
