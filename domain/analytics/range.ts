import { DAY_MS } from '../time.ts';
import { MAX_BUCKETS, type Step } from './days.ts';

const numberOfDay = (day: string): number => Date.parse(day) / DAY_MS;

/** The number of days, weeks from Monday or calendar months from `from` to `to`, both included. */
export function bucketsIn(from: string, to: string, step: Step): number {
  if (step === 'day') return numberOfDay(to) - numberOfDay(from) + 1;
  if (step === 'week') return weekOf(to) - weekOf(from) + 1;
  return monthOf(to) - monthOf(from) + 1;
}

// 1 January 1970, day 0, was a Thursday. Adding 3 makes every Monday a multiple of 7.
const weekOf = (day: string): number => Math.floor((numberOfDay(day) + 3) / 7);
const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** The message why these days cannot be shown, or null if they can. */
export function rangeProblem(range: { from: string; to: string; step?: Step }): string | null {
  const { from, to, step } = range;
  if (from > to) return 'The first day must not be after the last day';
  if (step !== undefined && bucketsIn(from, to, step) > MAX_BUCKETS) {
    return `At most ${MAX_BUCKETS} ${step}s can be shown. Choose a shorter range or larger steps.`;
  }
  return null;
}
