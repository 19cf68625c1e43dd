import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '../database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { lockFilesToCheck, selectMedia, sumStored, sumStoredOf } from './store.ts';

const FILES = 20_000;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  await sql`insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, 500) n`.execute(
    db,
  );
  await sql`alter table uploads disable trigger user`.execute(db);
  await sql`
    insert into uploads (name, user_id, expires_at, stored_at, checked_at, content_type, byte_size, width, height, rendition)
    select 'name' || n, n % 500 + 1, now(), now() - interval '60 days', now() - n % 100 * interval '1 hour', 'image/png', 9, 1, 1,
      'r' || n
    from generate_series(1, ${FILES}) n`.execute(db);
  await sql`
    insert into media_library (user_id, image_path, filename, file_size)
    select n % 500 + 1, '/ad-images/name' || n, 'a.png', 9 from generate_series(1, ${FILES}) n`.execute(db);
  await sql`vacuum analyze`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const read = async (run: (tx: Database) => Promise<unknown>, table: string) =>
  rowsMet(await planOf(db, run, { analyze: true }), table);

// Proves DOOR-12
it('the quota of an account reads its own files, and that of the server one row', async () => {
  expect(await read((tx) => sumStoredOf(tx, 7), 'uploads')).toBeLessThanOrEqual(40);
  expect(await read(sumStored, 'stored_bytes')).toBe(1);
});

// Proves DOOR-12
it('the job that looks for unused files reads only those whose check is due', async () => {
  const due = new Date(Date.now() - 98.5 * 60 * 60 * 1000);
  expect(await read((tx) => lockFilesToCheck(tx, due, 200), 'uploads')).toBeLessThanOrEqual(400);
});

it('a page of the library reads no more than the page', async () => {
  expect(
    await read((tx) => selectMedia(tx, 7, { before: null, limit: 11 }), 'media_library'),
  ).toBeLessThanOrEqual(40);
});
