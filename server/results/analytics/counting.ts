import type { getCounting } from '#domain/analytics/contract.ts';
import { dayStart } from '#domain/analytics/days.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { ownRange } from './over-time.ts';
import { sumByReason } from './store-counting.ts';
import { viewCounting } from './view.ts';

/** Counted and uncounted views and clicks, by reason. Both sides of an ad get the same numbers. [DEL-39] */
export async function counting(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getCounting>,
): Promise<Reply<typeof getCounting>> {
  const range = await ownRange(ctx, who, query);
  const rows = Map.groupBy(await sumByReason(ctx.db, range, query.step), ({ start }) => start);
  return {
    timezone: range.timezone,
    dayStart: dayStart(range.timezone, range),
    buckets: [...rows].map(([start, each]) => viewCounting(start, each)),
  };
}
