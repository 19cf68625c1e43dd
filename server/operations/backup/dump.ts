/** Reads the whole database, by COPY, in one snapshot. docs/decisions/087-backups.md says why it is not pg_dump. */
import { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { clientTo } from '#server/platform/database/database.ts';
import type { DatabaseDump } from './manifest.ts';
import { writeParts } from './parts.ts';

/**
 * A start writes these tables anew, or they mean something in this cluster only: ids of transactions begin anew in
 * another one.
 */
const LEFT_OUT = ['applied_files', 'openslot_release', 'servers', 'delivery_changes'];
/**
 * A backup lacks them as well, so that a restore brings no session back that has ended, and no code or challenge. The move
 * of an installation has them, because nobody signs in again after it. [WARD-16]
 */
export const SIGN_INS = ['sessions', 'email_verifications', 'passkey_challenges'];
const LEFT_OUT_COLUMNS = ['ledger_tx.xact'];

type Table = { name: string; columns: string[] };

/** Gives each file to `write`, which may be slow: the tables can be read and written meanwhile. */
export type WriteFile = (file: string, bytes: Buffer) => Promise<void>;

/**
 * `databaseUrl` has the role of the server. `snapshot` is exported by another transaction, which must last until this
 * resolves, and keep all partitions.
 */
export async function dumpDatabase(
  databaseUrl: string,
  snapshot: string,
  { write, hasSignIns }: { write: WriteFile; hasSignIns: boolean },
): Promise<DatabaseDump> {
  const client = clientTo(databaseUrl, 'openslot backup', { statement_timeout: 0 });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set transaction snapshot ${pg.escapeLiteral(snapshot)}`);
    const tables: DatabaseDump['tables'] = [];
    const leftOut = hasSignIns ? LEFT_OUT : [...LEFT_OUT, ...SIGN_INS];
    for (const table of await readTables(client, leftOut)) tables.push(await dumpTable(client, table, write));
    return {
      migrations: await readMigrationsOf(client),
      partitions: await readPartitions(client),
      tables,
      sequences: await readSequences(client),
      jobs: await dumpJobs(client, write),
    };
  } finally {
    await client.end();
  }
}

/** A table with partitions is read as a whole, because the role of the server has no rights on these. */
async function readTables(client: pg.Client, leftOut: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where c.relnamespace = current_schema::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname <> all ($1) and (c.relname || '.' || a.attname) <> all ($2)
       group by c.oid order by c.relname`,
    [leftOut, LEFT_OUT_COLUMNS],
  );
  return rows;
}

async function dumpTable(
  client: pg.Client,
  { name, columns }: Table,
  write: WriteFile,
): Promise<DatabaseDump['tables'][number]> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const rows = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`));
  const parts = await writeParts(rows, (index) => partName(name, index), write);
  return { name, columns, rows: rows.rowCount, parts };
}

async function readPartitions(client: pg.Client): Promise<DatabaseDump['partitions']> {
  const { rows } = await client.query<DatabaseDump['partitions'][number]>(
    `select c.relname as name, p.relname as "of", pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
       where c.relnamespace = current_schema::regnamespace and c.relispartition and c.relkind = 'r'
       order by c.relname`,
  );
  return rows;
}

const partName = (table: string, index: number): string =>
  `database/${table}.${String(index).padStart(4, '0')}.gz`;

async function readMigrationsOf(client: pg.Client): Promise<DatabaseDump['migrations']> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    `select name, hash from applied_files where name not like 'functions/%' order by name`,
  );
  return rows;
}

/** Read after the rows, so that no number is given twice. */
async function readSequences(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
       where schemaname = current_schema and last_value is not null`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
}

/** The jobs of the queue by their names, because the queue's own tables change with its releases. */
async function dumpJobs(client: pg.Client, write: WriteFile): Promise<string[]> {
  const { rows } = await client.query<{ job: string }>(
    `select json_build_object('identifier', t.identifier, 'payload', j.payload, 'queue', q.queue_name,
          'runAt', j.run_at, 'maxAttempts', j.max_attempts, 'key', j.key, 'priority', j.priority)::text as job
       from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
       left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
       order by j.id`,
  );
  const lines = Readable.from(rows.map(({ job }) => `${job}\n`));
  return await writeParts(lines, (index) => partName('graphile_worker.jobs', index), write);
}
