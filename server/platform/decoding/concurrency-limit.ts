/** Runs at most `max` functions at once. The others wait in the order of their calls. */
export function createConcurrencyLimit(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = max;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
