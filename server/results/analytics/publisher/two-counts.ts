import { dayStart } from '#domain/analytics/days.ts';
import type { getTwoCounts } from '#domain/analytics/two-counts-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { ownRange } from '../over-time.ts';
import { selectTwoCounts } from './store-two-counts.ts';

export async function twoCounts(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getTwoCounts>,
): Promise<Reply<typeof getTwoCounts>> {
  const range = await ownRange(ctx, who, { ...query, side: 'seller', step: 'day' });
  const { timezone } = range;
  const counts = await selectTwoCounts(ctx.db, range, query.website);
  return { timezone, dayStart: dayStart(timezone, range), ...counts };
}
