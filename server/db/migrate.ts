import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';

const DIRECTORY = new URL('migrations/', import.meta.url);

type Migration = { name: string; sql: string; hash: string };

/** The numbered SQL files, in order. */
export function readMigrations(): Migration[] {
  return readdirSync(DIRECTORY)
    .filter((name) => /^\d{3}-[a-z-]+\.sql$/.test(name))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(new URL(name, DIRECTORY), 'utf8');
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') };
    });
}

// Any number will do, as long as every copy of the server uses the same one.
const LOCK = 7_305_112;

/**
 * Brings the database to the newest schema: forward only, each file in a transaction of its own, one server at a
 * time. Refuses to go on where an applied file has changed since, or where the database is newer than this code.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'openslot migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; hash: string }>('select name, hash from migrations');
    const applied = new Map(rows.map((row) => [row.name, row.hash]));
    const migrations = readMigrations();
    for (const name of applied.keys()) {
      if (!migrations.some((migration) => migration.name === name)) {
        throw new Error(
          `The database was migrated by a newer Openslot (${name}). Start that version, or restore a backup.`,
        );
      }
    }
    for (const migration of migrations) {
      const hash = applied.get(migration.name);
      if (hash === undefined) await apply(client, migration);
      else if (hash !== migration.hash)
        throw new Error(`Migration ${migration.name} was changed after it was applied.`);
    }
    await runMigrations({ connectionString: databaseUrl, logger: undefined });
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into migrations (name, hash) values ($1, $2)', [
      migration.name,
      migration.hash,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${migration.name} failed: ${String(error)}`, { cause: error });
  }
}
