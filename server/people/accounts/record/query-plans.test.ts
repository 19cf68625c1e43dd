import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf } from '#server/testing/database/query-plans.ts';
import { countFailures } from './store-codes.ts';
import { findDeviceByEmail } from './store-devices.ts';
import { findPasskey, selectPasskeys } from './store-passkeys.ts';
import { selectEvents } from './store-security-events.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const tables = ['users', 'security_events', 'email_verifications', 'known_devices', 'passkeys'];
  await fillTables(db, tables, async (tx) => {
    await sql`insert into users (email, password) select 'user' || n || '@example.test', 'x' from generate_series(1, 500) n`.execute(
      tx,
    );
    await sql`
    insert into security_events (user_id, kind, at)
    select n % 500 + 1, 'signed-in', timestamptz '2026-01-01' + n * interval '1 minute' from generate_series(1, 20000) n`.execute(
      tx,
    );
    await sql`
    insert into email_verifications (email, purpose, tries, expires_at, link_expires_at)
    select 'user' || n % 500 || '@example.test', 'verify', 1, now(), now() from generate_series(1, 20000) n`.execute(
      tx,
    );
    await sql`
    insert into known_devices (user_id, device_hash, last_used_at)
    select n % 500 + 1, sha256(n::text::bytea), now() from generate_series(1, 20000) n`.execute(tx);
    await sql`
    insert into passkeys (user_id, credential_id, public_key, counter, name, created_at)
    select n % 500 + 1, 'key-' || n, '', 0, 'Phone', now() from generate_series(1, 20000) n`.execute(tx);
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const NOW = new Date('2026-01-01T00:10:00Z');

// Proves SEC-16, SEC-20
it.each<[string, (tx: Database) => Promise<unknown>, string]>([
  [
    'the security log of a user',
    async (tx) => await selectEvents(tx, 7, { before: 15_000, limit: 21 }),
    'security_events_of_user',
  ],
  [
    'the wrong codes of an address',
    async (tx) => await countFailures(tx, 'user7@example.test', NOW),
    'email_verifications_newest',
  ],
  ['the passkeys of a user', async (tx) => await selectPasskeys(tx, 7), 'passkeys_of_user'],
  ['a passkey by its credential', async (tx) => await findPasskey(tx, 'key-7'), 'passkeys_one_owner'],
  [
    'a known device of an address',
    async (tx) => await findDeviceByEmail(tx, 'user7@example.test', Buffer.alloc(32)),
    'known_devices_pkey',
  ],
])('finds %s by an index', async (_name, run, index) => {
  const plan = await planOf(db, run);
  expect(plan.map((node) => node['Index Name'])).toContain(index);
  expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
});
