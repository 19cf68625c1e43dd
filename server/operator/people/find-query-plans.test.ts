import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Subject } from '#domain/operator/acts.ts';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { countWaitingWebsites } from '#server/market/inventory/admission/admission.ts';
import { type DocumentSearch, searchIssued } from '#server/money/documents/issued.ts';
import { fillTables, planOf, type PlanNode } from '#server/testing/database/query-plans.ts';
import { listActs, listActsAbout, listActsOn } from '../store.ts';
import { selectFound } from '../store-find.ts';

const ROWS = 20_000;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  const tables = ['users', 'websites', 'ad_zones', 'ads', 'operator_acts', 'documents'];
  await fillTables(db, tables, async (tx) => {
    await sql`insert into users (email, password, first_name)
    select md5(n::text) || '@example.test', 'x', 'Ann' from generate_series(1, ${ROWS}) n`.execute(tx);
    await sql`insert into websites (user_id, name, url, category)
    select n, 'Site ' || md5(n::text), 'https://site.example', 'Food' from generate_series(1, ${ROWS}) n`.execute(
      tx,
    );
    await sql`insert into ad_zones (website_id, name, width, height, zone_type)
    select n, 'Zone ' || md5(n::text), 300, 250, 'rectangle' from generate_series(1, ${ROWS}) n`.execute(tx);
    await sql`insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount,
      commission_amount, pricing_model, duration)
    select n, n, 'text', 'Ad ' || md5(n::text), 'Words', 'https://a.example', 10, 1.5, 'per_day', 1
      from generate_series(1, ${ROWS}) n`.execute(tx);
    await sql`insert into documents (year, serial, number, book, kind, user_id, month, side, amount_cents, currency, seller, customer, content, issued_at)
    select 2026, n, 'S-2026-' || lpad(n::text, 6, '0'), 'sandbox', 'statement', n, '2026-01-01', 'buyer', n, 'USD', '{}',
        jsonb_build_object('name', 'Name ' || md5(n::text), 'taxId', 'DE' || n), '{"kind": "statement"}', now()
      from generate_series(1, ${ROWS}) n`.execute(tx);
    await sql`insert into operator_acts (acted_at, act, subject, subject_id, affected_id, reason)
    select now(), 'suspend', 'person', n % 5000, n % 5000, 'x' from generate_series(1, ${ROWS}) n`.execute(
      tx,
    );
  });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const indexes = (plan: PlanNode[]) => plan.flatMap((node) => node['Index Name'] ?? []);

it('counts the websites that wait by index', async () => {
  const plan = await planOf(db, async (tx) => await countWaitingWebsites({ db: tx }), { analyze: true });
  expect(indexes(plan)).toContain('websites_waiting');
});

it.each([
  ['a rare name', { words: 'c4ca4238a0b923820dcc509a6f75849b' }, 'documents_operator_search'],
  ['words that no document has', { words: 'zebra' }, 'documents_operator_search'],
  ['an amount', { cents: 777 }, 'documents_amount'],
  ['a number', { number: 'S-2026-000777' }, 'documents_number'],
  ['nothing', { words: '' }, 'documents_pkey'],
] as [string, DocumentSearch, string][])('finds a document by %s by index', async (_by, search, index) => {
  const readable = { book: 'sandbox' as const, keptSince: 2016 };
  const plan = await planOf(
    db,
    async (tx) => await searchIssued(tx, readable, { search, before: null, limit: 51 }),
  );
  expect(indexes(plan)).toContain(index);
});

it.each([
  ['person', 'users'],
  ['website', 'websites'],
  ['zone', 'ad_zones'],
  ['ad', 'ads'],
] as [Subject, string][])('finds a %s by index, whatever the words', async (subject, table) => {
  const rare = 'c4ca4238a0b923820dcc509a6f75849b';
  for (const [search, index] of [
    [rare, `${table}_operator_search`],
    ['zebra', `${table}_operator_search`],
    ['', `${table}_pkey`],
    ['777', ''],
  ] as const) {
    for (const before of [null, ROWS / 2]) {
      const plan = await planOf(
        db,
        async (tx) => await selectFound(tx, subject, { search, before, limit: 51 }),
      );
      expect([search, plan.map((node) => node['Node Type'])]).not.toEqual([
        search,
        expect.arrayContaining(['Seq Scan']),
      ]);
      if (index !== '') expect([search, indexes(plan)]).toEqual([search, expect.arrayContaining([index])]);
    }
  }
});

// Proves OPER-04
it('reads the audit trail by index: all of it, about a person and on a subject', async () => {
  const page = { before: null, limit: 51 };
  expect(indexes(await planOf(db, async (tx) => await listActs(tx, page)))).toContain('operator_acts_pkey');
  expect(indexes(await planOf(db, async (tx) => await listActsAbout(tx, 7, page)))).toContain(
    'operator_acts_affected',
  );
  expect(indexes(await planOf(db, async (tx) => await listActsOn(tx, 'person', 7, 50)))).toContain(
    'operator_acts_subject',
  );
});
