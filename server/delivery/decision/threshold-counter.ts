import { createRecentCounts } from '../traffic/recent-counts.ts';

/** Noted keys are counted in batches: at this many, or after this time. */
const MAX_BATCH = 256;
const BATCH_MS = 1000;

/**
 * Tells which keys (32 bits, spread evenly) were noted `threshold` times in the current window, in memory of a fixed
 * size (see createRecentCounts). Windows are aligned to the clock. A noted key takes effect within a second.
 *
 * Every decision calls this, and the table is larger than the processor's cache, so each lookup waits for main memory.
 * Counting in batches lets these waits overlap. A filter avoids most lookups: it has one bit for each group of keys,
 * which is set once any key of the group reaches the threshold. Few groups have such a key.
 */
export function createThresholdCounter(threshold: number, windowMs: number, slots: number) {
  const counts = createRecentCounts(windowMs, slots);
  /** 16 KiB for 2^19 slots. */
  const filter = new Uint32Array(slots / 128);
  const waiting = new Int32Array(MAX_BATCH);
  let length = 0;
  let sinceMs = 0;
  let window = NaN;

  function countWaiting(nowMs: number): void {
    if (length === 0 || (length < MAX_BATCH && Math.abs(nowMs - sinceMs) < BATCH_MS)) return;
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) filter.fill(0);
    window = current;
    counts.addAll(waiting.subarray(0, length), nowMs, (key, count) => {
      if (count >= threshold) filter[wordOf(key)]! |= bitOf(key);
    });
    length = 0;
  }

  const wordOf = (key: number): number => (key >>> 5) & (filter.length - 1);

  return {
    isReached(key: number, nowMs: number): boolean {
      countWaiting(nowMs);
      return (filter[wordOf(key)]! & bitOf(key)) !== 0 && counts.of(key, nowMs) >= threshold;
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
