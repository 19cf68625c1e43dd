/** A statement, a proof and the check read by index, however much the ledger has. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { makeEarned } from '../../testing/payouts.ts';
import { planOf, rowsMet } from '../../testing/plans.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { appendPostings } from './append.ts';
import { sumBefore } from './balance.ts';
import { inclusionPath, subtreesOf } from './merkle.ts';
import { readLeaves, readNodes } from './store.ts';
import { listStatementLines } from './store-statement.ts';

const BOOK = { book: 'sandbox', currency: 'USD' } as const;

let server: TestServer;
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  server = await startTestServer();
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  await makeEarned(server, seller, buyer, { price: '200.00', views: 50 });
  const { db } = server.ctx;
  await sql`insert into ledger_accounts (kind, owner_id, currency, book)
    select kind, 1000000 + n, 'USD', 'sandbox'
      from generate_series(1, 400) n, unnest(array['publisher_payable', 'refund_payable']) kind`.execute(db);
  await sql`with entries as (
      insert into ledger_tx (kind, external_ref, occurred_at)
        select 'accrual', 'other:' || n, now() - interval '1 year' from generate_series(1, 2000) n
        returning id)
    insert into ledger_postings (tx_id, account_id, amount_cents)
      select e.id, a.id, side.cents
        from entries e
        cross join (values ('provider_clearing', 1), ('publisher_payable', -1)) as side (kind, cents)
        join lateral (
          select id from ledger_accounts
            where kind = side.kind and (owner_id is null or owner_id = 1000001 + e.id % 400)) as a on true`.execute(
    db,
  );
  for (const table of ['ads', 'ledger_accounts', 'ledger_tx', 'ledger_postings'])
    await sql`analyze ${sql.table(table)}`.execute(db);
});
afterAll(() => server.close());

// Proves STMT-01, RUN-15
it('a statement of either side reads only the postings of its accounts', async () => {
  const bounds = { from: new Date(0), to: new Date(server.ctx.now().getTime() + 86_400_000) };
  for (const { user, side } of [
    { user: seller.user, side: 'publisher' },
    { user: buyer.user, side: 'buyer' },
  ] as const) {
    const account = { userId: user.id, side, ...BOOK };
    const plan = await planOf(
      server.ctx.db,
      async (tx) => {
        await sumBefore(tx, account, bounds.to);
        await listStatementLines(tx, account, { ...bounds, after: null, limit: 100 });
      },
      { analyze: true },
    );
    expect(rowsMet(plan, 'ledger_postings')).toBeGreaterThan(0);
    expect(rowsMet(plan, 'ledger_postings')).toBeLessThanOrEqual(20);
    expect(rowsMet(plan, 'ledger_tx')).toBeLessThanOrEqual(20);
    expect(rowsMet(plan, 'ledger_leaves')).toBeLessThanOrEqual(10);
  }
});

// Proves LOGS-05, LOGS-07, RUN-15
it('a proof reads the hashes of its path, and the check reads each posting once', async () => {
  const { db } = server.ctx;
  const size = await db.transaction().execute((tx) => appendPostings(tx, 'sandbox'));
  for (const table of ['ledger_leaves', 'ledger_nodes']) await sql`analyze ${sql.table(table)}`.execute(db);
  expect(size).toBeGreaterThan(4000);
  const path = inclusionPath(2000, size).flatMap(subtreesOf);
  const proof = await planOf(db, (tx) => readNodes(tx, 'sandbox', path), { analyze: true });
  expect(rowsMet(proof, 'ledger_nodes')).toBe(path.length);
  const batch = await planOf(db, (tx) => readLeaves(tx, 'sandbox', { from: 3000, limit: 50 }), {
    analyze: true,
  });
  expect(rowsMet(batch, 'ledger_leaves')).toBe(50);
  expect(rowsMet(batch, 'ledger_postings')).toBe(50);
  expect(rowsMet(batch, 'ledger_tx')).toBeLessThanOrEqual(50);
});
