/** Fills databases by SQL. The tests and the bench use it. */
import pg from 'pg';

export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` without our own triggers, which would check, note and announce each row alone. The role owns the tables. */
export async function withoutTriggers(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ relname: string }>(
    `select distinct relname from pg_trigger join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relnamespace = 'public'::regnamespace`,
  );
  const triggers = (state: 'disable' | 'enable') =>
    client.query(rows.map(({ relname }) => `alter table ${relname} ${state} trigger user`).join('; '));
  await triggers('disable');
  await work();
  await triggers('enable');
}
