const SECONDS = 60;
export const RESERVATION_MS = SECONDS * 1000;

/** How many servers offer the same ads. */
export type Fleet = { servers: number };

/** One server that has heard of no other. */
const ALONE: Fleet = { servers: 1 };

/**
 * Views promised and not yet seen, of one quota ad: decisions of the last minute whose view has not come in. An ad
 * is offered only while counted + promised stays below its goal, so that few views beyond what was bought are ever
 * shown. What is billed is limited by the counting alone.
 *
 * Of N servers none knows what the others promise, so each keeps its own below a 2N-th of what remains. An N-th
 * would do if all knew the counters of this instant; what they know is up to a second old, and in that second no more
 * has been seen than half of it, since no view comes within a second of its decision (the MRC's rule). Only the first
 * promise is always free, or the last views would never be shown: so N - 1 may be shown beyond the goal.
 */
export class Reservations {
  readonly #fleet: Fleet;
  #perSecond: Uint32Array | null = null;
  #total = 0;
  #second = 0;

  constructor(fleet: Fleet = ALONE) {
    this.#fleet = fleet;
  }

  /**
   * Whether one more may be promised of the views that remain by the counters. `uncounted` are those that this server
   * has acknowledged since: they are known to nobody else yet, just as its promises are.
   */
  hasRoom(remaining: number, uncounted: number, nowMs: number): boolean {
    const own = this.outstanding(nowMs) + uncounted;
    const { servers } = this.#fleet;
    return servers === 1 ? own < remaining : own === 0 || own * 2 * servers < remaining;
  }

  /** Whether it may soon have no room: worth a look at the counters while any promise is open. */
  isNearEnd(remaining: number, uncounted: number, nowMs: number): boolean {
    const own = this.outstanding(nowMs) + uncounted;
    return own > 0 && own * 4 * this.#fleet.servers >= remaining;
  }

  outstanding(nowMs: number): number {
    this.#lapse(Math.floor(nowMs / 1000));
    return this.#total;
  }

  reserve(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    this.#lapse(second);
    this.#perSecond ??= new Uint32Array(SECONDS);
    this.#perSecond[second % SECONDS]! += 1;
    this.#total += 1;
  }

  /** A decision issued at that moment has been answered for. */
  release(issuedAtMs: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const issued = Math.floor(issuedAtMs / 1000);
    this.#lapse(second);
    if (!this.#perSecond || second - issued >= SECONDS || issued > second) return;
    if (this.#perSecond[issued % SECONDS] === 0) return;
    this.#perSecond[issued % SECONDS]! -= 1;
    this.#total -= 1;
  }

  #lapse(second: number): void {
    if (second === this.#second) return;
    // A clock set back, or a long rest: nothing of what was promised is still waited for.
    if (second < this.#second || second - this.#second >= SECONDS) {
      this.#perSecond?.fill(0);
      this.#total = 0;
    } else if (this.#perSecond) {
      for (let each = this.#second + 1; each <= second; each++) {
        this.#total -= this.#perSecond[each % SECONDS]!;
        this.#perSecond[each % SECONDS] = 0;
      }
    }
    this.#second = second;
  }
}
