/** Calls `step` again and again, each time `ms` after the one before has ended. The next call retries one that fails. */
export function repeat(step: () => Promise<void>, ms: number): { stop: () => void } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function schedule(): void {
    timer = setTimeout(() => {
      void step()
        .catch(() => {})
        .finally(() => {
          if (!stopped) schedule();
        });
    }, ms);
  }

  schedule();
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
