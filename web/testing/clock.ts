/**
 * A clock that stands until the test moves it. That of Vitest (`vi.useFakeTimers`) moves on while an `expect.poll` or a
 * click waits for the page, so that on a busy machine a wait is over before the test has looked.
 */
import { onTestFinished, vi } from 'vitest';

/** Shorter waits, with which libraries put something off to the next task, take their time from the real clock. */
const SHORTEST_MS = 10;

/** In this time of the real clock, a page has shown the effects of a timer. Without load, it needs a tenth of it. */
const SETTLED_MS = 50;

type Timer = { due: number; every: number | null; run: () => void };

/** Stops the clock of the page until the end of the test. */
export function stopClock(): { pass: (ms: number) => Promise<void> } {
  const real = {
    setTimeout: window.setTimeout,
    setInterval: window.setInterval,
    clearTimeout: window.clearTimeout,
    clearInterval: window.clearInterval,
  };
  const timers = new Map<number, Timer>();
  let now = Date.now();
  // Far from the ids of the browser, whose timers can still be cleared.
  let lastId = 1_000_000_000;
  vi.setSystemTime(now);

  function start(isRepeated: boolean) {
    return (handler: TimerHandler, ms = 0, ...args: unknown[]): number => {
      if (typeof handler !== 'function') throw new TypeError('A timer needs a function');
      const run = () => void handler(...args);
      if (!isRepeated && ms < SHORTEST_MS) return Number(real.setTimeout.call(window, run, ms));
      lastId++;
      timers.set(lastId, { due: now + ms, every: isRepeated ? Math.max(ms, 1) : null, run });
      return lastId;
    };
  }
  function stop(id?: number): void {
    if (id === undefined || timers.delete(id)) return;
    real.clearTimeout.call(window, id);
  }
  Object.assign(window, {
    setTimeout: start(false),
    setInterval: start(true),
    clearTimeout: stop,
    clearInterval: stop,
  });
  onTestFinished(() => void Object.assign(window, real));

  return {
    /** Runs what is due within this time, in order, and lets the page show what came of it. */
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const [id, next] = [...timers].toSorted(([, one], [, other]) => one.due - other.due)[0] ?? [];
        if (id === undefined || !next || next.due > end) break;
        now = next.due;
        vi.setSystemTime(now);
        if (next.every === null) timers.delete(id);
        else next.due += next.every;
        next.run();
      }
      now = end;
      vi.setSystemTime(now);
      await new Promise((resolve) => real.setTimeout.call(window, resolve, SETTLED_MS));
    },
  };
}
