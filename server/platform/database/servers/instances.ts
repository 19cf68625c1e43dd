/** Every running instance keeps a connection with this name and its port, so that the command line finds it. */
import { sql } from 'kysely';
import { createDatabase, createPool } from '../database.ts';

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
