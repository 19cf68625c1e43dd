/** A statement, a proof and the check read by index, however much the ledger has. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/platform/database/database.ts';
import type { Client } from '#server/testing/client.ts';
import { makeEarned } from '#server/testing/money/payouts.ts';
import { fillLedger } from '#server/testing/money/ledger.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { appendPostings } from './append.ts';
import { sumBefore } from './balance.ts';
import { inclusionPath, subtreesOf } from './merkle.ts';
import { readLeaves, readNodes } from './store.ts';
import { listStatementLines } from './store-statement.ts';

const BOOK = { book: 'sandbox', currency: 'USD' } as const;

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let adId: number;
beforeAll(async () => {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  ({ id: adId } = await makeEarned(server, seller, buyer, { price: '200.00', views: 50 }));
  await fillLedger(server.owner, adId, { copies: 0, entriesEach: 1000 });
});

/** Reads the lines of a statement of the present month, on each side. */
async function statementPlans() {
  const now = server.ctx.now();
  const [from, to] = [0, 1].map((n) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n))) as [
    Date,
    Date,
  ];
  const readers = [
    { user: seller.user, side: 'publisher' },
    { user: buyer.user, side: 'buyer' },
  ] as const;
  return await Promise.all(
    readers.map(async ({ user, side }) => {
      const account = { userId: user.id, side, ...BOOK };
      const read = async (tx: Database) => {
        await sumBefore(tx, account, from);
        await sumBefore(tx, account, to);
        await listStatementLines(tx, account, { from, to, after: null, limit: 100 });
      };
      return await planOf(server.ctx.db, read, { analyze: true });
    }),
  );
}

// Proves STMT-01
it('a statement of either side reads only the postings of its accounts', async () => {
  for (const plan of await statementPlans()) {
    expect(rowsMet(plan, 'ledger_postings')).toBeGreaterThan(0);
    expect(rowsMet(plan, 'ledger_postings')).toBeLessThanOrEqual(20);
    expect(rowsMet(plan, 'ledger_tx')).toBeLessThanOrEqual(20);
    expect(rowsMet(plan, 'ledger_leaves')).toBeLessThanOrEqual(10);
  }
});

// Proves STMT-01
it('a statement reads a sum of each earlier month, and no posting of it', async () => {
  await sql`with entries as (
      insert into ledger_tx (kind, external_ref, occurred_at, recorded_at)
        select 'other', n, at, at
          from generate_series(1, 1200) n, lateral (select now() - (n % 12 + 1) * interval '1 month' as at)
        returning id)
    insert into ledger_postings (tx_id, account_id, amount_cents)
      select e.id, a.id, side.cents
        from entries e
        cross join (values ('provider_clearing', null, 2), ('publisher_payable', ${seller.user.id}::integer, -1),
          ('deferred_publisher', ${adId}, -1)) as side (kind, owner_id, cents)
        join ledger_accounts a on a.kind = side.kind and a.owner_id is not distinct from side.owner_id`.execute(
    server.ctx.db,
  );
  await sql`analyze ledger_tx, ledger_postings, ledger_months`.execute(server.owner);
  for (const plan of await statementPlans()) {
    expect(rowsMet(plan, 'ledger_postings')).toBeGreaterThan(0);
    expect(rowsMet(plan, 'ledger_postings')).toBeLessThanOrEqual(20);
    expect(rowsMet(plan, 'ledger_tx')).toBeLessThanOrEqual(20);
    expect(rowsMet(plan, 'ledger_months')).toBeLessThanOrEqual(60);
  }
});

// Proves LOGS-05, BOOK-03
it('a proof reads the hashes of its path, and the check reads each posting once', async () => {
  const { db } = server.ctx;
  const size = await db.transaction().execute((tx) => appendPostings(tx, 'sandbox'));
  for (const table of ['ledger_leaves', 'ledger_nodes'])
    await sql`analyze ${sql.table(table)}`.execute(server.owner);
  expect(size).toBeGreaterThan(4000);
  const path = inclusionPath(2000, size).flatMap(subtreesOf);
  const proof = await planOf(db, (tx) => readNodes(tx, 'sandbox', path), { analyze: true });
  expect(rowsMet(proof, 'ledger_nodes')).toBe(path.length);
  const batch = await planOf(db, (tx) => readLeaves(tx, 'sandbox', { from: 3000, limit: 50 }), {
    analyze: true,
  });
  expect(rowsMet(batch, 'ledger_leaves')).toBe(50);
  expect(rowsMet(batch, 'ledger_nodes')).toBe(50);
  expect(rowsMet(batch, 'ledger_postings')).toBe(50);
  expect(rowsMet(batch, 'ledger_tx')).toBeLessThanOrEqual(50);
});
