import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { claimedTimes, findNewerOfKind, type MessageRow, selectMergedInto } from './store.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  await sql`
    insert into messages (recipient, mailbox, kind, subject, body_text, body_html, claimed_at, sent_at, merged_into)
    select 'user' || n % 500 || '@example.test', 'user' || n % 500 || '@example.test', 'ad-live', 'S', 'T', 'H', now() - n * interval '1 minute', now(),
      case when n % 50 = 0 then 1 end
    from generate_series(1, 20000) n`.execute(db);
  await sql`vacuum analyze`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

// Proves DOOR-09
it('a decision about a mail reads the mails of its recipient only', async () => {
  const recipient = 'user7@example.test';
  const since = new Date(Date.now() - 24 * 60 * 60 * 1000);
  const message = { id: 1, recipient, mailbox: recipient, kind: 'reset-code' } as MessageRow;
  for (const run of [
    (tx: Database) => claimedTimes(tx, recipient, since),
    (tx: Database) => findNewerOfKind(tx, message),
    (tx: Database) => selectMergedInto(tx, 2),
  ]) {
    const plan = await planOf(db, run, { analyze: true });
    expect(rowsMet(plan, 'messages')).toBeLessThanOrEqual(40);
  }
});
