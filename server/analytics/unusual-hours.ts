import { standsOut } from '#domain/analytics/click-rate.ts';
import type { listUnusualHours } from '#domain/analytics/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { HOUR_MS, hourOf, later } from '#domain/time.ts';
import type { Context, Who } from '../context.ts';
import { ownRange } from './over-time.ts';
import { busyZones, hoursOfZones, type ZoneHour } from './store-unusual.ts';
import { viewUnusualHour } from './view.ts';

/** More than these are a pattern, not hours to look at one by one. */
const MAX_LISTED = 100;

/** For the publisher to look into: nothing is taken away by it (DEL-42). */
export async function unusualHours(
  ctx: Context,
  who: Who,
  { query }: Parsed<typeof listUnusualHours>,
): Promise<Reply<typeof listUnusualHours>> {
  const range = await ownRange(ctx, who, { ...query, side: 'seller' });
  const hours = await hoursOfZones(ctx.db, range);
  return hours.filter(isUnusual).slice(0, MAX_LISTED).map(viewUnusualHour);
}

/** Tells the operator, in the log, of the zones whose last whole hour was unusual. */
export async function reportUnusualHour(ctx: Context): Promise<void> {
  const lastWhole = later(new Date(hourOf(ctx.now().getTime())), -HOUR_MS);
  for (const hour of (await busyZones(ctx.db, lastWhole)).filter(isUnusual)) {
    ctx.log.warn(viewUnusualHour(hour), 'the click-through rate of a zone is far from usual');
  }
}

const isUnusual = (hour: ZoneHour): boolean => standsOut(hour, hour.before);
