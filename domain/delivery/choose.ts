/**
 * Chooses which live ad a zone shows. Every ad is paid in advance, so the aim is to deliver all of them fairly, not to
 * earn the most. Per-day ads share the zone equally, and none gets less than 1/N of it. Quota ads get what they need to
 * be delivered within PACING_DAYS. [DEL-18]
 */
import type { PricingModel } from '../inventory/pricing.ts';
import { DAY_MS } from '../time.ts';

/** A quota ad has no end date. Pacing aims to deliver it within this time from its start. */
export const PACING_DAYS = 30;
/** Pacing never plans for less than this, because the need of a late ad would otherwise be infinite. */
const MIN_HORIZON_DAYS = 1 / 24;

export type Candidate = {
  pricingModel: PricingModel;
  /** The number of impressions or clicks that were bought; null for per-day ads. */
  goal: number | null;
  views: number;
  clicks: number;
  startMs: number;
};

/**
 * The share of each candidate, in impressions per day. `forecastPerDay` is the number of impressions that the zone is
 * expected to have. The choice uses only the proportions.
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

/** Impressions per day that a quota ad needs to be delivered in time; null for a per-day ad. */
export function needPerDay(candidate: Candidate, nowMs: number): number | null {
  if (candidate.goal === null) return null;
  const horizon = (candidate.startMs + PACING_DAYS * DAY_MS - nowMs) / DAY_MS;
  const days = Math.max(MIN_HORIZON_DAYS, horizon);
  if (candidate.pricingModel === 'per_impression')
    return Math.max(0, candidate.goal - candidate.views) / days;
  return Math.max(0, candidate.goal - candidate.clicks) / smoothedCtr(candidate) / days;
}

// Starts at 0.2%, and gives the ad's own figures more weight with every view.
function smoothedCtr({ views, clicks }: Candidate): number {
  return (clicks + 1) / (views + 500);
}

/** The running sums of the weights, for `pick`. They are computed once, because every decision draws from them. */
export function sumsOf(weights: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(weights, (weight) => (sum += weight));
}

/** The index that `random` (0 ≤ random < 1) falls on; null if all weights are zero. */
export function pick(sums: Float64Array, random: number): number | null {
  const point = random * (sums[sums.length - 1] ?? 0);
  for (let index = 0; index < sums.length; index++) if (point < sums[index]!) return index;
  return null;
}
