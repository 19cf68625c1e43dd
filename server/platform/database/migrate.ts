import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { clientTo } from './database.ts';
import { COMPATIBLE_FROM, compareReleases, findReleaseProblem, RELEASE } from '../settings/release.ts';
import { forbidTemporaryTables, grantRights } from './server-rights.ts';

/** An SQL file. `name` is what the table `applied_files` records, and `hash` the SHA-256 of `sql`. */
type SqlFile = { name: string; sql: string; hash: string };

/** Reads the migrations in the order of their numbers. */
export function readMigrations(): SqlFile[] {
  return readSql('migrations/', /^\d{3}-[a-z-]+\.sql$/, '');
}

/** Reads the files of functions and their triggers, also those in folders. Each file is named after its function. */
export function readFunctions(): SqlFile[] {
  return readSql('functions/', /^[a-z_]+\.sql$/, 'functions/');
}

function readSql(folder: string, pattern: RegExp, prefix: string): SqlFile[] {
  const directory = new URL(folder, import.meta.url);
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((file) => ({ file, base: path.basename(file) }))
    .filter(({ base }) => pattern.test(base))
    .toSorted((a, b) => (a.base < b.base ? -1 : 1))
    .map(({ file, base }) => {
      const sql = readFileSync(new URL(file.replaceAll(path.sep, '/'), directory), 'utf8');
      return { name: prefix + base, sql, hash: createHash('sha256').update(sql).digest('hex') };
    });
}

/** This code cannot upgrade the database, because it does not know its history. The start ends with the message. */
export class UnknownHistory extends Error {
  override readonly name: string = 'UnknownHistory';
}

/** No migration leads from this database to the newest schema. The caller adds how to replace the database. */
export class UnreleasedDatabase extends UnknownHistory {
  override readonly name = 'UnreleasedDatabase';
  constructor() {
    super(
      'The database was made by an unreleased Openslot, such as a checkout from before 0.3.0, and cannot be upgraded',
    );
  }
}

/** A newer release has taken something away that this one needs. */
class ReleaseTooOld extends UnknownHistory {
  override readonly name = 'ReleaseTooOld';
}

/** The release that owns the functions of the database, and the oldest one that may start beside it. */
type Owner = { release: string; compatibleFrom: string };

/** The role of the migrations may not change the tables. The caller adds how to name the one that may. */
export class NotOwner extends Error {
  constructor(cause: Error) {
    super(`The database cannot be upgraded: ${cause.message}`, { cause });
  }
}

// Any number works, as long as every instance of the server uses the same one.
const LOCK = 7_305_112;

/**
 * Servers lock the same tables in other orders, so under load an upgrade can meet one of them. It then gives way: a table
 * is waited for at most this long, because everybody else waits behind it.
 */
const LOCK_TIMEOUT = '500ms';
/** How long an upgrade tries again. */
const GIVE_UP_MS = 60_000;

/**
 * Upgrades the database to the newest schema. In one transaction, it applies the missing migrations and then every
 * function whose text has changed. A lock lets only one server do this at a time. Other servers can keep using the
 * database, and they see either all of the changes or none. If a newer release owns the database, changes nothing. Throws
 * UnknownHistory, with nothing changed, if that release needs a newer one than this, or if an applied migration has
 * changed since.
 * docs/decisions/004-sql-migrations-and-guards.md explains why functions have their own files.
 *
 * `ownerUrl` is the address with the role that owns the tables. If the server works with another role, `serverUrl` is its
 * address, and that role gets its rights here, in the same transaction as the changes: other servers may call a changed
 * function that uses a new table.
 */
export async function migrate(ownerUrl: string, serverUrl = ownerUrl): Promise<void> {
  const serverRole = serverUrl === ownerUrl ? null : await roleOf(serverUrl);
  const client = clientTo(ownerUrl, 'openslot migrate');
  await client.connect();
  try {
    await takeLock(client);
    // Checkouts from before 0.3.0, the first release, recorded their files in it.
    if (await hasTable(client, 'migrations')) throw new UnreleasedDatabase();
    const owner = await readOwner(client);
    if (owner !== null && compareReleases(RELEASE, owner.release) < 0) {
      const problem = findReleaseProblem(owner);
      if (problem !== null) throw new ReleaseTooOld(problem);
      return;
    }
    await upgrade(client, serverRole);
    await takeSteps(client, readMigrations());
    // Loads the queue here, because a command of the operator does without it.
    const { runMigrations } = await import('graphile-worker');
    await runMigrations({ connectionString: ownerUrl, logger: undefined });
    if (serverRole !== null) {
      await grantRights(client, 'graphile_worker', serverRole);
      await forbidTemporaryTables(client);
    }
  } catch (error) {
    const cause = causeOf(error);
    // 42501 is insufficient_privilege.
    if (cause?.code === '42501') throw new NotOwner(cause);
    throw error;
  } finally {
    await client.end();
  }
}

