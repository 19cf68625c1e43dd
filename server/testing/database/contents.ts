/** The contents of a database, to compare it with another one. */
import pg from 'pg';

export async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Of each table, the number of rows and a sum of all that is in them, but for what means something in one cluster only. */
export async function contents(url: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    url,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not in ('applied_files', 'openslot_release', 'servers',
         'delivery_changes', 'outbound', 'backups') order by 1`,
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const row = name === 'ledger_tx' ? `to_jsonb(t) - 'xact'` : 'to_jsonb(t)';
    const [sum] = await query<{ text: string }>(
      url,
      `select count(*) || ' ' || coalesce(md5(string_agg(line, ',' order by line)), '') as text
         from (select (${row})::text as line from ${name} t) as lines`,
    );
    found[name] = sum!.text;
  }
  return found;
}
