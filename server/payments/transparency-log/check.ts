import { sql } from 'kysely';
import type { PaymentBook } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import type { Difference as LedgerDifference } from '../ledger/check.ts';
import { type ActDifference, checkActs } from './acts.ts';
import { checkDocumentLeaves, type DocumentDifference } from './documents.ts';
import { grow, hashOfSubtrees, leafHash } from './merkle.ts';
import { leafText } from './posting.ts';
import { listRoots, loggedBooks, readLeaves, type SignedRoot } from './store.ts';

type Difference = Omit<LedgerDifference, 'kind'> & {
  kind:
    | 'leaf_changed'
    /** The log does not have the hash that was signed. */
    | 'root_changed'
    | 'posting_not_logged'
    | ActDifference['kind']
    | DocumentDifference['kind'];
};

const BATCH = 5000;

/**
 * Checks that every posting, every document and every act says what its leaf said, that the signed roots follow from the
 * leaves, and that none is missing in the log. Reads the whole log. [LOGS-07, OPER-20, OWNS-111]
 */
export async function checkLog(tx: Tx): Promise<Difference[]> {
  const acts = await checkActs(tx);
  const differences = [
    ...(await findUnlogged(tx)),
    // An act has no amount.
    ...(await checkDocumentLeaves(tx)),
    ...acts.map((act): Difference => ({ ...act, amountCents: 0, currency: '' })),
  ];
  for (const book of await loggedBooks(tx)) differences.push(...(await checkBook(tx, book)));
  return differences;
}

async function checkBook(tx: Tx, book: PaymentBook): Promise<Difference[]> {
  const differences: Difference[] = [];
  const frontier: Buffer[] = [];
  const roots = await listRoots(tx, book);
  let size = 0;
  const compareRoots = () => {
    for (; roots[0]?.size === size; roots.shift())
      if (!hashOfSubtrees(frontier).equals(roots[0].root)) differences.push(changedRoot(roots[0]));
  };
  for (;;) {
    compareRoots();
    // Up to the next root, so that the hash of exactly its leaves can be compared.
    const limit = Math.min(BATCH, (roots[0]?.size ?? Infinity) - size);
    const leaves = await readLeaves(tx, book, { from: size, limit });
    if (leaves.length === 0) break;
    for (const { posting, hash } of leaves)
      if (posting && !hash?.equals(leafHash(leafText(book, posting))))
        differences.push({
          kind: 'leaf_changed',
          ref: `${posting.entry} ${posting.accountId}`,
          amountCents: posting.amountCents,
          currency: posting.currency,
          since: posting.recordedAt,
        });
    grow(
      frontier,
      size,
      leaves.map(({ hash }) => hash ?? Buffer.alloc(32)),
    );
    size += leaves.length;
  }
  // Leaves of these roots are gone.
  return [...differences, ...roots.map(changedRoot)];
}

const changedRoot = ({ book, day, currency, signedAt }: SignedRoot): Difference => ({
  kind: 'root_changed',
  ref: `${book} ${day}`,
  amountCents: 0,
  currency,
  since: signedAt,
});

async function findUnlogged(tx: Tx): Promise<Difference[]> {
  const { rows } = await sql<Omit<Difference, 'amountCents'> & { amount: string }>`
    select 'posting_not_logged' as kind, p.tx_id || ' ' || p.account_id as ref, p.amount_cents as amount, a.currency,
        t.recorded_at as since
      from ledger_postings p
      join ledger_accounts a on a.id = p.account_id
      join ledger_tx t on t.id = p.tx_id
      where not exists (select from ledger_leaves l where l.tx_id = p.tx_id and l.account_id = p.account_id)
        and not exists (select from ledger_unlogged u where u.tx_id = p.tx_id and u.account_id = p.account_id)
      order by p.tx_id`.execute(tx);
  return rows.map(({ amount, ...row }) => ({ ...row, amountCents: Number(amount) }));
}
