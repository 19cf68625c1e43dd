import type { BreakdownRow, getBreakdown, getSeries } from '#domain/analytics/contract.ts';
import { rangeProblem } from '#domain/analytics/range.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '../context.ts';
import { decodeKeys, encodeKeys, pageBy } from '../http/cursor.ts';
import { invalid, notFound } from '../http/errors.ts';
import type { Page } from '../http/route.ts';
import {
  type BreakdownPosition,
  findTimezone,
  namesUnowned,
  type Range,
  sumByGroup,
  sumByStep,
} from './store-range.ts';
import { viewBreakdownRow, viewSums } from './view.ts';

const DEFAULT_LIMIT = 100;

/** Every day, week or month of the range in the user's timezone, including empty ones. [STAT-01, STAT-02] */
export async function series(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getSeries>,
): Promise<Reply<typeof getSeries>> {
  const range = await ownRange(ctx, who, query);
  const rows = await sumByStep(ctx.db, range, query.step);
  return {
    timezone: range.timezone,
    buckets: rows.map((row) => ({ start: row.start, ...viewSums(row) })),
  };
}

/** Campaigns, zones or websites that have figures in the range, most impressions first. [STAT-04] */
export async function breakdown(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getBreakdown>,
): Promise<Page<BreakdownRow>> {
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const range = await ownRange(ctx, who, query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await sumByGroup(ctx.db, range, query.by, { after, limit: limit + 1 });
  const { items, next } = pageBy(rows, limit, ({ impressions, amount, id }) =>
    encodeKeys([Number(impressions), Number(amount), id]),
  );
  return { items: items.map(viewBreakdownRow), next };
}

/** Throws 404 if a filter names something that the user does not own on this side. The role does not matter. [STAT-03] */
export async function ownRange(
  ctx: Context,
  who: Caller,
  query: Omit<Parsed<typeof getSeries>['query'], 'step'> & {
    step?: Parsed<typeof getSeries>['query']['step'];
  },
): Promise<Range> {
  const problem = rangeProblem(query);
  if (problem !== null) throw invalid(problem, 'to');
  const { side, from, to, campaign, zone, website } = query;
  const filters = { campaign, zone, website };
  if (await namesUnowned(ctx.db, side, who.id, filters)) throw notFound();
  return { side, userId: who.id, from, to, timezone: await findTimezone(ctx.db, who.id), ...filters };
}

function readCursor(cursor: string): BreakdownPosition {
  const [impressions, amount, id] = decodeKeys(cursor, ['bigint', 'bigint', 'id']);
  return { impressions, amount, id };
}
