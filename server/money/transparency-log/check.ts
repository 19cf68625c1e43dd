import { sql } from 'kysely';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Difference as LedgerDifference } from '../ledger/check.ts';
import { type ActDifference, checkActs } from './acts.ts';
import { checkDocumentLeaves, type DocumentDifference } from './documents.ts';
import { hashesOf, knownHash } from './append.ts';
import { grow, hashOfSubtrees, leafHash, nodeHash, pathsUp, type Range, subtreesOf } from './merkle.ts';
import { leafText } from './posting.ts';
import {
  findRoot,
  type Leaf,
  listRoots,
  loggedBooks,
  readLeaves,
  readNodes,
  type SignedRoot,
} from './store.ts';
import { type Opening, sizeIn } from './store-opening.ts';

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

/** Where a check of the log starts, and which older leaves it reads again. */
export type LogPart = { opening: Opening; again: Range };

/**
 * Checks that every posting, every document and every act says what its leaf said, that the signed roots follow from the
 * leaves, and that none is missing in the log. Reads the whole log, or a part of it and all acts.
 * [BOOK-03, OPER-20, OWNS-111]
 */
export async function checkLog(tx: Tx, part?: LogPart): Promise<Difference[]> {
  const acts = await checkActs(tx);
  const differences = [
    ...(await findUnlogged(tx, part)),
    // An act has no amount.
    ...(await checkDocumentLeaves(tx, part && (await documentsOf(tx, part)))),
    ...acts.map((act): Difference => ({ ...act, amountCents: 0, currency: '' })),
  ];
  for (const book of await loggedBooks(tx))
    differences.push(...(await checkBook(tx, book, part ? sizeIn(part.opening, book) : 0)));
  if (part) differences.push(...(await checkAgain(tx, part)));
  return differences;
}

async function checkBook(tx: Tx, book: PaymentBook, from: number): Promise<Difference[]> {
  const differences: Difference[] = [];
  const frontier = await hashesOf(tx, book, { from: 0, to: from });
  const roots = (await listRoots(tx, book)).filter((root) => root.size >= from);
  let size = from;
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
    differences.push(...changedLeaves(book, leaves));
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

const changedLeaves = (book: PaymentBook, leaves: readonly Leaf[]): Difference[] =>
  leaves.flatMap(({ posting, hash }) =>
    !posting || hash?.equals(leafHash(leafText(book, posting)))
      ? []
      : [
          {
            kind: 'leaf_changed',
            ref: `${posting.entry} ${posting.accountId}`,
            amountCents: posting.amountCents,
            currency: posting.currency,
            since: posting.recordedAt,
          },
        ],
  );

/** Compares older leaves with their postings again, and follows their hashes up to those that make the signed root. */
async function checkAgain(tx: Tx, { opening, again }: LogPart): Promise<Difference[]> {
  const { book, day } = opening;
  const leaves = await readLeaves(tx, book, { from: again.from, limit: again.to - again.from });
  const frontier: Buffer[] = [];
  // The range begins where a subtree does, so its subtrees have the hashes of a tree of their own.
  grow(
    frontier,
    0,
    leaves.map(({ hash }) => hash ?? Buffer.alloc(32)),
  );
  const above = pathsUp(subtreesOf(again), sizeIn(opening, book));
  const known = await readNodes(
    tx,
    book,
    above.flatMap(({ node, below }) => [node, ...below]),
  );
  const leadsToRoot =
    leaves.length === again.to - again.from &&
    subtreesOf(again).every((subtree, at) => frontier[at]?.equals(knownHash(known, subtree))) &&
    above.every(({ node, below: [left, right] }) =>
      left && right
        ? nodeHash(knownHash(known, left), knownHash(known, right)).equals(knownHash(known, node))
        : true,
    );
  const root = leadsToRoot ? null : await findRoot(tx, book, day);
  return [...changedLeaves(book, leaves), ...(root ? [changedRoot(root)] : [])];
}

const changedRoot = ({ book, day, currency, signedAt }: SignedRoot): Difference => ({
  kind: 'root_changed',
  ref: `${book} ${day}`,
  amountCents: 0,
  currency,
  since: signedAt,
});

async function findUnlogged(tx: Tx, part?: LogPart): Promise<Difference[]> {
  const { rows } = await sql<Omit<Difference, 'amountCents'> & { amount: string }>`
    select 'posting_not_logged' as kind, p.tx_id || ' ' || p.account_id as ref, p.amount_cents as amount, a.currency,
        t.recorded_at as since
      from ledger_postings p
      join ledger_accounts a on a.id = p.account_id
      join ledger_tx t on t.id = p.tx_id
      where ${part ? ofPart(part) : sql`true`}
        and not exists (select from ledger_leaves l where l.tx_id = p.tx_id and l.account_id = p.account_id)
        and not exists (select from ledger_unlogged u where u.tx_id = p.tx_id and u.account_id = p.account_id)
      order by p.tx_id`.execute(tx);
  return rows.map(({ amount, ...row }) => ({ ...row, amountCents: Number(amount) }));
}

/** Whether a posting `p` came after an opening, or lies among those that are read again. */
function ofPart({ opening, again }: LogPart) {
  if (again.from === 0 && again.to === sizeIn(opening, opening.book)) return sql`true`;
  const between = (edge: 'min' | 'max') => sql`(
    select ${sql.raw(edge)}(tx_id) from ledger_leaves
      where book = ${opening.book} and index >= ${again.from} and index < ${again.to})`;
  return sql`(p.tx_id > ${opening.lastTx} or p.tx_id between ${between('min')} and ${between('max')})`;
}

/** The documents of the leaves in a part, and those that are neither a leaf nor wait to become one. */
async function documentsOf(tx: Tx, { opening, again }: LogPart): Promise<number[]> {
  const { book, sizes } = opening;
  const { rows } = await sql<{ ids: number[] }>`
    select array(
      select l.document_id from ledger_leaves l
        where l.book = ${book} and l.index >= ${again.from} and l.index < ${again.to} and l.document_id is not null
      union
      select l.document_id
        from unnest(${sizes.map(([each]) => each)}::text[], ${sizes.map(([, size]) => size)}::bigint[]) as log (book, size)
        join ledger_leaves l on l.book = log.book and l.index >= log.size
        where l.document_id is not null
      union
      select d.id from documents d
        where d.salt is not null and not exists (select from ledger_leaves l where l.document_id = d.id)
          and not exists (select from documents_unlogged u where u.document_id = d.id)
      order by 1) as ids`.execute(tx);
  return rows[0]?.ids ?? [];
}

/** Which entries the leaves of a range are about. */
export async function entriesOf(tx: Tx, book: PaymentBook, { from, to }: Range): Promise<number[]> {
  const { rows } = await sql<{ entries: number[] }>`
    select array(
      select distinct tx_id from ledger_leaves
        where book = ${book} and index >= ${from} and index < ${to} and tx_id is not null) as entries`.execute(
    tx,
  );
  return rows[0]?.entries ?? [];
}
