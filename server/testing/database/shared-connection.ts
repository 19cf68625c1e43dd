import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** PostgreSQL needs seconds to recover after a crash under load. */
const MAX_ATTEMPTS = 600;
const PAUSE_MS = 100;

/**
 * A connection that all test files of a worker share, because opening one takes 6 ms of processor time. It is opened at its
 * first use, and again after PostgreSQL has ended it, for example by a restart in the middle of a test run. It does not keep
 * the worker alive.
 */
export function sharedConnection(url: () => string, settings = ''): () => Promise<pg.Client> {
  let connection: Promise<pg.Client> | undefined;
  const forget = () => (connection = undefined);

  async function connect(): Promise<pg.Client> {
    for (let attempt = 1; ; attempt += 1) {
      const client = new pg.Client({ connectionString: url() }) as pg.Client & { unref(): void };
      client.on('error', forget);
      try {
        await client.connect();
        if (settings !== '') await client.query(settings);
        client.unref();
        return client;
      } catch (error) {
        await client.end().catch(() => {});
        if (attempt === MAX_ATTEMPTS || !isAway(error)) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  return async () => {
    // `pg` reports a failed connect to its caller only, and not as an event.
    connection ??= connect().catch((error: unknown) => {
      forget();
      throw error;
    });
    return await connection;
  };
}

/** Whether PostgreSQL does not run, or starts, stops or recovers (class 57). */
function isAway(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || (error.code?.startsWith('57P') ?? false);
}
