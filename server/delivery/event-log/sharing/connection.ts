import pg from 'pg';
import { connectionTo, notePool } from '#server/platform/database/database.ts';

/**
 * How long the database waits for a process that was stopped or cut off: for its next statement, and for the end of a
 * running one. It then ends the connection and, with it, the locks by which the server owned partitions. Together with
 * the second until another server looks, this stays below ten seconds.
 */
const IDLE_MS = 3000;
const STATEMENT_MS = 5000;

export type CountingClient = Pick<pg.PoolClient, 'query'>;

/** The only connection on which a server counts events. */
export type CountingConnection = {
  /** Runs `work` alone on the connection, and opens one if there is none. */
  run: <T>(work: (client: CountingClient) => Promise<T>) => Promise<T>;
  /** Calls `listener`, perhaps twice, with each connection that was closed or lost. */
  onLost: (listener: (client: CountingClient) => void) => void;
  close: () => Promise<void>;
};

export function createCountingConnection(databaseUrl: string): CountingConnection {
  const connection = connectionTo(databaseUrl, 'openslot counting');
  const pool = new pg.Pool({
    ...connection,
    options: `${connection.options} -c idle_session_timeout=${IDLE_MS}`,
    max: 1,
    connectionTimeoutMillis: 5000,
    // Only the database ends an idle connection, because locks depend on it.
    idleTimeoutMillis: 0,
    idle_in_transaction_session_timeout: IDLE_MS,
    // The database must give up before the client does. Otherwise it could count events that were answered 503.
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 1000,
  });
  // The pool replaces a lost connection at its next use. Without a listener, the error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  let lost: (client: CountingClient) => void = () => {};
  pool.on('remove', (client) => lost(client));
  notePool(pool);

  return {
    run: async (work) => {
      const client = await pool.connect();
      let failure: Error | undefined;
      try {
        return await work(client);
      } catch (error) {
        // The connection goes on after a statement that the database refused. Any other error leaves its state unknown.
        if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') failure = error as Error;
        throw error;
      } finally {
        client.release(failure);
        // The pool says so only when the connection has ended.
        if (failure) lost(client);
      }
    },
    onLost: (listener) => void (lost = listener),
    close: async () => await pool.end(),
  };
}

/** Runs `work` in a transaction. */
export async function inTransaction<T>(client: CountingClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // If this fails, too, the connection cannot be used any more.
    await client.query('rollback').catch(() => {
      throw new Error('The transaction could not be rolled back.', { cause: error });
    });
    throw error;
  }
}
