/** The rights of the server's role in the database. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { utcDay } from '#domain/time.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let server: pg.Client;
let owner: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  server = new pg.Client({ connectionString: database.url });
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await Promise.all([server.connect(), owner.connect()]);
});
afterAll(async () => {
  await Promise.all([server.end(), owner.end()]);
  await database.drop();
});

const DENIED = /permission denied|must be owner/;
const today = utcDay(new Date()).replaceAll('-', '');

describe('the role of the server', () => {
  // Proves DOOR-17
  it('owns nothing, and no other role lends it rights', async () => {
    const { rows } = await server.query(`
      select 'relation ' || oid::regclass as owned from pg_class where relowner = current_user::regrole
      union all select 'function ' || oid::regprocedure from pg_proc where proowner = current_user::regrole
      union all select 'type ' || oid::regtype from pg_type where typowner = current_user::regrole
      union all select 'schema ' || nspname from pg_namespace where nspowner = current_user::regrole
      union all select 'database ' || datname from pg_database where datdba = current_user::regrole
      union all select 'member of ' || roleid::regrole from pg_auth_members where member = current_user::regrole
      union all select 'attributes' from pg_roles
        where rolname = current_user and (rolsuper or rolcreatedb or rolcreaterole or rolbypassrls or rolreplication)`);
    expect(rows).toEqual([]);
  });

  // Proves DOOR-17
  it.each([
    'alter table ledger_postings disable trigger ledger_postings_append_only',
    'alter table ads disable trigger all',
    'drop trigger guard_ad on ads',
    'create or replace function guard_ad() returns trigger language plpgsql as $$ begin return new; end $$',
    'alter function guard_ad() rename to guard_none',
    'drop function count_events cascade',
    'create function mine() returns integer language sql as $$ select 1 $$',
    'create table mine ()',
    'create temporary table closed_months (month date)',
    'create schema mine',
    `create trigger mine before insert on ads for each row execute function guard_ad()`,
    'alter table ads add column mine text',
    'alter table ads drop constraint ads_plan',
    'drop table operator_acts',
    'truncate rate_limits',
    `drop table ad_events_${today}`,
    `alter table ad_events detach partition ad_events_${today}`,
    `select count(*) from ad_events_${today}`,
    'delete from ad_events',
    `delete from applied_files`,
    `update applied_files set hash = ''`,
    `update openslot_release set release = '9.0.0'`,
    `insert into known_acts (name) values ('anything')`,
    `update operator_acts set reason = ''`,
    'delete from ledger_postings',
    'delete from graphile_worker.migrations',
    'alter table graphile_worker._private_jobs disable row level security',
    `set session_replication_role = 'replica'`,
    'alter table ads owner to current_user',
    'grant openslot to current_user',
    'create role mine',
    'create database mine',
    'set role openslot',
  ])('cannot run: %s', async (statement) => {
    await owner.query('select ensure_event_partition($1)', [today]);
    await expect(server.query(statement)).rejects.toThrow(DENIED);
  });

  // Proves DOOR-17
  it('makes partitions of events, drops none of the last three days, whatever it says about today, and with an archive only days that are whole there', async () => {
    const day = (n: number) => utcDay(new Date(Date.now() - n * 86_400_000));
    for (const n of [40, 39, 4, 3]) await server.query('select ensure_event_partition($1)', [day(n)]);
    const drop = async (n: number, daysKept: number, needsArchive: boolean, today = '2100-01-01') => {
      const statement = 'select drop_event_day($1, $2, $3, $4) as dropped';
      const { rows } = await server.query<{ dropped: boolean }>(statement, [
        day(n),
        today,
        daysKept,
        needsArchive,
      ]);
      return rows[0]!.dropped;
    };
    for (const daysKept of [35, 3, 0, -100]) expect(await drop(3, daysKept, false)).toBe(false);
    // Tests and rehearsals move the clock of the server back. The partitions of their days stay.
    expect(await drop(40, 35, false, day(20))).toBe(false);
    expect([await drop(4, 4, false), await drop(4, 3, false)]).toEqual([false, true]);
    expect(await drop(40, 35, true)).toBe(false);
    await server.query(
      `insert into archived_days (day, tried_at, place, rows) values ($1, now(), '/archive', 1), ($2, now(), '/archive', 0)`,
      [day(40), day(39)],
    );
    // The archive has an event that the database does not have, so it is not this day.
    expect(await drop(40, 35, true)).toBe(false);
    expect(await drop(39, 35, true)).toBe(true);
    expect(await drop(39, 35, true)).toBe(false);
    expect(await drop(40, 35, false)).toBe(true);
  });

  // Proves DOOR-17
  it('gets its rights on a new table with the next start, in the transaction that changes the functions', async () => {
    await owner.query('create table made_later (id integer generated always as identity, note text)');
    await expect(server.query('select from made_later')).rejects.toThrow(DENIED);
    await migrate(database.ownerUrl, database.url);
    await server.query(`insert into made_later (note) values ('x')`);
    await server.query(`update made_later set note = 'y'`);
    await expect(server.query('truncate made_later')).rejects.toThrow(DENIED);
    expect((await server.query('delete from made_later returning note')).rows).toEqual([{ note: 'y' }]);
  });

  // Proves DOOR-17
  it('loses the right to make temporary tables, which PostgreSQL gives to everybody', async () => {
    const { rows } = await owner.query<{ name: string }>('select current_database() as name');
    await owner.query(`grant temporary on database ${rows[0]!.name} to public`);
    await server.query('create temporary table closed_months (); drop table pg_temp.closed_months');
    await migrate(database.ownerUrl, database.url);
    await expect(server.query('create temporary table closed_months ()')).rejects.toThrow(DENIED);
  });

  // Proves DOOR-17
  it('cannot migrate, and the error says which role can', async () => {
    await expect(migrate(database.url)).rejects.toThrow(
      /^The database cannot be upgraded: permission denied/,
    );
  });
});

// Proves DOOR-17
it('one role that does both keeps all its rights', async () => {
  await migrate(database.ownerUrl);
  const { rows } = await owner.query(
    `select from pg_class where relowner <> current_user::regrole and relnamespace = 'public'::regnamespace`,
  );
  expect(rows).toEqual([]);
});
