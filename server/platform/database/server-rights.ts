/** The rights of the role that the server works with, where another role owns the tables. */
import type pg from 'pg';

/**
 * Gives `role` the rights on the tables of `schema` that it lacks. It can read and change rows, and nothing else: it
 * cannot truncate a table, or turn off a trigger. It only reads what `migrate` writes, cannot delete events, and only
 * adds rows to a table that a trigger makes append-only. The tables of the job queue have row-level security, which is for their owner
 * only as long as no policy names another role. docs/decisions/060-two-database-roles.md says why.
 */
export async function grantRights(client: pg.Client, schema: string, role: string): Promise<void> {
  // Grant only what is missing, because each grant makes the running instances plan their statements again.
  const { rows } = await client.query<{ statement: string }>(
    `select format('grant usage on schema %I to %I', $1::text, $2::text) as statement
       where not has_schema_privilege($2, $1, 'usage')
     union all
     select format('grant %s on %s to %I', string_agg(privilege, ', '), c.oid::regclass, $2)
       from pg_class c
       cross join (values ('select', 0), ('insert', 0), ('update', 16), ('delete', 8)) as wanted (privilege, event)
       where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
         -- The job queue has a table \`migrations\`.
         and not (c.relname in ('migrations', 'applied_files', 'openslot_release', 'known_acts', 'known_act_subjects',
             'packed_events')
           and privilege <> 'select')
         and not (c.relname = 'ad_events' and privilege = 'delete')
         and not exists (
           select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
             where t.tgrelid = c.oid and t.tgtype & event <> 0 and p.proname like '%append\\_only')
         and not has_table_privilege($2, c.oid, privilege)
       group by c.oid
     union all
     select format('create policy %1$I on %2$s to %1$I using (true)', $2, c.oid::regclass)
       from pg_class c
       where c.relnamespace = $1::regnamespace and c.relrowsecurity
         and not exists (select from pg_policy where polrelid = c.oid and polname = $2)
     union all
     select format('grant usage on sequence %s to %I', s.seqrelid::regclass, $2)
       from pg_sequence s join pg_class c on c.oid = s.seqrelid
       where c.relnamespace = $1::regnamespace and not has_sequence_privilege($2, s.seqrelid, 'usage')`,
    [schema, role],
  );
  for (const { statement } of rows) await client.query(statement);
}

/**
 * Without this, the role could make a temporary table with the name of one of ours. Guards would then read the rows of
 * that table. Only the owner of the database can do this; for others, PostgreSQL warns and changes nothing.
 */
export async function forbidTemporaryTables(client: pg.Client): Promise<void> {
  await client.query(
    `do $$ begin
      if has_database_privilege('public', current_database(), 'temporary') then
        execute format('revoke temporary on database %I from public', current_database());
      end if;
    end $$`,
  );
}
