/** Spreads sample views over the hours of the day and the days of the week, as real readers would. */
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Moment } from './count-moments.ts';

export type Weekends = 'quiet' | 'busy';

/** The time between two moments, and the share of a day's views that each of its moments gets, from midnight UTC. */
const STEP_MS = 4 * HOUR_MS;
const DAY_SHARES = [0.06, 0.09, 0.19, 0.25, 0.26, 0.15];

const WEEK_SHARES: Record<Weekends, readonly number[]> = {
  // Sunday comes first, as in Date.getUTCDay().
  quiet: [0.45, 1.15, 1.3, 1.25, 1.2, 1.05, 0.6],
  busy: [1.5, 0.8, 0.8, 0.85, 0.9, 0.95, 1.2],
};

/**
 * Views and clicks between two instants, about `perDay` a day, varying from day to day. The same `seed` gives the same
 * result.
 */
export function momentsBetween(
  from: Date,
  until: Date,
  perDay: { views: number; clicks: number; weekends: Weekends; seed: number },
): Moment[] {
  const random = randomFrom(perDay.seed);
  const moments: Moment[] = [];
  let [viewsDue, clicksDue] = [0, 0];
  let dayFactor = 1;
  for (let ms = Math.ceil(from.getTime() / STEP_MS) * STEP_MS; ms < until.getTime(); ms += STEP_MS) {
    const at = new Date(ms);
    const step = (ms % DAY_MS) / STEP_MS;
    if (step === 0) dayFactor = 0.8 + 0.4 * random();
    const share = (DAY_SHARES[step] ?? 0) * (WEEK_SHARES[perDay.weekends][at.getUTCDay()] ?? 1) * dayFactor;
    viewsDue += perDay.views * share;
    // On most days there are so few clicks that their number looks random.
    clicksDue += perDay.clicks * share * (0.4 + 1.2 * random());
    const views = Math.floor(viewsDue);
    const clicks = Math.min(views, Math.floor(clicksDue));
    viewsDue -= views;
    clicksDue -= clicks;
    if (views > 0) moments.push({ at, views, clicks });
  }
  return moments;
}

/** Pseudorandom numbers from 0 to 1 that are the same for the same seed (a Lehmer generator, MINSTD). */
export function randomFrom(seed: number): () => number {
  let state = (seed * 7919 + 12_345) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
