/** Slots a key may stand in: as many as one line of the processor's cache holds. */
const NEIGHBOURS = 8;
/** What 16 bits hold. */
const MOST = 0xff_ff;

/**
 * How often each key was seen within a window of the clock (an hour: from one full hour to the next), in memory that
 * never grows: 6 bytes for each of `slots`, a power of two. Where more keys come than there is room for, the least seen
 * is forgotten, so a flood of strangers can make a count too low, and nothing makes one too high.
 *
 * Every decision looks here, mostly at memory that nobody has touched for long. So a key's slots lie side by side, and of
 * the key only what its place does not say is kept.
 */
export function createRecentCounts(windowMs: number, slots: number) {
  const rests = new Uint32Array(slots);
  const counts = new Uint16Array(slots);
  // Bits instead of a remainder, which is ten times as dear for numbers beyond 32 bits.
  const places = (slots - 1) & -NEIGHBOURS;
  let window = NaN;

  /** The slot of a key, else the one it may have. The high bits are in the place, the low ones are the rest. */
  function slotOf(key: number): number {
    const home = (key ^ (key / 2 ** 32)) & places;
    const rest = key >>> 0;
    let least = home;
    for (let slot = home; slot < home + NEIGHBOURS; slot++) {
      const count = counts[slot] as number;
      if (count === 0 || rests[slot] === rest) return slot;
      if (count < (counts[least] as number)) least = slot;
    }
    return least;
  }

  function turn(nowMs: number): void {
    const current = Math.floor(nowMs / windowMs);
    if (current === window) return;
    window = current;
    counts.fill(0);
  }

  return {
    /** `key` is a whole number of at most 48 bits, spread evenly. */
    of(key: number, nowMs: number): number {
      turn(nowMs);
      const slot = slotOf(key);
      return rests[slot] === key >>> 0 ? (counts[slot] as number) : 0;
    },
    add(key: number, nowMs: number): void {
      turn(nowMs);
      const slot = slotOf(key);
      if (rests[slot] !== key >>> 0) counts[slot] = 0;
      rests[slot] = key >>> 0;
      counts[slot] = Math.min((counts[slot] as number) + 1, MOST);
    },
  };
}
export type RecentCounts = ReturnType<typeof createRecentCounts>;

/** A key of a visitor and an ad's id in one: the lower 32 bits are mixed by an odd factor, so that no two ads agree. */
export function withAd(visitor: number, adId: number): number {
  const high = Math.floor(visitor / 2 ** 32);
  const low = (visitor ^ Math.imul(adId, 0x9e_37_79_b1)) >>> 0;
  return high * 2 ** 32 + low;
}
