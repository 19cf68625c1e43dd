import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { addressOf, newDatabaseName, newTemporaryFolder } from '#server/testing/temporary.ts';
import { SESSION_SECRET } from '#server/testing/accounts/sign-in.ts';
import { ready, type ServerProcess, spawnServer } from '#server/testing/server-process.ts';
import { freePort } from './embedded/process.ts';
import { COMPATIBLE_FROM, compareReleases, RELEASE } from '../settings/release.ts';
import {
  makeTables,
  migrate,
  readFunctions,
  readMigrations,
  takeSteps,
  UnreleasedDatabase,
} from './migrate.ts';

const migrations = readMigrations().map(({ name }) => name);
const functions = readFunctions().map(({ name }) => name);
const names = [...migrations, ...functions];

/** The address of an empty database. Most other tests use a migrated copy. */
let url: string;
let drop: () => Promise<void>;
beforeEach(async () => {
  const name = newDatabaseName(Date.now());
  await query(inject('ownerUrl'), `create database ${name}`);
  url = addressOf(inject('ownerUrl'), name);
  drop = async () => {
    await query(inject('ownerUrl'), `drop database ${name} with (force)`);
  };
});
afterEach(() => drop());

async function query(on: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: on });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a server on the database, in a process of its own. */
async function start(): Promise<{ server: ServerProcess; url: string }> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const settings = {
    DATABASE_URL: url,
    PORT: String(port),
    PUBLIC_URL: address,
    SAMPLE_DATA: '0',
    SESSION_SECRET,
  };
  return { server: spawnServer({ ...settings, DATA_DIR: newTemporaryFolder('start') }), url: address };
}

const applied = async () =>
  (await query(url, 'select name from applied_files order by name')).map(({ name }) => name);
const tables = async () =>
  (await query(url, `select tablename from pg_tables where schemaname = 'public' order by 1`)).map(
    ({ tablename }) => tablename,
  );

describe('migrations', () => {
  it('are numbered without gaps', () => {
    expect(migrations.map((name) => Number(name.slice(0, 3)))).toEqual(
      migrations.map((_, index) => index + 1),
    );
  });

  it('create the tables in an empty database, and running them again changes nothing', async () => {
    await migrate(url);
    expect(await applied()).toEqual(names);
    const built = await tables();
    expect(built).toEqual(
      expect.arrayContaining(['users', 'websites', 'ad_zones', 'ads', 'uploads', 'media_library']),
    );
    await query(url, `insert into users (email, password) values ('kept@example.test', 'x')`);
    await migrate(url);
    expect(await tables()).toEqual(built);
    expect(await query(url, 'select email from users')).toEqual([{ email: 'kept@example.test' }]);
  });

  it('run once when several servers start at the same time', async () => {
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(await applied()).toEqual(names);
  });

  it('are rolled back together when one fails, and are applied when the cause is removed', async () => {
    // This table makes a late statement of the fourth file fail.
    await query(url, 'create table ad_zone_products ()');
    await expect(migrate(url)).rejects.toThrow('004-inventory.sql failed');
    expect(await tables()).toEqual(['ad_zone_products']);
    await query(url, 'drop table ad_zone_products');
    await migrate(url);
    expect(await applied()).toEqual(names);
  });

  it('of a start that is killed in the middle leave nothing, and two servers that start at once complete them', async () => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    // A migration in the middle makes a table of this name, and waits for the end of this transaction.
    await holder.query('begin; create table messages ()');
    const killed = await start();
    const waiting = `select from pg_stat_activity where datname = current_database()
      and application_name = 'openslot migrate' and wait_event_type = 'Lock'`;
    await vi.waitUntil(async () => (await query(url, waiting)).length > 0, { timeout: 60_000 });
    await killed.server.stop('SIGKILL');
    await holder.query('rollback');
    await holder.end();
    expect(await tables()).toEqual([]);

    const both = await Promise.all([start(), start()]);
    await Promise.all(both.map(async (each) => await ready(each.server, each.url)));
    expect(await applied()).toEqual(names);
    expect(await query(url, 'select from servers')).toHaveLength(2);
    await Promise.all(both.map(async ({ server }) => await server.stop('SIGTERM')));
  });

  it('refuse a database if an applied migration has changed', async () => {
    await migrate(url);
    await query(url, `update applied_files set hash = 'another' where name = '004-inventory.sql'`);
    await expect(migrate(url)).rejects.toThrow('004-inventory.sql was changed after it was applied');
  });

  it('refuse a database of a newer version without changing it', async () => {
    await migrate(url);
    await query(url, `insert into applied_files (name, hash) values ('999-later.sql', 'x')`);
    await query(url, `delete from applied_files where name = '${migrations.at(-1)}'`);
    await expect(migrate(url)).rejects.toThrow('migrated by a newer Openslot (999-later.sql)');
    expect(await applied()).toEqual([...migrations.slice(0, -1), '999-later.sql', ...functions]);
  });

  it('refuse a database that has functions of a newer version', async () => {
    await migrate(url);
    await query(url, `insert into applied_files (name, hash) values ('functions/later.sql', 'x')`);
    await expect(migrate(url)).rejects.toThrow('migrated by a newer Openslot (functions/later.sql)');
  });

  it('recognize the database of an unreleased checkout by an unknown migration between known ones', async () => {
    await migrate(url);
    await query(url, `insert into applied_files (name, hash) values ('005-other.sql', 'x')`);
    await expect(migrate(url)).rejects.toThrow(UnreleasedDatabase);
  });
});

