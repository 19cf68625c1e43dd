/**
 * Vitest's global setup for tests that need a database. It provides one PostgreSQL for the whole run and a migrated
 * template that createTestDatabase() copies. If TEST_DATABASE_URL names a server, its role must be able to create
 * databases and roles. Otherwise an embedded server runs, which simultaneous runs of this checkout share.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '#server/platform/database/embedded/embedded.ts';
import { builtInMajor } from '#server/platform/database/embedded/programs.ts';
import { migrate, readFunctions, readMigrations } from '#server/platform/database/migrate.ts';
import {
  addressOf,
  isForgotten,
  newDatabaseName,
  folderOfCheckout,
  sweepTemporaryFolders,
} from './temporary.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a database on the test server, with the role that owns the databases. */
    ownerUrl: string;
    /** The same with the role of the server, which owns nothing. */
    serverUrl: string;
    /** The name of the migrated database to copy. */
    templateDatabase: string;
    /** The address of a copy of it whose partitioned tables have partitions (database/crashing-query-plans.ts). */
    plansUrl: string;
  }
}

const root = path.resolve(import.meta.dirname, '../..');
/** The key of the lock that keeps two test runs from preparing the server at the same time. Any number works. */
const preparationLock = 7_006_826;

interface TestServer {
  ownerUrl: string;
  serverUrl: string;
  template: string;
  plans: string;
  stop(): Promise<void>;
}

type BareServer = Omit<TestServer, 'template' | 'plans'>;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  sweepTemporaryFolders();
  const server = await startTestServer();
  project.provide('ownerUrl', server.ownerUrl);
  project.provide('serverUrl', server.serverUrl);
  project.provide('templateDatabase', server.template);
  project.provide('plansUrl', addressOf(server.ownerUrl, server.plans));
  return async () => await server.stop();
}

