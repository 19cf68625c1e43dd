/** A day in parts of four hours, because a table of 24 rows is hard to read. */
import type { AdTimes } from './contract.ts';

const HOURS = 4;

export type DayPart = { name: string; impressions: number; clicks: number };

/** The views and clicks of each part of the day, from '00:00 – 04:00' on; none if there is nothing to show. */
export function dayParts(hours: AdTimes['hours']): DayPart[] {
  if (hours.length === 0) return [];
  return Array.from({ length: 24 / HOURS }, (_, part) => {
    const from = part * HOURS;
    const within = hours.filter(({ hour }) => hour >= from && hour < from + HOURS);
    return {
      name: `${clock(from)} – ${clock(from + HOURS)}`,
      impressions: within.reduce((sum, { impressions }) => sum + impressions, 0),
      clicks: within.reduce((sum, { clicks }) => sum + clicks, 0),
    };
  });
}

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
