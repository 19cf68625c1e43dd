import pg from 'pg';

/** Creates the database `name` if the server has none. `serverUrl` is the address of any database of the server. */
export async function createDatabaseIfMissing(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // Two starts at once: 42P04 and 23505 say that the other one created it.
    if (!(error instanceof pg.DatabaseError && (error.code === '42P04' || error.code === '23505')))
      throw error;
  } finally {
    await client.end();
  }
}
