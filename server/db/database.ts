import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './tables.ts';

export type Database = Kysely<DB>;
/** Every store function takes this as its first argument, so that it can run in a use case's transaction. */
export type Tx = Database | Transaction<DB>;

// Read a calendar day as text. A Date would shift it by the machine's timezone.
pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);

export function createPool(databaseUrl: string, max = 10): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    application_name: 'openslot',
    // If the database does not answer in this time, the query fails and the client gets a 503.
    connectionTimeoutMillis: 10_000,
  });
  // Without a listener, the error of a lost connection would end the process. The pool listens to idle connections only,
  // so every connection gets a listener as well. The query that was interrupted also fails with the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export function createDatabase(pool: pg.Pool): Database {
  // Rename columns, but keep the keys inside stored JSON documents.
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins });
}
