/** Slots a key may stand in: half of one line of the processor's cache. */
const NEIGHBOURS = 8;
/** What is left of a slot's 32 bits for the count. */
const COUNT_BITS = 16;
const MOST = 2 ** COUNT_BITS - 1;

/**
 * How often each key was seen within a window of the clock (an hour: from one full hour to the next), in memory that
 * never grows: 4 bytes for each of `slots`, a power of two. Where more keys come than there is room for, the least seen
 * is forgotten, so a flood of strangers can make a count too low.
 *
 * A key is an integer of 32 bits, spread evenly. Beside its count its upper half is kept, which with its place is all of it
 * from 2^19 slots on. In a smaller table that is full, a key is taken for a neighbour's once in 8,000 looks.
 *
 * Mostly nobody has touched that memory for long, so a key's slots lie side by side: one look finds it.
 */
export function createRecentCounts(windowMs: number, slots: number) {
  const table = new Uint32Array(slots);
  const places = (slots - 1) & -NEIGHBOURS;
  let window = NaN;
  let fetched = 0;

  const homeOf = (key: number): number => Math.imul(key, NEIGHBOURS) & places;

  /** The slot of a key, else the one it may have. */
  function slotOf(key: number): number {
    const home = homeOf(key);
    let least = home;
    for (let slot = home; slot < home + NEIGHBOURS; slot++) {
      const kept = table[slot] as number;
      if (kept === 0 || isOf(kept, key)) return slot;
      if (countIn(kept) < countIn(table[least] as number)) least = slot;
    }
    return least;
  }

  function turn(nowMs: number): void {
    const current = Math.floor(nowMs / windowMs);
    if (current === window) return;
    window = current;
    table.fill(0);
  }

  function increase(key: number): number {
    const slot = slotOf(key);
    const kept = table[slot] as number;
    const count = isOf(kept, key) ? Math.min(countIn(kept) + 1, MOST) : 1;
    table[slot] = ((key >>> COUNT_BITS) << COUNT_BITS) | count;
    return count;
  }

  return {
    of(key: number, nowMs: number): number {
      turn(nowMs);
      const kept = table[slotOf(key)] as number;
      return isOf(kept, key) ? countIn(kept) : 0;
    },
    add(key: number, nowMs: number): void {
      turn(nowMs);
      increase(key);
    },
    /** The same for many at once; `onCount` is told how often each was seen by then. */
    addAll(keys: Int32Array, nowMs: number, onCount: (key: number, count: number) => void): void {
      turn(nowMs);
      // All places are fetched before the first is looked at: so the waits for memory overlap. What was read is kept, or
      // the compiler would leave this out; whole numbers of 32 bits, or each step would make a new number in memory.
      let read = 0;
      for (let at = 0; at < keys.length; at++) read ^= table[homeOf(keys[at] as number)] as number;
      fetched ^= read;
      for (const key of keys) onCount(key, increase(key));
    },
  };
}
export type RecentCounts = ReturnType<typeof createRecentCounts>;

const isOf = (kept: number, key: number): boolean => kept >>> COUNT_BITS === key >>> COUNT_BITS;
const countIn = (kept: number): number => kept & MOST;

/** A key of a visitor and an ad's id in one: an odd factor spreads the ids, so that no two ads of a visitor agree. */
export function withAd(visitor: number, adId: number): number {
  return visitor ^ Math.imul(adId, 0x9e_37_79_b1);
}
