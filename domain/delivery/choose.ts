/**
 * Which live ad a zone shows. Every ad is paid in advance, so the goal is to meet all obligations fairly, not to
 * earn most: per-day ads share the zone equally and never get less than one N-th of it, quota ads get what they
 * need to be delivered within PACING_DAYS.
 */
import type { PricingModel } from '../inventory/pricing.ts';
import { DAY_MS } from '../time.ts';

/** A quota ad has no end date; it is paced to be delivered within this time from its start. */
export const PACING_DAYS = 30;
/** Pacing never plans for less than this, or the need of a late ad would be infinite. */
const LEAST_HORIZON_DAYS = 1 / 24;

export type Candidate = {
  pricingModel: PricingModel;
  /** What was bought: impressions or clicks, as the model says; null for per-day ads. */
  goal: number | null;
  views: number;
  clicks: number;
  startMs: number;
};

/**
 * The share of each candidate, in impressions per day. `forecastPerDay` is how many impressions the zone is
 * expected to have. Only the proportions matter to the choice.
 */
export function weigh(candidates: readonly Candidate[], forecastPerDay: number, nowMs: number): number[] {
  const needs = candidates.map((candidate) => needPerDay(candidate, nowMs));
  const perDay = needs.filter((need) => need === null).length;
  const needed = needs.reduce<number>((sum, need) => sum + (need ?? 0), 0);
  const free = forecastPerDay * (1 - perDay / candidates.length);
  // Without per-day ads the whole zone is free, and only the proportions of the needs matter.
  const scale = perDay > 0 && needed > free ? free / needed : 1;
  const share = perDay > 0 ? (forecastPerDay - needed * scale) / perDay : 0;
  return needs.map((need) => (need === null ? share : need * scale));
}

/** Impressions per day that an ad needs to be delivered in time; null where it shares what is there. */
export function needPerDay(candidate: Candidate, nowMs: number): number | null {
  if (candidate.goal === null) return null;
  const horizon = (candidate.startMs + PACING_DAYS * DAY_MS - nowMs) / DAY_MS;
  const days = Math.max(LEAST_HORIZON_DAYS, horizon);
  if (candidate.pricingModel === 'per_impression')
    return Math.max(0, candidate.goal - candidate.views) / days;
  return Math.max(0, candidate.goal - candidate.clicks) / smoothedCtr(candidate) / days;
}

// Starts at 0.2 % and believes the ad's own figures more with every view.
function smoothedCtr({ views, clicks }: Candidate): number {
  return (clicks + 1) / (views + 500);
}

/** For `pick`: each weight and all before it. Worked out once, because drawing is what every decision does. */
export function sumsOf(weights: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => (sum += weight));
}

/** The index that `random` (0 ≤ random < 1) falls on; null when nothing has any weight. */
export function pick(sums: Float64Array, random: number): number | null {
  const place = random * (sums[sums.length - 1] ?? 0);
  for (let index = 0; index < sums.length; index++) if (place < sums[index]!) return index;
  return null;
}
