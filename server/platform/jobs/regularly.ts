import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';

const EVERY_MS = 15_000;

/**
 * Calls `act` every few seconds until `stop`, which ends the call under way by its signal. `failure` is the sentence of the
 * log if a call throws.
 */
export function regularly(
  { log }: Pick<Context, 'log'>,
  failure: string,
  act: (signal: AbortSignal) => Promise<void>,
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await act(signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, failure);
      });
      await pause(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
