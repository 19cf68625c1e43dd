import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { createDatabase, createPool, type Database } from '../database.ts';
import { countServers, findStranger, forgetServer, joinServers, noteServer, serverName } from './servers.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl, 2));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

it('counts the servers that were seen in the last 30 seconds, and removes their rows after an hour', async () => {
  const [first, second] = [serverName(3000), serverName(3001)];
  const age = async (seconds: number) =>
    await sql`update servers set seen = now() - make_interval(secs => ${seconds}) where server = ${second}`.execute(
      db,
    );
  await noteServer(db, { server: first });
  await noteServer(db, { server: first });
  await noteServer(db, { server: second });
  expect(await countServers(db)).toBe(2);
  await age(29);
  expect(await countServers(db)).toBe(2);
  await age(31);
  expect(await countServers(db)).toBe(1);
  await noteServer(db, { server: second });
  expect(await countServers(db)).toBe(2);
  await age(3601);
  await noteServer(db, { server: first });
  expect(await db.selectFrom('servers').select('server').execute()).toEqual([{ server: first }]);
  await forgetServer(db, first);
  expect(await countServers(db)).toBe(0);
});

it('lets one of two servers in that start at the same moment with different secrets', async () => {
  const notes = ['first', 'second'].map((secret, index) => ({
    server: serverName(index),
    secrets: [secret],
  }));
  const servers = async () =>
    (await db.selectFrom('servers').select('server').execute()).map((row) => row.server);
  for (let round = 0; round < 20; round += 1) {
    const strangers = await Promise.all(notes.map(async (note) => await joinServers(db, note)));
    const winner = notes[strangers.indexOf(null)]!.server;
    expect(strangers.filter((stranger) => stranger !== null)).toEqual([winner]);
    expect(await servers()).toEqual([winner]);
    await forgetServer(db, winner);
  }
});

it('compares the secret that a server signs with, while it runs, and not the ones that it also accepts', async () => {
  const join = async (server: string, ...secrets: string[]) => await joinServers(db, { server, secrets });
  expect(await join('a', 'old')).toBeNull();
  // A secret is replaced, first as one that is accepted, or at once.
  expect(await join('b', 'old', 'new')).toBeNull();
  expect(await join('c', 'new', 'old')).toBeNull();
  expect(await join('d', 'new')).toBe('a');
  await forgetServer(db, 'a');
  expect(await join('d', 'new')).toBe('b');
  await sql`update servers set seen = now() - interval '31 seconds' where server = 'b'`.execute(db);
  expect(await join('d', 'new')).toBeNull();
  // It comes back, and is older.
  await noteServer(db, { server: 'b', secrets: ['old', 'new'] });
  expect(await findStranger(db, { server: 'b', secrets: ['old', 'new'] })).toBeNull();
  expect(await findStranger(db, { server: 'd', secrets: ['new'] })).toBe('b');
  // Its process was killed, and the next one has the same name.
  for (const server of ['c', 'd']) await forgetServer(db, server);
  expect(await join('b', 'third')).toBeNull();
});
