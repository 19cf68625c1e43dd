import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { newDatabaseName } from '../testing/database-name.ts';
import { migrate, readMigrations } from './migrate.ts';

const names = readMigrations().map(({ name }) => name);

/** An empty database, which most tests never see. */
let url: string;
let drop: () => Promise<void>;
beforeEach(async () => {
  const name = newDatabaseName(Date.now());
  await query(inject('serverUrl'), `create database ${name}`);
  const address = new URL(inject('serverUrl'));
  address.pathname = `/${name}`;
  url = address.href;
  drop = async () => {
    await query(inject('serverUrl'), `drop database ${name} with (force)`);
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
  it('RUN-08 are numbered without a gap, so that their order is plain', () => {
    expect(names.map((name) => Number(name.slice(0, 3)))).toEqual(names.map((_, index) => index + 1));
  });

  it('RUN-08 build an empty database, and running them again changes nothing', async () => {
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

  it('RUN-08 of two servers that start at the same time run once', async () => {
    await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(await applied()).toEqual(names);
  });

  it('RUN-08 are applied whole or not at all, and go on from there once the cause is gone', async () => {
    // Late in the second file something stands in the way.
    await query(url, 'create table ad_zone_products ()');
    await expect(migrate(url)).rejects.toThrow('002-inventory.sql failed');
    expect(await applied()).toEqual(['001-accounts.sql']);
    expect(await tables()).not.toContain('websites');
    await query(url, 'drop table ad_zone_products');
    await migrate(url);
    expect(await applied()).toEqual(names);
  });

  it('RUN-08 refuse a history that was changed', async () => {
    await migrate(url);
    await query(url, `update migrations set hash = 'another' where name = '002-inventory.sql'`);
    await expect(migrate(url)).rejects.toThrow('002-inventory.sql was changed after it was applied');
  });

  it('RUN-08 refuse a database of a newer version, before they touch it', async () => {
    await migrate(url);
    await query(url, `insert into migrations (name, hash) values ('999-later.sql', 'x')`);
    await query(url, `delete from migrations where name = '${names.at(-1)}'`);
    await expect(migrate(url)).rejects.toThrow('migrated by a newer Openslot (999-later.sql)');
    expect(await applied()).toEqual([...names.slice(0, -1), '999-later.sql']);
  });
});
