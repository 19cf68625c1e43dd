import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { migrate, readFunctions } from './migrate.ts';

const functions = readFunctions().map(({ name }) => name.replace(/^functions\/(.*)\.sql$/, '$1'));

let database: TestDatabase;
let url: string;
beforeEach(async () => {
  database = await createTestDatabase();
  url = database.ownerUrl;
});
afterEach(async () => await database.drop());

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const applied = async () => (await query('select name from applied_files')).map(({ name }) => name);
const ofEarlierText = async () =>
  await query(`select name from applied_files where hash = 'of an earlier text'`);

/** The definitions of all our functions and triggers, as PostgreSQL prints them. */
const code = async () =>
  (
    await query(
      `select pg_get_functiondef(p.oid) as text from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      union all
      select pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
      order by text`,
    )
  ).map(({ text }) => text);

/** Makes the database look as if an earlier version, with other texts in these files, had left it. */
async function makeEarlier(files: string[], statements: string): Promise<void> {
  if (statements !== '') await query(statements);
  await query(
    `update applied_files set hash = 'of an earlier text' where name = any ('{${files.map((file) => `functions/${file}.sql`).join()}}')`,
  );
}

describe('the functions of the database', () => {
  it('have the same names as their files, except for the one that a table needs', async () => {
    const made = await query(
      `select distinct proname from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
        order by 1`,
    );
    expect(made.map(({ proname }) => proname)).toEqual([...functions, 'plan_is_whole'].toSorted());
  });

  it('are applied again when their file has changed, and nothing of the earlier text remains', async () => {
    const built = await code();
    await makeEarlier(
      ['advertiser_name', 'guard_ad', 'live_ad_is_paid'],
      `create function advertiser_name(name text) returns text language sql as 'select name';
      create or replace function guard_ad() returns trigger language plpgsql as 'begin return new; end';
      create trigger guard_ad_too before insert on ads for each row execute function guard_ad();
      drop trigger guard_ad on ads;
      create trigger guard_ad before update of title on ads for each row execute function guard_ad();
      drop trigger live_ad_is_paid on ads`,
    );
    await migrate(url);
    expect(await code()).toEqual(built);
    expect(await ofEarlierText()).toEqual([]);
  });

  it('are not applied again when their file is unchanged', async () => {
    const versions = async () =>
      await query(
        `select oid, xmin from pg_proc where pronamespace = 'public'::regnamespace
        union all select oid, xmin from pg_trigger order by oid`,
      );
    const before = await versions();
    await migrate(url);
    expect(await versions()).toEqual(before);
  });

  it('are created again, with their triggers, after a migration that dropped them', async () => {
    const built = await code();
    await query(
      `drop table ad_archive, ad_reports; drop trigger guard_ad on ads;
      delete from applied_files where name = '015-transparency.sql'`,
    );
    await migrate(url);
    expect(await code()).toEqual(built);
  });

  it('and the migrations are rolled back together when one function fails', async () => {
    await makeEarlier(
      ['advertiser_name'],
      `drop table ad_archive, ad_reports; delete from applied_files where name = '015-transparency.sql';
      drop function advertiser_name; create function advertiser_name(advertiser integer) returns integer language sql as 'select 1'`,
    );
    await expect(migrate(url)).rejects.toThrow(
      'functions/advertiser_name.sql failed: error: cannot change return type',
    );
    expect(await query(`select to_regclass('ad_archive') as archive`)).toEqual([{ archive: null }]);
    expect(await applied()).not.toContain('015-transparency.sql');
  });

  it('give way to a running server that holds a table, and are applied when it lets go', async () => {
    await makeEarlier(['archive_ad', 'guard_ad'], '');
    const [holder, other] = [
      new pg.Client({ connectionString: url }),
      new pg.Client({ connectionString: url }),
    ];
    await Promise.all([holder.connect(), other.connect()]);
    const waiting = async () =>
      await query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`,
      );
    try {
      await holder.query('begin; update ads set silent_days = 0');
      const upgrade = migrate(url);
      await expect.poll(waiting).toHaveLength(1);
      // It waits behind the upgrade, which waits for the holder, until the upgrade gives way.
      await other.query('update ads set silent_days = 0');
      await holder.query('commit');
      await upgrade;
    } finally {
      await Promise.all([holder.end(), other.end()]);
    }
    expect(await ofEarlierText()).toEqual([]);
  });
});
