/**
 * The clock of per-day ads. Their advertisers bought time on the page, so an ad's end moves by every pause of its zone
 * or website and by every silent day. A day is silent if it has fewer counted views than it needs. Under the traffic rules of
 * development, it is silent if the page sent no valid ad request (docs/decisions/054-delivered-days.md). Quota ads have no
 * end date and need no clock. [DEL-44, DEL-45]
 */
import { DAY_MS, SECOND_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { allBatches } from '#server/platform/database/batches.ts';
import { followEndDates } from '../booking/follow-ends.ts';
import {
  extendByPause,
  endDays,
  type PausedAds,
  markTold,
  requireViews,
  runningPerDay,
} from './clock-store.ts';
import { listEndedDays } from './days-store.ts';

const BATCH = 200;
const MAX_DAYS_IN_MAIL = 7;

/** Limits how often people are notified when somebody pauses and resumes the same again and again. */
const PAUSE_NOTICES_PER_DAY = { points: 6, seconds: DAY_MS / SECOND_MS };

/**
 * Notifies both sides of per-day ads of the pause that begins at `now`: that of their zone, or of all zones because their
 * website is hidden. The caller writes the pause, and that stops the clocks (server/platform/database/functions/ads/ad_held_since.sql).
 */
export async function notifyOfPause(ctx: Context, tx: Tx, paused: PausedAds, now: Date): Promise<void> {
  const running = await runningPerDay(tx, paused, now);
  if (running.length === 0 || !(await mayNotify(ctx, paused))) return;
  for (const adId of running) await notify(ctx, tx, { kind: 'ad-paused', adId, suspended: null });
}

/** Extends per-day ads by the pause and notifies both sides. The caller locks what was paused and ends the pause before. */
export async function resumeClocks(
  ctx: Context,
  tx: Tx,
  paused: PausedAds,
  pause: { from: Date; to: Date },
): Promise<void> {
  const moved = await extendAndBook(tx, paused, pause);
  if (moved.length === 0 || !(await mayNotify(ctx, paused))) return;
  for (const { id, endDate } of moved) {
    await notify(ctx, tx, { kind: 'ad-resumed', adId: id, endDate, suspended: null });
  }
}

/** Notifies both sides of per-day ads of the suspension that begins at `now`. The caller writes the suspension. */
export async function notifyOfSuspension(ctx: Context, tx: Tx, paused: PausedAds, now: Date): Promise<void> {
  for (const adId of await runningPerDay(tx, paused, now))
    await notify(ctx, tx, { kind: 'ad-paused', adId, suspended: paused.of });
}

/**
 * Extends per-day ads by a suspension that has just ended, and notifies both sides of each. The caller locks what was
 * suspended and ends the suspension before.
 */
export async function resumeAfterSuspension(
  ctx: Context,
  tx: Tx,
  paused: PausedAds,
  suspension: { from: Date; to: Date },
): Promise<void> {
  for (const { id, endDate } of await extendAndBook(tx, paused, suspension)) {
    await notify(ctx, tx, { kind: 'ad-resumed', adId: id, endDate, suspended: paused.of });
  }
}

/** Extends per-day ads by a pause. Their booked days follow, as far as slots are free. */
async function extendAndBook(
  tx: Tx,
  paused: PausedAds,
  pause: { from: Date; to: Date },
): Promise<{ id: number; endDate: Date }[]> {
  const moved = await extendByPause(tx, paused, pause);
  await followEndDates(
    tx,
    moved.map(({ id }) => id),
    pause.to,
  );
  return moved;
}

/** Whether people may be notified once more today that this is paused or resumed. */
export async function mayNotify(ctx: Context, { of, id }: PausedAds): Promise<boolean> {
  try {
    await ctx.limits('pause-notices', PAUSE_NOTICES_PER_DAY)(`${of} ${id}`);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}

/**
 * Extends per-day ads by each silent day that is over at `now`, and returns the number of days added. Notifies both
 * sides once of several silent days in a row: of the second one without its views, or of the first one without an ad
 * request. Call it before completeDueAds and with the same `now`, because an ad's last day may have been silent.
 */
export async function extendForSilentDays(ctx: Context, now: Date): Promise<number> {
  if (ctx.config.trafficRules === 'production') await requireViews(ctx.db);
  const added = await endAllDays(ctx, now);
  await tellSilentDays(ctx, now);
  return added;
}

async function tellSilentDays(ctx: Context, now: Date): Promise<void> {
  await allBatches((limit) =>
    ctx.db.transaction().execute(async (tx) => {
      const ads = await markTold(tx, now, limit);
      for (const { id, silentDays } of ads)
        await notify(ctx, tx, { kind: 'days-silent', adId: id, days: await silentOf(tx, id, silentDays) });
      return ads.length;
    }),
  );
}

const silentOf = async (tx: Tx, adId: number, silentDays: number) =>
  (await listEndedDays(tx, adId, Math.min(silentDays, MAX_DAYS_IN_MAIL))).toReversed();

async function endAllDays(ctx: Context, now: Date): Promise<number> {
  let added = 0;
  for (;;) {
    const ended = await ctx.db.transaction().execute(async (tx) => {
      const days = await endDays(tx, now, BATCH);
      await followEndDates(
        tx,
        days.map(({ id }) => id),
        now,
      );
      for (const { id, silentDays, endDate, byViews } of days) {
        if (!byViews && silentDays === 1) await notify(ctx, tx, { kind: 'ad-silent', adId: id, endDate });
      }
      return days;
    });
    added += ended.filter(({ silentDays }) => silentDays > 0).length;
    if (ended.length === 0) return added;
  }
}
