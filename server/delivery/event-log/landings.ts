import { CONVERSION_WINDOW_MS } from '#domain/delivery/conversions.ts';
import { DAY_MS, HOUR_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { LandingClaims } from '../tokens/landing-tokens.ts';
import { deleteMeasuredClicks, landClick, settleClicks } from './store-landings.ts';
import { deleteUnreportedClicks } from './store.ts';

/** A click that is not counted within this time never will be, unless the event stream is far behind. */
const UNDECIDED_MS = HOUR_MS;
/** An older click can no longer convert. One more day covers an event log that is behind. */
const KEPT_MS = CONVERSION_WINDOW_MS + DAY_MS;
const CLICKS_PER_STATEMENT = 1000;

/** Records a landing right away. Returns false if it was recorded before. */
export async function recordLanding(ctx: Context, click: LandingClaims): Promise<boolean> {
  // The token has the time of the wall clock, and the figures have that of the marketplace's clock.
  const clickedAtMs = click.clickedAtMs + ctx.clockAheadMs();
  return await landClick(ctx.db, { ...click, clickedAtMs }, ctx.now());
}

/**
 * Part of a minutely job: adds measured clicks to the figures that waited for their proof (see count_events.sql), and
 * leaves out those that were never counted. Instances never process the same clicks at once.
 */
export async function settleMeasuredClicks(ctx: Context): Promise<void> {
  const undecidedUntil = later(ctx.now(), -UNDECIDED_MS);
  for (let after = new Date(0); ;) {
    const last = await settleClicks(ctx.db, { after, undecidedUntil, limit: CLICKS_PER_STATEMENT });
    if (last === null) return;
    after = last;
  }
}

/** Part of the job 'remove-expired'. */
export async function removeOldMeasuredClicks(ctx: Context): Promise<void> {
  await deleteMeasuredClicks(ctx.db, later(ctx.now(), -KEPT_MS));
}

/** Part of the job 'remove-expired'. An event log may deliver yesterday's events late, so the job keeps two days. */
export async function removeOldUnreportedClicks(ctx: Context): Promise<void> {
  await deleteUnreportedClicks(ctx.db, utcDay(later(ctx.now(), -2 * DAY_MS)));
}
