import { CamelCasePlugin, Kysely, type LogEvent, PostgresDialect, type Transaction, sql } from 'kysely';
import pg from 'pg';
import type { DB } from './tables.ts';
import { MINUTE_MS } from '#domain/time.ts';

export type Database = Kysely<DB>;
/** Every store function takes this as its first argument, so that it can run in a use case's transaction. */
export type Tx = Database | Transaction<DB>;

// Read a calendar day as text. A Date would shift it by the machine's timezone.
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);
// The type of date[], which the list of `pg` lacks.
const DATES = 1182 as typeof pg.types.builtins.DATE;
pg.types.setTypeParser(DATES, (days) => days.slice(1, -1).split(',').filter(Boolean));

// Read cents, counts and ids as numbers. JavaScript cannot count on exactly above 2^53, so a larger value is refused.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`);
  return value;
});

/**
 * The options of every connection of the server. `name` is what PostgreSQL calls it in `pg_stat_activity`. The formats are
 * those that the client reads, whatever the role or the database prefers.
 */
export const connectionTo = (databaseUrl: string, name: string) => ({
  connectionString: databaseUrl,
  application_name: name,
  options: '-c DateStyle=ISO -c TimeZone=UTC -c IntervalStyle=postgres',
});

/**
 * A connection of its own, apart from the pools. `more` is added to its options. This function and the two pools are the only
 * places that open connections, so that none of them depends on the settings of the role.
 */
export function clientTo(databaseUrl: string, name: string, more: pg.ClientConfig = {}): pg.Client {
  const base = connectionTo(databaseUrl, name);
  return new pg.Client({ ...base, ...more, options: [base.options, more.options ?? ''].join(' ').trim() });
}

/**
 * The longest statement. Jobs work in batches, so that one that takes longer is a fault. PostgreSQL ends it; the client
 * gives up later, if the database hangs and cannot.
 */
const STATEMENT_MS = 120_000;

/** A command of the operator may read all of the books in one statement. */
export const COMMAND_MS = 15 * MINUTE_MS;

/**
 * Divides the connections of a server. One listens for changes, one counts events, and one is for limits, which are taken
 * while a transaction holds another. One asks whether the database answers, so that pages that use up the others do not make
 * the server look lost; the smallest server asks on that of the limits. The jobs have up to five, because four run at once,
 * and one of theirs listens. The rest is for pages and for what jobs read and write.
 */
export function shareConnections(size: number): { limits: 1; health: 0 | 1; jobs: number; pages: number } {
  const jobs = Math.min(5, Math.floor(size / 3));
  const health = size > 6 ? 1 : 0;
  return { limits: 1, health, jobs, pages: size - 3 - health - jobs };
}

export function createPool(
  databaseUrl: string,
  max = 10,
  name = 'openslot',
  statementMs = STATEMENT_MS,
): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(databaseUrl, name),
    max,
    // If the database does not answer in this time, the query fails and the client gets a 503.
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementMs,
    query_timeout: statementMs + 5000,
  });
  // Without a listener, the error of a lost connection would end the process. The pool listens to idle connections only,
  // so every connection gets a listener as well. The query that was interrupted also fails with the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  notePool(pool);
  return pool;
}

const pools = new Set<pg.Pool>();

/** Has the connections of this pool counted below. */
export function notePool(pool: pg.Pool): void {
  pools.add(pool);
}

/** The connections of all pools of this process, for the metrics. The one that listens for changes belongs to none. */
export function openConnections(): { busy: number; idle: number } {
  const sum = { busy: 0, idle: 0 };
  for (const pool of pools) {
    if (pool.ended) pools.delete(pool);
    sum.busy += pool.totalCount - pool.idleCount;
    sum.idle += pool.idleCount;
  }
  return sum;
}

/** `log` hears of each statement that has ended. */
export function createDatabase(pool: pg.Pool, log?: (event: LogEvent) => void): Database {
  // Rename columns, but keep the keys inside stored JSON documents.
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins, ...(log && { log }) });
}

/** Reads in one snapshot, so that several sums agree with each other. */
export async function inSnapshot<T>(db: Database, read: (tx: Tx) => Promise<T>): Promise<T> {
  return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/**
 * Closes the pool of `db` at once: PostgreSQL ends its connections, also those that wait for a lock, and every later query
 * fails. `poolName` must belong to this pool alone. Destroying `db` afterwards waits for the rest.
 */
export async function breakOff(db: Database, databaseUrl: string, poolName: string): Promise<void> {
  // This resolves only when all connections are free, which those below are when they have ended.
  const destroyed = db.destroy();
  // PostgreSQL does not notice that a client has left while its query waits, so another connection has to tell it.
  const client = clientTo(databaseUrl, 'openslot stop', { connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      poolName,
    ]);
  } finally {
    await client.end();
  }
  await destroyed;
}

/** Runs a part of the caller's transaction. If it throws, its changes are undone, and the transaction stays usable. */
export async function inSavepoint<T>(tx: Tx, run: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(tx);
  try {
    const result = await run();
    await sql`release savepoint part`.execute(tx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint part`.execute(tx);
    throw error;
  }
}

/** A LIKE pattern for texts that contain this text as typed. LIKE's special characters in it are escaped. */
export function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** Creates the database `name` if it does not exist. `serverUrl` is the address of any database on the same server. */
export async function createDatabaseIfMissing(serverUrl: string, name: string): Promise<void> {
  const client = clientTo(serverUrl, 'openslot start');
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // 42P04 (duplicate_database) and 23505 (unique_violation): another process created it at the same moment.
    if (!(error instanceof pg.DatabaseError && (error.code === '42P04' || error.code === '23505')))
      throw error;
  } finally {
    await client.end();
  }
}
