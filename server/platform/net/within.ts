/** The outcome, or `otherwise` if there is none within `ms`. The work itself goes on. */
export async function within<T>(ms: number, outcome: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(resolve, ms, otherwise)));
  try {
    return await Promise.race([outcome, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Callers that come while `work` runs get the same outcome, so that monitors do not use up the pool of a hanging database. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return async () => {
    running ??= work().finally(() => (running = null));
    return await running;
  };
}
