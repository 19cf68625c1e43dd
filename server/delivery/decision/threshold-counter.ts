import { createRecentCounts } from '../traffic/recent-counts.ts';

/** What is noted waits until there is as much as this, or for as long. */
const MAX_WAITING = 256;
const WAITS_MS = 1000;

/**
 * Which keys (32 bits, spread evenly) were noted `threshold` times in a window of the clock, in memory of a fixed size: see
 * createRecentCounts. What was noted is known within a second.
 *
 * Every decision asks, and the table is larger than what a processor keeps at hand: to look there is to wait for the
 * memory. So what is noted is counted in batches, where the looks overlap; and only keys of a place where any key was
 * found often are looked up, which few are.
 */
export function createThresholdCounter(threshold: number, windowMs: number, slots: number) {
  const counts = createRecentCounts(windowMs, slots);
  /** A bit for each place that a key may have; set where one was found often. 16 KiB for 2^19. */
  const places = new Uint32Array(slots / 128);
  const waiting = new Int32Array(MAX_WAITING);
  let length = 0;
  let sinceMs = 0;
  let window = NaN;

  function countWaiting(nowMs: number): void {
    if (length === 0 || (length < MAX_WAITING && Math.abs(nowMs - sinceMs) < WAITS_MS)) return;
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) places.fill(0);
    window = current;
    counts.addAll(waiting.subarray(0, length), nowMs, (key, count) => {
      if (count >= threshold) places[placeOf(key)]! |= bitOf(key);
    });
    length = 0;
  }

  const placeOf = (key: number): number => (key >>> 5) & (places.length - 1);

  return {
    isReached(key: number, nowMs: number): boolean {
      countWaiting(nowMs);
      return (places[placeOf(key)]! & bitOf(key)) !== 0 && counts.of(key, nowMs) >= threshold;
    },
    note(key: number, nowMs: number): void {
      countWaiting(nowMs);
      if (length === 0) sinceMs = nowMs;
      waiting[length] = key;
      length += 1;
    },
  };
}

const bitOf = (key: number): number => 1 << (key & 31);
