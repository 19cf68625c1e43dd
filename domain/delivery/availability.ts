import { type Candidate, needPerDay, PACING_DAYS, weigh } from './choose.ts';

/** What a zone has for one more ad, by the very rule that will choose it. */
export type Availability = {
  /** Views that would be the ad's, per day. */
  yoursPerDay: number;
  /** Days until a quota would be delivered; null for an ad bought by the day. */
  days: number | null;
};

/** `forecast` are the views that the zone is expected to have per day, `others` its live ads. */
export function availabilityOf(
  own: Candidate,
  others: readonly Candidate[],
  forecast: number,
  nowMs: number,
): Availability {
  const weights = weigh([...others, own], forecast, nowMs);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const yoursPerDay = (forecast * (weights.at(-1) as number)) / total;
  const need = needPerDay(own, nowMs);
  return { yoursPerDay, days: need === null ? null : Math.ceil((PACING_DAYS * need) / yoursPerDay) };
}

/** Whether so many days are more than a quota is meant to take: the zone is sold beyond its traffic. */
export function isOverbooked(days: number): boolean {
  return days > PACING_DAYS * 1.1;
}