/** Asks again and again, because a statement that waited would hold up the indexes that another server builds concurrently. */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      LOCK,
    ]);
    if (rows[0]!.taken) return;
    await pause(100);
  }
}

async function roleOf(url: string): Promise<string> {
  const client = clientTo(url, 'openslot migrate');
  await client.connect();
  try {
    return (await client.query<{ role: string }>('select current_user as role')).rows[0]!.role;
  } finally {
    await client.end();
  }
}

/** Null in an empty database. */
async function readOwner(client: pg.Client): Promise<Owner | null> {
  if (!(await hasTable(client, 'openslot_release'))) return null;
  const { rows } = await client.query<Owner>(
    'select release, compatible_from as "compatibleFrom" from openslot_release',
  );
  return rows[0] ?? null;
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    name,
  ]);
  return rows[0]!.exists;
}

async function takeOwnership(client: pg.Client): Promise<void> {
  await client.query(
    `insert into openslot_release (release, compatible_from) values ($1, $2)
     on conflict (is_only) do update set release = excluded.release, compatible_from = excluded.compatible_from
       where (openslot_release.release, openslot_release.compatible_from)
         <> (excluded.release, excluded.compatible_from)`,
    [RELEASE, COMPATIBLE_FROM],
  );
}

async function upgrade(client: pg.Client, serverRole: string | null): Promise<void> {
  await givingWay(client, async () => {
    await makeRecord(client);
    await applyMigrations(client, readMigrations());
    // A migration may have set another one.
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    await applyFunctions(client);
    await takeOwnership(client);
    if (serverRole !== null) await grantRights(client, await schemaOf(client), serverRole);
  });
}

/** Does `work` in a transaction that gives way to the servers, and begins again. */
async function givingWay(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  for (;;) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (!isInTheWay(error) || performance.now() - from > GIVE_UP_MS) throw error;
      await pause(200 + Math.random() * 300);
    }
  }
}

async function schemaOf(client: pg.Client): Promise<string> {
  return (await client.query<{ schema: string }>('select current_schema as schema')).rows[0]!.schema;
}

/**
 * Makes the tables of an empty database as these migrations do, in the caller's transaction. `migrate` does the rest: the
 * newer migrations, the other steps, and the functions. Throws UnknownHistory if this release does not have these
 * migrations.
 */
export async function makeTables(
  client: pg.Client,
  wanted: readonly { name: string; hash: string }[],
  migrations = readMigrations(),
): Promise<void> {
  assertOwnHistory(new Map(wanted.map(({ name, hash }) => [name, hash])), migrations);
  await makeRecord(client);
  const own = migrations.filter((file) => wanted.some(({ name }) => name === file.name));
  await applyMigrations(client, own);
  for (const file of own.filter(changesRows)) {
    for (const statement of statementsOf(file)) await apply(client, `Migration ${file.name}`, statement);
    await record(client, file);
  }
}

/** Steps that change which rows a table takes, so that they come before the rows. Others divide tables or build indexes. */
const changesRows = (file: SqlFile): boolean =>
  isInSteps(file) && !/\bconcurrently\b|\bpartition\b/i.test(file.sql);

async function makeRecord(client: pg.Client): Promise<void> {
  await client.query(
    `create table if not exists applied_files
       (name text primary key, hash text not null, applied_at timestamptz not null default now())`,
  );
}

async function applyMigrations(client: pg.Client, migrations: readonly SqlFile[]): Promise<void> {
  const recorded = await readRecord(client, false);
  assertOwnHistory(recorded, migrations);
  const missing = migrations.filter((file) => !recorded.has(file.name) && !isInSteps(file));
  for (const migration of missing) {
    // Run the deferred checks now, because a later file cannot alter a table with a pending check.
    const checks = ';\nset constraints all immediate; set constraints all deferred';
    await apply(client, `Migration ${migration.name}`, migration.sql + checks);
    await record(client, migration);
  }
}

/**
 * Files of statements that take long while the table is in use, so that all of them in one transaction would be in the way:
 * indexes, which PostgreSQL builds in no transaction, and files with the line '-- In steps'.
 */
const isInSteps = ({ sql }: SqlFile): boolean =>
  /^(?:create (?:unique )?index concurrently |-- In steps$)/im.test(sql);

/**
 * Runs the missing files that are done in steps, after all others, statement by statement. Each statement may be repeated,
 * because a start may be interrupted. The build of an index leaves one that is not valid, which is removed first.
 */
export async function takeSteps(client: pg.Client, migrations: readonly SqlFile[]): Promise<void> {
  const recorded = await readRecord(client, false);
  for (const file of migrations.filter((each) => isInSteps(each) && !recorded.has(each.name))) {
    const { rows } = await client.query<{ statement: string }>(
      `select format('drop index concurrently %s', i.indexrelid::regclass) as statement
         from pg_index i join pg_class c on c.oid = i.indexrelid
         where not i.indisvalid and c.relnamespace = current_schema::regnamespace`,
    );
    for (const statement of [...rows.map((row) => row.statement), ...statementsOf(file)]) {
      const step = async () => await apply(client, `Migration ${file.name}`, statement);
      await (/\bconcurrently\b/i.test(statement) ? step() : givingWay(client, step));
    }
    await record(client, file);
  }
}

