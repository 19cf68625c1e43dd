import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;
/** Every function of a store takes this first, so that it can run inside a use case's transaction. */
export type Tx = Database | Transaction<DB>;

// Instants are Dates, but a calendar day stays the text it is: a Date would shift it by the machine's timezone.
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

export function createPool(databaseUrl: string, max = 10): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    application_name: 'openslot',
    // A database that does not answer is answered for (503) rather than waited for without end.
    connectionTimeoutMillis: 10_000,
  });
  // A connection lost to a database restart is replaced at the next use; without a listener its error ends the process.
  // The pool listens to idle ones only: one that is cut in the middle of a query says so twice, by the query too.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  // Columns are renamed; the keys of a stored JSON document are its own.
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins });
}
