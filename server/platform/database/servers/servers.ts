/** The running servers, each with a row that it renews. They count each other, and the operator sees their releases. */
import { sql } from 'kysely';
import { RELEASE } from '../../settings/release.ts';
import { SERVER } from '../../log/log.ts';
import { type Database, type Tx, createDatabase, createPool } from '../database.ts';
import { createHash } from 'node:crypto';

/** How often a server renews its row. */
export const BEAT_MS = 5000;
/** A server that was not seen for so long has ended, or cannot reach the database. */
export const GONE_SECONDS = 30;

/** The name of the server of this process on this port. It begins with its name in the log. */
export const serverName = (port: number): string => `${SERVER} on port ${port}`;

/** What a server writes about itself. */
export type ServerNote = {
  server: string;
  /** The settings of the marketplace that its environment sets, and TAX_RATES_FILE. */
  environment?: readonly string[];
  /** Fingerprints of the secrets that it accepts. The first one signs. */
  secrets?: readonly string[];
};

/**
 * The fingerprints of the secrets of `keysFor`, for ServerNote. They are salted with the id of the installation, so that
 * two installations with one secret have different ones.
 */
export async function fingerprintsOf(tx: Tx, keysFor: (purpose: string) => Buffer[]): Promise<string[]> {
  const purpose = `fingerprint in the installation ${await installationId(tx)}`;
  return keysFor(purpose).map((key) => key.toString('hex'));
}

/** Renews the row of this server, and removes those that have been gone for an hour. */
export async function noteServer(
  tx: Tx,
  { server, environment = [], secrets = [] }: ServerNote,
): Promise<void> {
  await sql`with gone as (delete from servers where seen < now() - interval '1 hour')
    insert into servers (server, release, environment, secrets, seen)
      values (${server}, ${RELEASE}, ${[...environment]}::text[], ${[...secrets]}::text[], now())
      on conflict (server) do update
        set seen = now(), environment = excluded.environment, secrets = excluded.secrets`.execute(tx);
}

/** Servers that start at the same moment take this lock, so that the second one sees the first. Any number works. */
const JOIN_LOCK = 7_305_113;

/**
 * Writes the row of a server that starts. Returns the name of a running server whose sessions and tokens it would not
 * accept, with no row, or null.
 */
export async function joinServers(db: Database, note: ServerNote): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${JOIN_LOCK})`.execute(tx);
    // A killed process can have left its row under the same name.
    await forgetServer(tx, note.server);
    const stranger = await findStranger(tx, note);
    if (stranger === null) await noteServer(tx, note);
    return stranger;
  });
}

/**
 * The name of another server that runs now, started before this one, and signs with a secret that this one does not
 * accept; null if there is none. A server without a row starts now, after all others. One that could not renew its row for a
 * while may come back beside one that has started meanwhile.
 */
export async function findStranger(tx: Tx, { server, secrets = [] }: ServerNote): Promise<string | null> {
  const { rows } = await sql<{ server: string }>`
    select server from servers
      where ${runsNow} and server <> ${server} and secrets[1] <> all (${[...secrets]}::text[])
        and started_at < coalesce((select started_at from servers where server = ${server}), 'infinity')
      order by started_at, server limit 1`.execute(tx);
  return rows[0]?.server ?? null;
}

export async function forgetServer(tx: Tx, server: string): Promise<void> {
  await tx.deleteFrom('servers').where('server', '=', server).execute();
}

const runsNow = sql`seen > now() - make_interval(secs => ${GONE_SECONDS})`;

/** How many servers run now. */
export async function countServers(tx: Tx): Promise<number> {
  const { rows } = await sql<{ servers: number }>`
    select count(*)::integer as servers from servers where ${runsNow}`.execute(tx);
  return rows[0]!.servers;
}

/** The servers that run now and have this setting in their environment. */
export async function serversWithSetting(tx: Tx, setting: string): Promise<string[]> {
  const { rows } = await sql<{ server: string }>`
    select server from servers where ${runsNow} and ${setting} = any (environment) order by server`.execute(
    tx,
  );
  return rows.map(({ server }) => server);
}

/** The servers that run now, by name. `seenSeconds`: since each renewed its row, by the clock of the database. */
export async function listServers(
  tx: Tx,
): Promise<{ server: string; release: string; seenSeconds: number }[]> {
  const { rows } = await sql<{ server: string; release: string; seenSeconds: number }>`
    select server, release, extract(epoch from now() - seen)::float8 as "seenSeconds"
      from servers where ${runsNow} order by server`.execute(tx);
  return rows;
}

/**
 * The random id of this installation. It names what the installation keeps elsewhere: objects of the payment provider, the
 * bucket of files, and the streams of events. A backup has it, so what is restored is the same installation.
 */
export async function installationId(tx: Tx): Promise<string> {
  const { id } = await tx.selectFrom('installation').select('id').executeTakeFirstOrThrow();
  return id;
}

/** A name of the installation that anyone may read. It says nothing about the id. */
export const markOf = (id: string): string =>
  createHash('sha256').update(`openslot mark of the installation ${id}`).digest('hex').slice(0, 32);

/** Every running instance keeps a connection with this name and its port, so that the command line finds it. */
const NAME = 'openslot on port ';

export const instanceName = (port: number): string => NAME + port;

/** The port of an instance that runs on this machine, the lowest of several. Null if there is none. */
export async function findPort(databaseUrl: string): Promise<number | null> {
  const db = createDatabase(createPool(databaseUrl, 1));
  try {
    // An instance on another machine reaches the database from another address.
    const { rows } = await sql<{ port: number | null }>`
      select min(substr(application_name, ${NAME.length + 1}::integer)::integer) as port from pg_stat_activity
        where datname = current_database() and starts_with(application_name, ${NAME})
          and client_addr is not distinct from inet_client_addr()`.execute(db);
    return rows[0]?.port ?? null;
  } finally {
    await db.destroy();
  }
}
