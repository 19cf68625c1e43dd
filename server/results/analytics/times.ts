import type { AdTimes, getAdTimes } from '#domain/analytics/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { findOwnAd } from '#server/ads/read.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { findTimezone } from './store-range.ts';
import { countConversionsByDay, sumByHourOfDay } from './store-times.ts';

/** When an own ad was viewed and clicked, and when its visitors did what the advertiser wanted. */
export async function adTimes(
  ctx: Context,
  who: Caller,
  { params }: Pick<Parsed<typeof getAdTimes>, 'params'>,
): Promise<AdTimes> {
  const { id } = await findOwnAd(ctx.db, who, params.ref);
  const timezone = await findTimezone(ctx.db, who.id);
  return {
    timezone,
    hours: await sumByHourOfDay(ctx.db, id, timezone),
    conversions: await countConversionsByDay(ctx.db, id, timezone),
  };
}
