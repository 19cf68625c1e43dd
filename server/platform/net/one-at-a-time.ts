/** Callers that come while `work` runs get the same outcome, so that monitors do not use up the pool of a hanging database. */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return async () => {
    running ??= work().finally(() => (running = null));
    return await running;
  };
}
