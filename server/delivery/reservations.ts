const SECONDS = 60;

/**
 * Views promised and not yet seen, of one quota ad: decisions of the last minute whose view has not come in. An ad
 * is offered only while counted + promised stays below its goal, so that few views beyond what was bought are ever
 * shown. What is billed is limited by the counting alone.
 */
export class Reservations {
  #perSecond = new Uint32Array(SECONDS);
  #total = 0;
  #second = 0;

  outstanding(nowMs: number): number {
    this.#lapse(Math.floor(nowMs / 1000));
    return this.#total;
  }

  take(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    this.#lapse(second);
    this.#perSecond[second % SECONDS]! += 1;
    this.#total += 1;
  }

  /** A decision issued at that moment has been answered for. */
  settle(issuedAtMs: number, nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const issued = Math.floor(issuedAtMs / 1000);
    this.#lapse(second);
    if (second - issued >= SECONDS || issued > second || this.#perSecond[issued % SECONDS] === 0) return;
    this.#perSecond[issued % SECONDS]! -= 1;
    this.#total -= 1;
  }

  #lapse(second: number): void {
    if (second === this.#second) return;
    // A clock set back, or a long rest: nothing of what was promised is still waited for.
    if (second < this.#second || second - this.#second >= SECONDS) {
      this.#perSecond.fill(0);
      this.#total = 0;
    } else {
      for (let each = this.#second + 1; each <= second; each++) {
        this.#total -= this.#perSecond[each % SECONDS]!;
        this.#perSecond[each % SECONDS] = 0;
      }
    }
    this.#second = second;
  }
}
