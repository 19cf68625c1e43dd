/** Fills an empty database from a backup. */
import { Writable } from 'node:stream';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { clientTo } from '#server/platform/database/database.ts';
import { makeTables, migrate } from '#server/platform/database/migrate.ts';
import type { DatabaseDump } from './manifest.ts';
import { readParts } from './parts.ts';
import { CommandRefused } from '#server/platform/jobs/alone.ts';

export type DatabaseAddresses = {
  /** With the role that owns the tables. */
  ownerUrl: string;
  /** With the role of the server. */
  serverUrl: string;
};

const open = async (url: string): Promise<pg.Client> => {
  const client = clientTo(url, 'openslot restore', { statement_timeout: 0 });
  await client.connect();
  return client;
};

/** Throws CommandRefused if the database has any table. */
export async function requireEmpty({ ownerUrl }: DatabaseAddresses): Promise<void> {
  const client = await open(ownerUrl);
  try {
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
         order by c.oid limit 1`,
    );
    if (rows[0])
      throw new CommandRefused(
        `The database is not empty: it has the table ${rows[0].name}. Restore into a new database, which DATABASE_URL names, or for the embedded one into a new DATA_DIR.`,
      );
  } finally {
    await client.end();
  }
}

/**
 * Makes the tables as they were, and fills them in one transaction. With `heldSince`, it holds everything that would leave
 * the installation (null: as it was). Then it upgrades to this release as a start would. `read` returns a file of the backup,
 * whose sum was checked. If it fails, also by `beforeCommit`, the database is empty again.
 */
export async function loadDatabase(
  { ownerUrl, serverUrl }: DatabaseAddresses,
  dump: DatabaseDump,
  read: (file: string) => Promise<Buffer>,
  heldSince: Date | null,
  beforeCommit = async (): Promise<void> => {},
): Promise<void> {
  const client = await open(ownerUrl);
  try {
    // The queue makes its tables itself, so they are made before the transaction.
    const { runMigrations } = await import('graphile-worker');
    await runMigrations({ connectionString: ownerUrl, logger: undefined });
    await client.query('begin');
    await makeTables(client, dump.migrations);
    await fillTables(client, dump, read);
    await addJobs(client, dump.jobs, read);
    if (heldSince) await client.query('update outbound set held_since = $1', [heldSince]);
    await beforeCommit();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    await client.query('drop schema if exists graphile_worker cascade').catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
  await migrate(ownerUrl, serverUrl);
}

async function fillTables(
  client: pg.Client,
  { partitions, tables, sequences }: DatabaseDump,
  read: (file: string) => Promise<Buffer>,
): Promise<void> {
  await makePartitions(client, partitions);
  // Migrations have filled some tables, and a backup has their rows, too.
  await client.query(`truncate ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`);
  // Tables refer to each other in circles, so they are filled in no order. Only a superuser can turn the checks off.
  const restoreKeys = await dropForeignKeys(client);
  for (const { name, columns, rows: count, parts } of tables) {
    const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
    if (parts.length === 0) continue;
    const rows = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin`));
    await readParts(parts, read, rows).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError)) throw error;
      throw new CommandRefused(
        `The database refused the rows of ${name} (${error.message}). Choose another backup.`,
        { cause: error },
      );
    });
    if (rows.rowCount !== count)
      throw new CommandRefused(
        `${count} rows of ${name} were read, and the database took ${rows.rowCount}, so nothing was changed. Report this with the output of \`openslot doctor\`.`,
      );
  }
  for (const [name, last] of Object.entries(sequences))
    await client.query('select setval($1::regclass, $2)', [pg.escapeIdentifier(name), last]);
  await restoreKeys();
}

/** In place of those of a new database, whose bounds could overlap. */
async function makePartitions(client: pg.Client, partitions: DatabaseDump['partitions']): Promise<void> {
  const { rows: own } = await client.query<{ name: string }>(
    `select c.relname as name
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       where p.relkind = 'p' and c.relkind = 'r' and c.relnamespace = current_schema::regnamespace`,
  );
  for (const { name } of own) await client.query(`drop table ${pg.escapeIdentifier(name)}`);
  // A table that a later step divides is still whole.
  const { rows: divided } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'p' and relnamespace = current_schema::regnamespace`,
  );
  for (const { name, of, bounds } of partitions.filter(({ of }) => divided.some((each) => each.name === of)))
    await client.query(
      `create table ${pg.escapeIdentifier(name)} partition of ${pg.escapeIdentifier(of)} ${bounds}`,
    );
}

async function dropForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
       from pg_constraint
       where contype = 'f' and conparentid = 0 and connamespace = current_schema::regnamespace`,
  );
  for (const { drop } of rows) await client.query(drop);
  return async () => {
    for (const { add } of rows) await client.query(add);
  };
}

async function addJobs(
  client: pg.Client,
  parts: readonly string[],
  read: (file: string) => Promise<Buffer>,
): Promise<void> {
  const chunks: Buffer[] = [];
  const target = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      chunks.push(chunk);
      callback();
    },
  });
  if (parts.length > 0) await readParts(parts, read, target);
  const lines = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
  // Attempts begin anew.
  await client.query(
    `select graphile_worker.add_job(identifier, payload, queue, "runAt", "maxAttempts", key, priority)
       from unnest($1::text[]) as line, json_to_record(line::json) as job (identifier text, payload json, queue text,
         "runAt" timestamptz, "maxAttempts" integer, key text, priority integer)`,
    [lines],
  );
}
