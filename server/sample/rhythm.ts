/** When people read: less at night, and at weekends less or more than on working days. */
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Moment } from './count-moments.ts';

export type Weekends = 'quiet' | 'busy';

/** Hours between two moments, and the share of a day that each of its moments has, from midnight UTC on. */
const STEP_MS = 4 * HOUR_MS;
const DAY_SHARES = [0.06, 0.09, 0.19, 0.25, 0.26, 0.15];

const WEEK_SHARES: Record<Weekends, readonly number[]> = {
  // Sunday first, as Date counts.
  quiet: [0.45, 1.15, 1.3, 1.25, 1.2, 1.05, 0.6],
  busy: [1.5, 0.8, 0.8, 0.85, 0.9, 0.95, 1.2],
};

/**
 * What is seen and clicked between two instants, around so many a day. The same for the same `seed`, a little more and
 * less from day to day for any.
 */
export function momentsBetween(
  from: Date,
  until: Date,
  perDay: { views: number; clicks: number; weekends: Weekends; seed: number },
): Moment[] {
  const random = randomFrom(perDay.seed);
  const moments: Moment[] = [];
  let [viewsOwed, clicksOwed] = [0, 0];
  let mood = 1;
  for (let ms = Math.ceil(from.getTime() / STEP_MS) * STEP_MS; ms < until.getTime(); ms += STEP_MS) {
    const at = new Date(ms);
    const step = (ms % DAY_MS) / STEP_MS;
    if (step === 0) mood = 0.8 + 0.4 * random();
    const share = (DAY_SHARES[step] ?? 0) * (WEEK_SHARES[perDay.weekends][at.getUTCDay()] ?? 1) * mood;
    viewsOwed += perDay.views * share;
    // Clicks are few: on most days their number is a matter of chance.
    clicksOwed += perDay.clicks * share * (0.4 + 1.2 * random());
    const views = Math.floor(viewsOwed);
    const clicks = Math.min(views, Math.floor(clicksOwed));
    viewsOwed -= views;
    clicksOwed -= clicks;
    if (views > 0) moments.push({ at, views, clicks });
  }
  return moments;
}

/** Numbers from 0 to 1 that look random and are the same at every start (Lehmer, MINSTD). */
function randomFrom(seed: number): () => number {
  let state = (seed * 7919 + 12_345) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
