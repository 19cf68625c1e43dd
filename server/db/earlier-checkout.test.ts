import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { newTemporaryFolder } from '../testing/temporary.ts';
import { createTestDatabase } from '../testing/database.ts';
import { spawnServer } from '../testing/server-process.ts';
import { startEmbedded } from './embedded.ts';
import { freePort } from './free-port.ts';

const dataDir = newTemporaryFolder('data');
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Records migrations as a checkout from before the first release did. It had 51; three of them are enough here. */
async function recordEarlierCheckout(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `drop table if exists applied_files;
    create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now());
    delete from migrations;
    insert into migrations (name, hash) values ('001-accounts.sql', '1'), ('002-inventory.sql', '2'), ('051-due-zones.sql', '51')`,
  );
  await client.end();
}

/** Starts the server, expects it to exit with an error by itself, and returns its output. */
async function refusal(env: Record<string, string>): Promise<string> {
  const server = spawnServer({ PORT: String(await freePort()), ...env });
  expect(await server.ended).toBe(1);
  return server.output();
}

it('a start on the data directory of an earlier checkout fails and says how to start with an empty database', async () => {
  const earlier = await startEmbedded({ dataDir, log: () => {} });
  await recordEarlierCheckout(earlier.ownerUrl('openslot'));
  await earlier.stop();

  expect(await refusal({ DATA_DIR: dataDir })).toBe(`
Openslot did not start.
The database was created by an earlier checkout of Openslot and cannot be upgraded: to start with an empty one, delete the folder ${earlier.home}, and with it all accounts and ads, then run \`npm start\` again.

`);

  // The folder in the message holds the database, so deleting it lets the next start create a new one.
  expect(existsSync(path.join(earlier.home, 'data/PG_VERSION'))).toBe(true);
});

it('a start on a DATABASE_URL of an earlier checkout fails and says how to start with an empty database', async () => {
  const database = await createTestDatabase();
  await recordEarlierCheckout(database.ownerUrl);
  expect(await refusal({ DATA_DIR: dataDir, DATABASE_URL: database.ownerUrl })).toBe(`
Openslot did not start.
The database was created by an earlier checkout of Openslot and cannot be upgraded: to start with an empty one, create another database (\`create database …\`) and set DATABASE_URL to its address.

`);
  await database.drop();
});

it('a start on a database of a newer version fails and says to start that version or restore a backup', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(`insert into applied_files (name, hash) values ('999-later.sql', 'x')`);
  await client.end();
  expect(await refusal({ DATA_DIR: dataDir, DATABASE_URL: database.ownerUrl })).toBe(`
Openslot did not start.
The database was migrated by a newer Openslot (999-later.sql). Start that version, or restore a backup.

`);
  await database.drop();
});
