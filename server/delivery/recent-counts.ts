/** Neighbouring slots a key may stand in. */
const NEIGHBOURS = 8;
/** What 16 bits hold. */
const MOST = 0xff_ff;

/**
 * How often each key was seen within a window of the clock (an hour: from one full hour to the next), in memory that
 * never grows: 10 bytes for each of `slots`. Where more keys come than there is room for, the least seen is forgotten,
 * so a flood of strangers can make a count too low, and nothing makes one too high.
 */
export function createRecentCounts(windowMs: number, slots: number) {
  const keys = new Float64Array(slots);
  const counts = new Uint16Array(slots);
  let window = NaN;

  /** The key's slot, else the one it may have. */
  function slotOf(key: number): number {
    let least = key % slots;
    for (let step = 0; step < NEIGHBOURS; step++) {
      const slot = (key + step) % slots;
      if (counts[slot] === 0 || keys[slot] === key) return slot;
      if ((counts[slot] as number) < (counts[least] as number)) least = slot;
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
      return keys[slot] === key ? (counts[slot] as number) : 0;
    },
    add(key: number, nowMs: number): void {
      turn(nowMs);
      const slot = slotOf(key);
      if (keys[slot] !== key) counts[slot] = 0;
      keys[slot] = key;
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
