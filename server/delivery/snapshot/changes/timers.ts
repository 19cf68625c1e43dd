/** Timers that all end together. */
export type Timers = ReturnType<typeof createTimers>;

export function createTimers() {
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;
  return {
    /** Calls `then` after so many milliseconds, unless the timers have stopped. */
    later(then: () => void, ms: number): void {
      if (stopped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        then();
      }, ms);
      timers.add(timer);
    },
    isStopped: () => stopped,
    stop(): void {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
