import type pg from 'pg';
import type { Context } from '#server/platform/context.ts';
import { clientTo } from '#server/platform/database/database.ts';
import { instanceName } from '#server/platform/database/servers/servers.ts';

const RECONNECT_MS = 1000;

/** Calls `onChange` when the database announces a change, and once after each connection. */
export function createListener(
  ctx: Context,
  databaseUrl: string,
  { timers, onChange }: { timers: Timers; onChange: () => Promise<void> },
) {
  let listener: pg.Client | null = null;

  async function listen(): Promise<void> {
    if (timers.isStopped()) return;
    const client = clientTo(databaseUrl, instanceName(ctx.config.port));
    const reconnect = () => {
      if (listener !== client) return;
      listener = null;
      client.removeAllListeners('notification');
      client.end().catch(() => {});
      timers.later(() => void listen(), RECONNECT_MS);
    };
    listener = client;
    client.on('error', reconnect);
    client.on('end', reconnect);
    client.on('notification', () => void onChange());
    try {
      await client.connect();
      await client.query('listen delivery_changes');
      // All servers count this one before they serve an ad that changes from now on.
      await client.query('notify delivery_changes');
      // Read the changes that were announced before this connection listened.
      await onChange();
    } catch {
      reconnect();
    }
  }

  return {
    listen,
    stop: async (): Promise<void> => {
      const client = listener;
      listener = null;
      await client?.end().catch(() => {});
    },
  };
}

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