describe('a database with a release', () => {
  const owner = async () => await query(url, 'select release, compatible_from from openslot_release');
  const setOwner = async (release: string, compatibleFrom: string) =>
    await query(
      url,
      `update openslot_release set release = '${release}', compatible_from = '${compatibleFrom}'`,
    );
  /** What a newer release leaves: a function with another text, and files that this release does not know. */
  const upgradeBeyond = async () =>
    await query(
      url,
      `create function later() returns text language sql as $$ select 'newer' $$;
      update applied_files set hash = 'newer' where name = 'functions/net_views.sql';
      insert into applied_files (name, hash) values ('functions/later.sql', 'x'), ('999-later.sql', 'x')`,
    );
  const everything = async () =>
    await query(
      url,
      `select name, hash, applied_at::text from applied_files union all
      select p.oid::regprocedure::text, pg_get_functiondef(p.oid), p.xmin::text from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
          and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
      order by 1`,
    );

  it('belongs to the release that has upgraded it', async () => {
    await migrate(url);
    const own = [{ release: RELEASE, compatible_from: COMPATIBLE_FROM }];
    expect(await owner()).toEqual(own);
    await setOwner('0.0.1', '0.0.1');
    await query(url, `update applied_files set hash = 'older' where name = 'functions/net_views.sql'`);
    await migrate(url);
    expect(await owner()).toEqual(own);
    expect(await query(url, `select from applied_files where hash = 'older'`)).toEqual([]);
  });

  it('is left as it is by an older release that is compatible, and refused to one that is not', async () => {
    await migrate(url);
    await upgradeBeyond();
    for (const compatibleFrom of [RELEASE, '0.0.1']) {
      await setOwner('99.0.0', compatibleFrom);
      const before = await everything();
      await migrate(url);
      expect(await everything()).toEqual(before);
      expect(await owner()).toEqual([{ release: '99.0.0', compatible_from: compatibleFrom }]);
    }
    await setOwner('99.1.0', '98.0.0');
    const before = await everything();
    await expect(migrate(url)).rejects.toThrow(
      `This is Openslot ${RELEASE}, and Openslot 99.1.0 has upgraded the database. Start Openslot 98.0.0 or newer`,
    );
    expect(await everything()).toEqual(before);
  });

  it('takes the rows of a backup whose kinds a migration has added in steps', async () => {
    const sql = `-- expand\n\n-- In steps
      alter table mail_bounces drop constraint mail_bounces_kind_known;
      alter table mail_bounces add constraint mail_bounces_kind_known check (kind in ('hard', 'soft', 'spam'));`;
    const file = { name: '998-more-kinds.sql', sql, hash: 'x' };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query('begin');
      await makeTables(client, [...readMigrations(), file], [...readMigrations(), file]);
      await client.query(`insert into mail_bounces values ('a@a.test', now(), 'spam')`);
      await client.query('commit');
    } finally {
      await client.end();
    }
    expect(await applied()).toEqual([...migrations, file.name]);
  });

  it('gets indexes of large tables while they are in use, also after a build that was interrupted', async () => {
    await migrate(url);
    const sql = `-- expand\ncreate index concurrently users_of_day on users (created_at);\ncreate index concurrently users_of_name on users (last_name); -- two`;
    const file = { name: '998-more-indexes.sql', sql, hash: 'x' };
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // A build that fails leaves its index behind.
      await client.query(
        `insert into users (email, password, last_name) values ('a@a.test', 'x', 'A'), ('b@b.test', 'x', 'A')`,
      );
      const failing = client.query('create unique index concurrently users_of_name on users (last_name)');
      await expect(failing).rejects.toThrow('could not create unique index');
      const writer = query(url, `begin; update users set updated_at = now(); select pg_sleep(0.2); commit`);
      await takeSteps(client, [file]);
      await takeSteps(client, [file]);
      await writer;
    } finally {
      await client.end();
    }
    expect(
      await query(
        url,
        `select c.relname, i.indisvalid, i.indisunique from pg_index i join pg_class c on c.oid = i.indexrelid
          where c.relname like 'users_of_%' order by 1`,
      ),
    ).toEqual([
      { relname: 'users_of_day', indisvalid: true, indisunique: false },
      { relname: 'users_of_name', indisvalid: true, indisunique: false },
    ]);
    expect(await applied()).toContain('998-more-indexes.sql');
  });

  it.each([
    ['0.1.0', '0.1.0', 0],
    ['0.2.0', '0.10.0', -8],
    ['1.0.0', '0.99.99', 1],
    ['0.1.2', '0.1.1', 1],
  ])('compares release %s with %s by its numbers', (a, b, expected) => {
    expect(compareReleases(a, b)).toBe(expected);
  });
});