/** Starts the server and creates its template. The caller must stop it. */
async function startTestServer(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? await useGivenServer(given) : await startOwnServer();
  try {
    return { ...server, ...(await makeTemplates(server)) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Calls `use` with the owner's address of a migrated database, and then drops it. If `use` fails, a later run drops it.
 * For scripts. A test calls createTestDatabase().
 */
export async function withMigratedDatabase<T>(use: (url: string) => Promise<T>): Promise<T> {
  const server = await startTestServer();
  const name = newDatabaseName(Date.now());
  const client = new pg.Client({ connectionString: server.ownerUrl });
  try {
    await client.connect();
    await client.query(`create database ${name} template ${server.template} strategy file_copy`);
    const result = await use(addressOf(server.ownerUrl, name));
    await client.query(`drop database ${name} with (force)`);
    return result;
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Never use them outside of tests. */
const SETTINGS = [
  // Faster but unsafe, because the data need not survive a crash.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  // No vacuuming and no statistics of tables beside the tests. The tests of query plans run ANALYZE themselves.
  'autovacuum=off',
  'track_counts=off',
  // Compiling a query costs more than it saves below millions of rows.
  'jit=off',
  // One plan for each prepared statement (prepared-statements.ts). By default, the first five executions make their own.
  'plan_cache_mode=force_generic_plan',
  // A socket in the data folder. A statement over TCP takes a tenth more processor time.
  ...(process.platform === 'win32' ? [] : ['unix_socket_directories=.']),
];

/** A folder for each major version, because a run of another branch may have left a cluster of another one. */
function ownDataDir(): string {
  return path.join(folderOfCheckout(root), `postgresql-${builtInMajor()}`);
}

async function startOwnServer(): Promise<BareServer> {
  const server = await startEmbedded({
    dataDir: ownDataDir(),
    log: (line) => console.log(line),
    shared: true,
    flags: SETTINGS.flatMap((setting) => ['-c', setting]),
  });
  const folder = path.join(server.home, 'data');
  const [ownerUrl, serverUrl] = [server.ownerUrl('postgres'), server.url('postgres')].map((address) => {
    const url = new URL(address);
    // A run of another branch may have started the server without the socket.
    if (existsSync(path.join(folder, `.s.PGSQL.${url.port}`))) url.searchParams.set('host', folder);
    return url.href;
  }) as [string, string];
  for (const url of [ownerUrl, serverUrl]) await simplifyPassword(url);
  return { ownerUrl, serverUrl, stop: async () => await server.stop() };
}

/** The role of the server is made here, because a server of the developer has none. */
async function useGivenServer(ownerUrl: string): Promise<BareServer> {
  const role = 'openslot_server_of_tests';
  const url = new URL(ownerUrl);
  url.username = role;
  await inTurn(ownerUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    const password = client.escapeLiteral(decodeURIComponent(url.password));
    await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${role} login password ${password}`);
  });
  return { ownerUrl, serverUrl: url.href, stop: async () => {} };
}

/**
 * Stores the role's password with one iteration of SCRAM instead of 4096, which both sides repeat for every connection.
 * A server in a test opens about ten.
 */
async function simplifyPassword(url: string): Promise<void> {
  await inTurn(url, async (client) => {
    await client.query('set scram_iterations = 1');
    await client.query(`alter role current_user password ${client.escapeLiteral(new URL(url).password)}`);
  });
}

/** Stops the embedded server if a killed run left it behind and no other run uses it. */
export async function stopAbandonedTestServer(): Promise<void> {
  if (!existsSync(path.join(ownDataDir(), 'postgres/data/postmaster.pid'))) return;
  const server = await startOwnServer();
  await server.stop();
}

/** The template's name is a hash of the migrations and functions, so that each change of them gets a new template. */
async function makeTemplates({
  ownerUrl,
  serverUrl,
}: BareServer): Promise<{ template: string; plans: string }> {
  const template = `template_${await hashOfMigrations()}`;
  const plans = `${template}_plans`;
  await inTurn(ownerUrl, async (client) => {
    const names = await sweep(client);
    if (names.includes(template)) return;
    // Rename it when it is complete, so that a run that is killed meanwhile leaves no incomplete template.
    const draft = `${template}_draft`;
    await client.query(`create database "${draft}"`);
    await migrate(addressOf(ownerUrl, draft), addressOf(serverUrl, draft));
    await fillCatalogCache(addressOf(ownerUrl, draft));
    await client.query(`create database "${plans}" template "${draft}"`);
    await addPartitions(addressOf(ownerUrl, plans));
    // PostgreSQL does not copy a database that somebody is connected to.
    await client.query(`alter database "${draft}" allow_connections false`);
    await client.query(`alter database "${draft}" rename to "${template}"`);
  });
  return { template, plans };
}

/** PostgreSQL plans a partitioned table with one partition as if it had none. */
async function addPartitions(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    select ensure_event_partition(current_date + n), ensure_hour_month(now() + (n + 2) * interval '31 days')
      from generate_series(1, 3) n`);
  await client.end();
}

/** A first connection writes a file that makes later ones faster. The copies of the template have it from the start. */
async function fillCatalogCache(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.end();
}

/** Connects to the server when no other test run prepares it, and keeps others waiting meanwhile. */
async function inTurn(url: string, prepare: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [preparationLock]);
    await prepare(client);
  } finally {
    await client.end();
  }
}

/** Drops the databases that earlier runs left behind, and returns the templates that it keeps. */
async function sweep(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database order by oid desc',
  );
  const names = rows.map(({ name }) => name);
  const templates = names.filter((name) => /^template_[0-9a-f]{16}$/.test(name));
  // Keep the last few, because a run of another branch may be copying one of them.
  const kept = templates.slice(0, 4);
  const outdated = names.filter(
    (name) =>
      (templates.includes(name.replace(/_plans$/, '')) && !kept.includes(name.replace(/_plans$/, ''))) ||
      name.endsWith('_draft') ||
      isForgotten(name, Date.now()),
  );
  for (const name of outdated)
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  return kept;
}

async function hashOfMigrations(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['migrate.ts', 'server-rights.ts'])
    hash.update(await readFile(path.join(root, 'server/platform/database', file)));
  for (const file of [...readMigrations(), ...readFunctions()]) hash.update(file.name).update(file.hash);
  return hash.digest('hex').slice(0, 16);
}
