import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { newTemporaryFolder } from '#server/testing/temporary.ts';
import { contents, query } from '#server/testing/database/contents.ts';
import { createTestDatabase } from '#server/testing/database/database.ts';
import { spawnServer } from '#server/testing/server-process.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { freePort } from './embedded/process.ts';
import { migrate } from './migrate.ts';

const dataDir = newTemporaryFolder('data');
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Some of the files of the last checkout before 0.3.0, with the hashes of their texts. */
const EARLIER_FILES = `
  ('001-accounts.sql', 'dbc2893c8202c379d377ceee9b2d24f08b03866312e00c218706cefc5063df15'),
  ('091-payment-fee.sql', '32d04232c29443ff24a95332d48c8256d740e0cb1a40a8055654d00cd901c40a'),
  ('functions/net_views.sql', 'b753be1944a79619b922c877decb83a9a9bafcc66f03ccb8e004f21ee88ed2ce')`;

/** Gives a database the records of that checkout, which wrote each file twice, and an account. */
async function recordEarlierCheckout(url: string): Promise<void> {
  await query(
    url,
    `create table migrations (name text primary key, hash text not null, applied_at timestamptz not null default now());
    insert into migrations (name, hash) values ${EARLIER_FILES};
    delete from applied_files;
    insert into applied_files (name, hash) values ${EARLIER_FILES};
    update openslot_release set release = '0.2.0', compatible_from = '0.1.0';
    insert into users (email, password) values ('ada@example.test', 'x')`,
  );
}

/** Everything in the database: its rows, its tables and columns, and when each function was made. */
const everything = async (url: string) => [
  await contents(url),
  await query(url, 'select * from applied_files order by name'),
  await query(url, 'select * from openslot_release'),
  await query(
    url,
    `select attrelid::regclass::text as table, attname as column, a.xmin::text
       from pg_attribute a join pg_class c on c.oid = attrelid
       where relnamespace = 'public'::regnamespace order by 1, 2`,
  ),
  await query(
    url,
    `select oid, xmin::text from pg_proc where pronamespace = 'public'::regnamespace order by oid`,
  ),
];

/** Starts the server, expects it to exit with an error by itself, and returns its output. */
async function refusal(env: Record<string, string>): Promise<string> {
  const server = spawnServer({ PORT: String(await freePort()), ...env });
  expect(await server.ended).toBe(1);
  return server.output();
}

it('a start on the data directory of a checkout from before 0.3.0 fails and says how to start with an empty database', async () => {
  const earlier = await startEmbedded({ dataDir, log: () => {} });
  const url = earlier.ownerUrl('openslot');
  await migrate(url);
  await recordEarlierCheckout(url);
  await earlier.stop();

  expect(await refusal({ DATA_DIR: dataDir })).toBe(`
Openslot did not start.
The database was made by an unreleased Openslot, such as a checkout from before 0.3.0, and cannot be upgraded: to start with an empty one, delete the folder ${earlier.home}, and with it all accounts and ads, then run \`npm start\` again.

`);

  // The folder in the message holds the database, so deleting it lets the next start create a new one.
  expect(existsSync(path.join(earlier.home, 'data/PG_VERSION'))).toBe(true);
});

it('a start on a DATABASE_URL of a checkout from before 0.3.0 says how to start with an empty database, and changes nothing', async () => {
  const database = await createTestDatabase();
  await recordEarlierCheckout(database.ownerUrl);
  const before = await everything(database.ownerUrl);
  expect(await refusal({ DATA_DIR: dataDir, DATABASE_URL: database.ownerUrl })).toBe(`
Openslot did not start.
The database was made by an unreleased Openslot, such as a checkout from before 0.3.0, and cannot be upgraded: to start with an empty one, create another database (\`create database …\`) and set DATABASE_URL to its address.

`);
  expect(await everything(database.ownerUrl)).toEqual(before);
  await database.drop();
});

it('a start on a database of a newer version fails and says to start that version or restore a backup', async () => {
  const database = await createTestDatabase();
  await query(database.ownerUrl, `insert into applied_files (name, hash) values ('999-later.sql', 'x')`);
  expect(await refusal({ DATA_DIR: dataDir, DATABASE_URL: database.ownerUrl })).toBe(`
Openslot did not start.
The database was migrated by a newer Openslot (999-later.sql). Start that version, or restore a backup.

`);
  await database.drop();
});
