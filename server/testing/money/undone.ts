import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/database/database.ts';

/** The tables whose triggers would refuse the damage that a test does to the books. */
const GUARDED = [
  'ledger_tx',
  'ledger_postings',
  'ledger_balances',
  'ledger_months',
  'ledger_nodes',
  'ledger_roots',
  'ledger_openings',
  'payments',
  'ad_earnings',
  'refunds',
  'payouts',
  'payout_transfers',
];

/** Runs `act` as the owner of the tables, in a transaction that is rolled back and in which no trigger of our own runs. */
export async function undone(owner: Database, act: (tx: Tx) => Promise<void>): Promise<void> {
  const end = new Error('undone');
  await owner
    .transaction()
    .execute(async (tx) => {
      for (const table of GUARDED)
        await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
      await act(tx);
      throw end;
    })
    .catch((error: unknown) => {
      if (error !== end) throw error;
    });
}
