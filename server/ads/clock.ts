/**
 * The clock of ads bought by the day. What they bought is time on the page: their end moves by the time their zone is
 * paused, and by each day in which the page asked for nothing. Quota ads need no clock, they wait.
 */
import { DAY_MS, SECOND_MS } from '#domain/time.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { notify } from '../notifications/notify.ts';
import { addPause, endDays, runningPerDay } from './clock-store.ts';

const BATCH = 200;

/** Pauses of a zone and ends of them that are told in a day: who flicks the switch fills nobody's mailbox. */
const TOLD_A_DAY = { points: 6, seconds: DAY_MS / SECOND_MS };

/** The zone is paused from now on; the caller holds it. Both sides of its per-day ads are told. */
export async function stopClocks(ctx: Context, tx: Tx, zoneId: number, now: Date): Promise<void> {
  const running = await runningPerDay(tx, zoneId, now);
  if (running.length === 0 || !(await mayTell(ctx, zoneId))) return;
  for (const adId of running) await notify(ctx, tx, { kind: 'ad-paused', adId });
}

/** The zone's pause ends; the caller holds the zone, and ends the pause in this transaction. Both sides are told. */
export async function resumeClocks(
  ctx: Context,
  tx: Tx,
  zoneId: number,
  pause: { from: Date; to: Date },
): Promise<void> {
  const moved = await addPause(tx, zoneId, pause);
  if (moved.length === 0 || !(await mayTell(ctx, zoneId))) return;
  for (const { id, endDate } of moved) {
    await notify(ctx, tx, { kind: 'ad-resumed', adId: id, endDate });
  }
}

async function mayTell(ctx: Context, zoneId: number): Promise<boolean> {
  try {
    await ctx.limits('pause-notices', TOLD_A_DAY)(String(zoneId));
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}

/**
 * Gives the days again that were silent and are over at `now`; how many. Told once for days in a row. To be called
 * before what is over is completed, with the same `now`: the last day may have been a silent one.
 */
export async function giveSilentDays(ctx: Context, now: Date): Promise<number> {
  let given = 0;
  for (;;) {
    const ended = await ctx.db.transaction().execute(async (tx) => {
      const days = await endDays(tx, now, BATCH);
      for (const { id, silentDays, endDate } of days) {
        if (silentDays === 1) await notify(ctx, tx, { kind: 'ad-silent', adId: id, endDate });
      }
      return days;
    });
    given += ended.filter(({ silentDays }) => silentDays > 0).length;
    if (ended.length === 0) return given;
  }
}
