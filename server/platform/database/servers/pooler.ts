import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { clientTo } from '../database.ts';

/** The settings that hold an address of the database. */
export type AddressSetting = 'DATABASE_URL' | 'DATABASE_OWNER_URL';

/** A pooler is between Openslot and its database. The start ends with the message. */
export class PooledAddress extends Error {
  constructor(setting: AddressSetting, what: string, options?: ErrorOptions) {
    super(
      `${setting} ${what}. Openslot needs connections of its own, for locks and notifications. Set ${setting} to the direct address of PostgreSQL.`,
      options,
    );
  }
}

export const POOLED = 'is the address of a transaction pooler, such as PgBouncer';
const TOO_FEW = 'does not answer several connections at once, which is usual for a connection pooler';

/** Several, because other clients of the pooler may take the connection that the probe looks for. */
const OTHERS = 5;
const ANSWER_MILLIS = 10_000;

/**
 * Throws PooledAddress if the address is that of a transaction pooler. A value is set on one connection and read again
 * while other connections hold transactions open. A pooler gives the backend that has the value to one of those, or
 * another backend to the first. Takes no lock, because a pooler would keep it.
 */
export async function refuseTransactionPooler(databaseUrl: string, setting: AddressSetting): Promise<void> {
  const clients = Array.from({ length: OTHERS + 1 }, () => probeClient(databaseUrl));
  try {
    await Promise.all(clients.map(async (client) => await client.connect()));
    if (await isPooled(clients[0]!, clients.slice(1))) throw new PooledAddress(setting, POOLED);
  } catch (error) {
    // A pooler says so itself: a startup parameter that it does not know, or `begin` while it pools statements.
    if (isProtocolViolation(error)) throw new PooledAddress(setting, POOLED, { cause: error });
    if (isTimeout(error)) throw new PooledAddress(setting, TOO_FEW, { cause: error });
    throw error;
  } finally {
    await Promise.all(clients.map(async (client) => await client.end().catch(() => {})));
  }
}

async function isPooled(first: pg.Client, others: readonly pg.Client[]): Promise<boolean> {
  const value = randomUUID();
  await first.query("select set_config('openslot.probe', $1, false)", [value]);
  const own = await read(first);
  if (own.value !== value) return true;
  for (const other of others) {
    await other.query('begin');
    const theirs = await read(other);
    if (theirs.value === value || theirs.pid === own.pid) return true;
    const again = await read(first);
    if (again.value !== value || again.pid !== own.pid) return true;
  }
  return false;
}

async function read(client: pg.Client): Promise<{ pid: number; value: string | null }> {
  const { rows } = await client.query<{ pid: number; value: string | null }>(
    "select pg_backend_pid() as pid, current_setting('openslot.probe', true) as value",
  );
  return rows[0]!;
}

function probeClient(connectionString: string): pg.Client {
  const client = clientTo(connectionString, 'openslot start', {
    connectionTimeoutMillis: ANSWER_MILLIS,
    // The client waits no longer, whatever the server does with its own limit.
    query_timeout: ANSWER_MILLIS,
    // The server's other connections send this startup parameter, and `options`, as well.
    statement_timeout: ANSWER_MILLIS,
  });
  client.on('error', () => {});
  return client;
}

function isProtocolViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '08P01';
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}
