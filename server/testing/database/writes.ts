/** Counts the rows that are written, at once. The test's PostgreSQL keeps no statistics of tables. */
import { sql } from 'kysely';
import type { Database } from '#server/platform/database/database.ts';

/** Counts the rows that are inserted, updated or deleted from now on, by table. `owner` owns the tables. */
export async function countWrites(owner: Database): Promise<() => Promise<Record<string, number>>> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
      order by 1`.execute(owner);
  // A sequence counts also what is rolled back, and no writer waits for another.
  await sql`
    create function note_write() returns trigger language plpgsql security definer as $$ begin
      perform nextval(tg_argv[0]::regclass);
      return null;
    end $$`.execute(owner);
  for (const [at, { name }] of tables.entries())
    await sql
      .raw(
        `create sequence writes_${at};
         create trigger note_write after insert or update or delete on ${name}
           for each row execute function note_write('writes_${at}')`,
      )
      .execute(owner);
  return async () => {
    const { rows } = await sql<{ at: number; n: string }>`
      select substring(sequencename from 8)::integer as at, coalesce(last_value, 0) as n
        from pg_sequences where sequencename like 'writes\\_%'`.execute(owner);
    return Object.fromEntries(
      rows.flatMap(({ at, n }) => (Number(n) > 0 ? [[tables[at]?.name ?? '', Number(n)]] : [])),
    );
  };
}
