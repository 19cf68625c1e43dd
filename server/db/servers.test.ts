import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createDatabase, createPool, type Database } from './database.ts';
import { countServers, forgetServer, serverName, noteServer } from './servers.ts';

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

// Proves OPS-09
it('counts the servers that were seen in the last 30 seconds, and removes their rows after an hour', async () => {
  const [first, second] = [serverName(3000), serverName(3001)];
  const age = async (seconds: number) =>
    await sql`update servers set seen = now() - make_interval(secs => ${seconds}) where server = ${second}`.execute(
      db,
    );
  await noteServer(db, first);
  await noteServer(db, first);
  await noteServer(db, second);
  expect(await countServers(db)).toBe(2);
  await age(29);
  expect(await countServers(db)).toBe(2);
  await age(31);
  expect(await countServers(db)).toBe(1);
  await noteServer(db, second);
  expect(await countServers(db)).toBe(2);
  await age(3601);
  await noteServer(db, first);
  expect(await db.selectFrom('servers').select('server').execute()).toEqual([{ server: first }]);
  await forgetServer(db, first);
  expect(await countServers(db)).toBe(0);
});
