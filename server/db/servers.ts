/** The running servers, each with a row that it renews. They count each other, and the operator sees their releases. */
import { sql } from 'kysely';
import { RELEASE } from '../release.ts';
import { SERVER } from '../server-name.ts';
import type { Tx } from './database.ts';

/** How often a server renews its row. */
export const BEAT_MS = 5000;
/** A server that was not seen for so long has ended, or cannot reach the database. */
const GONE_SECONDS = 30;

/** The name of the server of this process on this port. It begins with its name in the log. */
export const serverName = (port: number): string => `${SERVER} on port ${port}`;

/**
 * Renews the row of this server, and removes those that have been gone for an hour. `environment` has the settings of the
 * marketplace that its environment sets.
 */
export async function noteServer(tx: Tx, server: string, environment: readonly string[] = []): Promise<void> {
  await sql`with gone as (delete from servers where seen < now() - interval '1 hour')
    insert into servers (server, release, environment, seen)
      values (${server}, ${RELEASE}, ${[...environment]}::text[], now())
      on conflict (server) do update set seen = now(), environment = excluded.environment`.execute(tx);
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