function statementsOf({ sql }: SqlFile): string[] {
  return (
    sql
      .replaceAll(/--[^\n]*/g, '')
      // A statement ends with a semicolon that is not in a block.
      .match(/(?:\$\$[\s\S]*?\$\$|[^;])+/g)!
      .map((each) => each.trim())
      .filter(Boolean)
  );
}

function assertOwnHistory(recorded: ReadonlyMap<string, string>, migrations: readonly SqlFile[]): void {
  const last = migrations.at(-1)!;
  const unknown = [...recorded.keys()].filter((name) => !migrations.some((file) => file.name === name));
  // Migrations are only added at the end, so the additional files of a newer version sort after ours.
  if (unknown.some((name) => name < last.name)) throw new UnreleasedDatabase();
  if (unknown.length > 0) throw madeByNewer(unknown[0]!);
  for (const { name, hash } of migrations) {
    if (recorded.has(name) && recorded.get(name) !== hash)
      throw new UnknownHistory(
        `Migration ${name} was changed after it was applied. Restore the text that was applied, and make the change in a new migration.`,
      );
  }
}

function madeByNewer(name: string): UnknownHistory {
  return new UnknownHistory(
    `The database was migrated by a newer Openslot (${name}). Start that version, or restore a backup.`,
  );
}

/** Applies the files whose text has changed, and those of which a trigger is missing because a migration dropped it. */
async function applyFunctions(client: pg.Client): Promise<void> {
  const recorded = await readRecord(client, true);
  const functions = readFunctions();
  // A migration that drops a function also deletes its row here. So a newer version added any unknown row.
  const unknown = [...recorded.keys()].find((name) => !functions.some((file) => file.name === name));
  if (unknown !== undefined) throw madeByNewer(unknown);

  const triggers = await readTriggers(client);
  const changed = functions.filter(
    ({ name, hash, sql }) =>
      recorded.get(name) !== hash || triggersOf(sql).some((trigger) => !triggers.has(trigger)),
  );
  // Two rounds, so that functions may call each other in any order. Only the second round checks their bodies.
  for (const setting of ['off', 'on']) {
    await client.query(`set local check_function_bodies = ${setting}`);
    for (const { name, sql } of changed) await apply(client, name, sql);
  }
  for (const file of changed) {
    await dropLeftovers(client, file.name.replace(/^functions\/(.*)\.sql$/, '$1'));
    await record(client, file);
  }
}

/** Each as 'name on table'. */
async function readTriggers(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ trigger: string }>(
    `select tgname || ' on ' || relname as trigger from pg_trigger join pg_class c on c.oid = tgrelid
      where relnamespace = current_schema::regnamespace and not tgisinternal`,
  );
  return new Set(rows.map(({ trigger }) => trigger));
}

function triggersOf(sql: string): string[] {
  const made = sql.matchAll(/^create (?:or replace )?(?:constraint )?trigger (\w+)\s[^;]*?\son (\w+)/gim);
  return [...made].map(([, name, table]) => `${name} on ${table}`);
}

/**
 * Drops what an earlier text of the file created and the current one does not: a trigger, or the function with other
 * parameters. These have the function's name, but this transaction did not write them.
 */
async function dropLeftovers(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `with made as (
       select oid, xmin from pg_proc where proname = $1 and pronamespace = current_schema::regnamespace
     )
     select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
       from pg_trigger where tgfoid in (select oid from made) and xmin <> pg_current_xact_id()::xid
     union all
     select format('drop function %s', oid::regprocedure) from made where xmin <> pg_current_xact_id()::xid`,
    [name],
  );
  for (const { statement } of rows) await apply(client, statement, statement);
}

/** Returns the recorded hashes by name, either of the functions or of the migrations. */
async function readRecord(client: pg.Client, functions: boolean): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    `select name, hash from applied_files where (name like 'functions/%') = $1 order by name`,
    [functions],
  );
  return new Map(rows.map((row) => [row.name, row.hash]));
}

async function record(client: pg.Client, { name, hash }: SqlFile): Promise<void> {
  await client.query(
    `insert into applied_files (name, hash) values ($1, $2)
     on conflict (name) do update set hash = excluded.hash, applied_at = now()
       where applied_files.hash <> excluded.hash`,
    [name, hash],
  );
}

async function apply(client: pg.Client, what: string, sql: string): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw new Error(`${what} failed: ${String(error)}`, { cause: error });
  }
}

/** 40P01 is deadlock_detected, 55P03 lock_not_available. */
function isInTheWay(error: unknown): boolean {
  return ['40P01', '55P03'].includes(causeOf(error)?.code ?? '');
}

/** The error of PostgreSQL, which apply() wraps. */
function causeOf(error: unknown): pg.DatabaseError | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof pg.DatabaseError ? cause : undefined;
}
