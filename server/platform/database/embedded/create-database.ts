import pg from 'pg';
import { clientTo } from '../database.ts';

/** Creates the database `name` if it does not exist. `serverUrl` is the address of any database on the same server. */
export async function createDatabaseIfMissing(serverUrl: string, name: string): Promise<void> {
  const client = clientTo(serverUrl, 'openslot start');
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // 42P04 (duplicate_database) and 23505 (unique_violation): another process created it at the same moment.
    if (!(error instanceof pg.DatabaseError && (error.code === '42P04' || error.code === '23505')))
      throw error;
  } finally {
    await client.end();
  }
}
