import { randomBytes } from 'node:crypto';

/** How many neighboring slots a key may use: half of a cache line. */
const NEIGHBORS = 8;
/** The bits of a 32-bit slot that hold the count. */
const COUNT_BITS = 16;
const MAX_COUNT = 2 ** COUNT_BITS - 1;

/**
 * Counts how often each key was seen in the current window. Windows are aligned to the clock: one of an hour begins on
 * the hour. The memory is fixed at 4 bytes for each of `slots`, a power of two. When the table is full, a new key
 * replaces the least seen one, so that a flood of new keys can only make a count too low.
 *
 * A key is a 32-bit integer, spread evenly. A slot keeps the upper half of its key. From 2^19 slots on, that half and
 * the position identify the key exactly. In a smaller table that is full, a lookup confuses two keys once in 8,000
 * times.
 *
 * This memory is rarely in the processor's cache. The slots of a key are adjacent, so that one memory access reads them
 * all.
 */
export function createRecentCounts(windowMs: number, slots: number) {
  const table = new Uint32Array(slots);
  const homeMask = (slots - 1) & -NEIGHBORS;
  let window = NaN;
  let fetched = 0;

  const homeOf = (key: number): number => Math.imul(key, NEIGHBORS) & homeMask;

  /** The slot of a key, or the slot that it would take. */
  function slotOf(key: number): number {
    const home = homeOf(key);
    let least = home;
    for (let slot = home; slot < home + NEIGHBORS; slot++) {
      const kept = table[slot] as number;
      if (kept === 0 || isOf(kept, key)) return slot;
      if (countIn(kept) < countIn(table[least] as number)) least = slot;
    }
    return least;
  }

  function startWindow(nowMs: number): void {
    const current = Math.floor(nowMs / windowMs);
    if (current === window) return;
    window = current;
    table.fill(0);
  }

  function increase(key: number): number {
    const slot = slotOf(key);
    const kept = table[slot] as number;
    const count = isOf(kept, key) ? Math.min(countIn(kept) + 1, MAX_COUNT) : 1;
    table[slot] = ((key >>> COUNT_BITS) << COUNT_BITS) | count;
    return count;
  }

  return {
    of(key: number, nowMs: number): number {
      startWindow(nowMs);
      const kept = table[slotOf(key)] as number;
      return isOf(kept, key) ? countIn(kept) : 0;
    },
    add(key: number, nowMs: number): void {
      startWindow(nowMs);
      increase(key);
    },
    /** Adds many keys. Calls `onCount` with the new count of each. */
    addAll(keys: Int32Array, nowMs: number, onCount: (key: number, count: number) => void): void {
      startWindow(nowMs);
      // Read all slots before using the first, so that the waits for memory overlap. The result is stored, because the
      // compiler would otherwise remove the loop. XOR keeps it a 32-bit integer, which needs no allocation.
      let read = 0;
      for (let at = 0; at < keys.length; at++) read ^= table[homeOf(keys[at] as number)] as number;
      fetched ^= read;
      for (const key of keys) onCount(key, increase(key));
    },
  };
}
export type RecentCounts = ReturnType<typeof createRecentCounts>;

const isOf = (kept: number, key: number): boolean => kept >>> COUNT_BITS === key >>> COUNT_BITS;
const countIn = (kept: number): number => kept & MAX_COUNT;

/** A random number that is replaced with each window, so that the keys of one window say nothing about those of another. */
export function createSeed(windowMs: number): (nowMs: number) => number {
  let window = NaN;
  let seed = 0;
  return (nowMs) => {
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) seed = randomBytes(4).readInt32LE();
    window = current;
    return seed;
  };
}

/** Above this number of ids, new ones are not counted in this window. */
const MAX_IDS = 200_000;

/**
 * Counts how often each id was seen in the current window. Ids are those of ads and publishers in signed tokens, so a
 * client cannot invent them, and there is no upper limit for a count.
 */
export function createIdCounts(windowMs: number): Pick<RecentCounts, 'of' | 'add'> {
  const counts = new Map<number, number>();
  let window = NaN;

  function startWindow(nowMs: number): void {
    const current = Math.floor(nowMs / windowMs);
    if (current !== window) counts.clear();
    window = current;
  }

  return {
    of: (id, nowMs) => {
      startWindow(nowMs);
      return counts.get(id) ?? 0;
    },
    add: (id, nowMs) => {
      startWindow(nowMs);
      const count = counts.get(id);
      if (count !== undefined || counts.size < MAX_IDS) counts.set(id, (count ?? 0) + 1);
    },
  };
}

/**
 * Combines a visitor and an ad id into one key. The odd factor is invertible, so the ads of a visitor never collide.
 */
export function withAd(visitor: number, adId: number): number {
  return visitor ^ Math.imul(adId, 0x9e_37_79_b1);
}

/** The last step of MurmurHash3. It spreads 32 bits evenly, and each line is reversible, so no two numbers collide. */
export function spread(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return bits ^ (bits >>> 16);
}
