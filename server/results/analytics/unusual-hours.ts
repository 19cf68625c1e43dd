import { isUnusual } from '#domain/analytics/click-rate.ts';
import type { listUnusualHours } from '#domain/analytics/contract.ts';
import { hoursKeptSince } from '#domain/delivery/kept-hours.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { HOUR_MS, hourOf, later } from '#domain/time.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { ownRange } from './over-time.ts';
import { busyZones, hoursOfZones, type ZoneHour } from './store-unusual.ts';
import { unusualHourReply } from './reply.ts';

/** A publisher reviews hours one by one, which makes no sense for more than this many. */
const MAX_LISTED = 100;

/** Lists unusual hours of the last 60 days for the publisher to review. The list changes no billing. [DEL-42] */
export async function unusualHours(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listUnusualHours>,
): Promise<Reply<typeof listUnusualHours>> {
  const range = await ownRange(ctx, who, { ...query, side: 'seller' });
  const hours = await hoursOfZones(ctx.db, range, hoursKeptSince(ctx.now()));
  return hours.filter(isHourUnusual).slice(0, MAX_LISTED).map(unusualHourReply);
}

/** Logs a warning for each zone whose last full hour was unusual, for the operator. */
export async function reportUnusualHour(ctx: Context): Promise<void> {
  const lastFullHour = later(new Date(hourOf(ctx.now().getTime())), -HOUR_MS);
  for (const hour of (await busyZones(ctx.db, lastFullHour)).filter(isHourUnusual)) {
    ctx.log.warn(unusualHourReply(hour), 'the click-through rate of a zone is far from usual');
  }
}

const isHourUnusual = (hour: ZoneHour): boolean => isUnusual(hour, hour.before);
