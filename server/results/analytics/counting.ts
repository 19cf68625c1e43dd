import type { getCounting, listWithdrawals, Withdrawal } from '#domain/analytics/contract.ts';
import { dayStart } from '#domain/analytics/days.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { ownRange } from './over-time.ts';
import { sumByReason } from './store-counting.ts';
import { countingReply, withdrawalReply } from './reply.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { listOwn } from './store-withdrawals.ts';

/** Counted and uncounted views and clicks, by reason. Both sides of an ad get the same numbers. [DEL-39] */
export async function counting(
  ctx: Context,
  who: Caller,
  { query }: Pick<Parsed<typeof getCounting>, 'query'>,
): Promise<Reply<typeof getCounting>> {
  const range = await ownRange(ctx, who, query);
  const rows = Map.groupBy(await sumByReason(ctx.db, range, query.step), ({ start }) => start);
  return {
    timezone: range.timezone,
    dayStart: dayStart(range.timezone, range),
    buckets: [...rows].map(([start, each]) => countingReply(start, each)),
  };
}

const DEFAULT_LIMIT = 50;

/** The hours that were withdrawn from the user's ads or zones, and why, newest first. [SIVT-03] */
export async function withdrawals(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listWithdrawals>,
): Promise<Page<Withdrawal>> {
  const before = decodeCursor(query.cursor);
  const range = await ownRange(ctx, who, query);
  const limit = query.limit ?? DEFAULT_LIMIT;
  const { items, next } = pageOf(await listOwn(ctx.db, range, { before, limit: limit + 1 }), limit);
  return { items: items.map(withdrawalReply), next };
}
