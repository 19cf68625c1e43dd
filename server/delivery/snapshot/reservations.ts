const SECONDS = 60;
export const RESERVATION_MS = SECONDS * 1000;

/** A reservation, the second by which its server's counters were old, and another for the clocks of the servers. */
const REMEMBERED_MS = RESERVATION_MS + 2000;

/** The number of servers that serve the same ads. */
export type Fleet = { servers: number };

/** A single server. */
const ALONE: Fleet = { servers: 1 };

/**
 * The reservations of one quota ad: its decisions of the last minute whose view was not reported yet. An ad is served
 * only while counted and reserved views stay below its goal, so that few views are shown beyond it. The limit of billed
 * views does not depend on this, because count_events alone enforces it.
 *
 * Servers do not know each other's reservations, so each of N servers keeps its own below 1/(2N) of the remaining
 * views. Reservations that it made a minute ago, when more remained, may still be open. So each server leaves room for
 * those that all others may have made since. When each may have reserved one view only, the first reservation is always
 * allowed, because otherwise the last views would never be served. So up to N - 1 views may be shown beyond the goal.
 * See decision 013 in docs/decisions. [DEL-65]
 */
export class Reservations {
  readonly #fleet: Fleet;
  #perSecond: Uint32Array | null = null;
  #total = 0;
  #second = 0;
  /** The remaining views as this server knew them, with the time from which on it did; the oldest first. */
  readonly #remaining: { views: number; sinceMs: number }[] = [];

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
    if (servers === 1) return own < remaining;
    const perServer = Math.ceil(this.#mostRemaining(remaining, nowMs) / (2 * servers));
    if (own === 0 && perServer === 1) return true;
    return own * 2 * servers < remaining && own + (servers - 1) * perServer < remaining;
  }

  /** The remaining views of which other servers may have reserved a part that is still open. */
  #mostRemaining(remaining: number, nowMs: number): number {
    const known = this.#remaining;
    const last = known.at(-1);
    if (last && nowMs < last.sinceMs) known.length = 0;
    if (!last || known.length === 0) known.push({ views: remaining, sinceMs: nowMs });
    // One entry a second bounds the list. Until the next one, the higher number stands for the lower one.
    else if (remaining !== last.views && nowMs - last.sinceMs >= 1000)
      known.push({ views: remaining, sinceMs: nowMs });
    while (known[1] && known[1].sinceMs <= nowMs - REMEMBERED_MS) known.shift();
    return known[0]!.views;
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
