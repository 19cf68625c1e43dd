import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { addressOf, newDatabaseName } from '../testing/database-name.ts';
import { EarlierCheckout, migrate, readFunctions, readMigrations } from './migrate.ts';

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

const applied = async () =>
  (await query(url, 'select name from migrations order by name')).map(({ name }) => name);
const tables = async () =>
  (await query(url, `select tablename from pg_tables where schemaname = 'public' order by 1`)).map(
    ({ tablename }) => tablename,
  );

describe('migrations', () => {
  // Proves RUN-08
  it('are numbered without gaps', () => {
    expect(migrations.map((name) => Number(name.slice(0, 3)))).toEqual(
      migrations.map((_, index) => index + 1),
    );
  });

  // Proves RUN-08
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

  // Proves RUN-08
  it('run once when several servers start at the same time', async () => {
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(await applied()).toEqual(names);
  });

  // Proves RUN-08
  it('are rolled back together when one fails, and are applied when the cause is removed', async () => {
    // This table makes a late statement of the third file fail.
    await query(url, 'create table ad_zone_products ()');
    await expect(migrate(url)).rejects.toThrow('003-inventory.sql failed');
    expect(await applied()).toEqual([]);
    expect(await tables()).toEqual(['ad_zone_products', 'migrations']);
    await query(url, 'drop table ad_zone_products');
    await migrate(url);
    expect(await applied()).toEqual(names);
  });

  // Proves RUN-08
  it('refuse a database if an applied migration has changed', async () => {
    await migrate(url);
    await query(url, `update migrations set hash = 'another' where name = '003-inventory.sql'`);
    await expect(migrate(url)).rejects.toThrow('003-inventory.sql was changed after it was applied');
  });

  // Proves RUN-08
  it('refuse a database of a newer version without changing it', async () => {
    await migrate(url);
    await query(url, `insert into migrations (name, hash) values ('999-later.sql', 'x')`);
    await query(url, `delete from migrations where name = '${migrations.at(-1)}'`);
    await expect(migrate(url)).rejects.toThrow('migrated by a newer Openslot (999-later.sql)');
    expect(await applied()).toEqual([...migrations.slice(0, -1), '999-later.sql', ...functions]);
  });

  // Proves RUN-08
  it('refuse a database that has functions of a newer version', async () => {
    await migrate(url);
    await query(url, `insert into migrations (name, hash) values ('functions/later.sql', 'x')`);
    await expect(migrate(url)).rejects.toThrow('migrated by a newer Openslot (functions/later.sql)');
  });

  // Proves RUN-08
  it.each([
    ['with other migration names', ['001-accounts.sql', '002-inventory.sql', '051-due-zones.sql']],
    ['with other migration texts', ['001-accounts.sql']],
  ])('recognize the database of an earlier checkout, %s', async (_, earlier) => {
    await query(
      url,
      `create table migrations (name text primary key, hash text not null, applied_at timestamptz not null default now());
      insert into migrations (name, hash) select unnest('{${earlier.join()}}'::text[]), 'of another text'`,
    );
    await expect(migrate(url)).rejects.toThrow(EarlierCheckout);
    expect(await applied()).toEqual(earlier);
    expect(await tables()).toEqual(['migrations']);
  });

  // Proves RUN-08
  it('recognize the database of an earlier checkout by an unknown migration between known ones', async () => {
    await migrate(url);
    await query(url, `insert into migrations (name, hash) values ('005-other.sql', 'x')`);
    await expect(migrate(url)).rejects.toThrow(EarlierCheckout);
  });
});
