const SECONDS = 60;
export const RESERVATION_MS = SECONDS * 1000;

/** The number of servers that serve the same ads. */
export type Fleet = { servers: number };

/** A single server. */
const ALONE: Fleet = { servers: 1 };

/**
 * The reservations of one quota ad: its decisions of the last minute whose view was not reported yet. An ad is served
 * only while counted and reserved views stay below its goal, so that few views are shown beyond it. The limit of what
 * is billed does not depend on this: count_events alone enforces it.
 *
 * Servers do not know each other's reservations, so each of N servers keeps its own below 1/(2N) of the remaining
 * views. 1/N would be enough if all servers knew the current counters, but theirs are up to a second old. No view comes
 * within a second of its decision (the MRC's rule), so at most half of the remaining views were counted in that second.
 * The first reservation is always allowed, because otherwise the last views would never be served. So up to N - 1 views
 * may be shown beyond the goal. See decision 013 in docs/decisions. [DEL-65]
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
   * Whether one more view may be reserved of the `remaining` ones, which the counters give. `uncounted` are views that
   * this server has acknowledged since. Like its reservations, no other server knows them yet.
   */
  hasRoom(remaining: number, uncounted: number, nowMs: number): boolean {
    const own = this.outstanding(nowMs) + uncounted;
    const { servers } = this.#fleet;
    return servers === 1 ? own < remaining : own === 0 || own * 2 * servers < remaining;
  }

  /** Whether room may soon run out, so that the server should reread the counters while a reservation is open. */
  isNearEnd(remaining: number, uncounted: number, nowMs: number): boolean {
    const own = this.outstanding(nowMs) + uncounted;
    return own > 0 && own * 4 * this.#fleet.servers >= remaining;
  }

  outstanding(nowMs: number): number {
    this.#expire(Math.floor(nowMs / 1000));
    return this.#total;
  }

  reserve(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    this.#expire(second);
    this.#perSecond ??= new Uint32Array(SECONDS);
    this.#perSecond[second % SECONDS]! += 1;
    this.#total += 1;
  }

  /** Releases one reservation made at `issuedAtMs`, because its view was reported. */
  release(issuedAtMs: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const issued = Math.floor(issuedAtMs / 1000);
    this.#expire(second);
    if (!this.#perSecond || second - issued >= SECONDS || issued > second) return;
    if (this.#perSecond[issued % SECONDS] === 0) return;
    this.#perSecond[issued % SECONDS]! -= 1;
    this.#total -= 1;
  }

  #expire(second: number): void {
    if (second === this.#second) return;
    // After a long pause, or when the clock was set back, all reservations have expired.
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
