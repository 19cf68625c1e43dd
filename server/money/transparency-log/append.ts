import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { actText, insertActLeaves, takeUnloggedActs } from './acts.ts';
import { documentText, insertDocumentLeaves, takeUnloggedDocuments } from './documents.ts';
import { leafText } from './posting.ts';
import { grow, leafHash, type Range, subtreesOf } from './merkle.ts';
import { insertLeaves, insertNodes, lockLog, nodeKey, readNodes, sizeOf, takeUnlogged } from './store.ts';

const BATCH = 5000;

/** Adds every posting that is no leaf yet to the transparency log of its book, and returns the log's size. [LOGS-02] */
export async function appendPostings(tx: Tx, book: PaymentBook): Promise<number> {
  return await append(tx, book, {
    take: async () => await takeUnlogged(tx, book, BATCH),
    textOf: leafText,
    insert: insertLeaves,
  });
}

/**
 * Adds every act that is no leaf yet, and returns the log's size. Each act calls it at the end of its transaction, so that
 * it waits for the log with no statement left that could wait for another row. [OPER-20]
 */
export async function appendActs(tx: Tx, book: PaymentBook): Promise<number> {
  return await append(tx, book, {
    take: async () => await takeUnloggedActs(tx, BATCH),
    textOf: actText,
    insert: insertActLeaves,
  });
}

/** Adds every document that is no leaf yet, and returns the log's size. [OWNS-111] */
export async function appendDocuments(tx: Tx, book: PaymentBook): Promise<number> {
  return await append(tx, book, {
    take: async () => await takeUnloggedDocuments(tx, book, BATCH),
    // The text of a document names its book itself.
    textOf: (_book, document) => documentText(document),
    insert: insertDocumentLeaves,
  });
}

async function append<Row>(
  tx: Tx,
  book: PaymentBook,
  rows: {
    take: () => Promise<Row[]>;
    textOf: (book: PaymentBook, row: Row) => string;
    insert: (tx: Tx, book: PaymentBook, size: number, rows: readonly Row[]) => Promise<void>;
  },
): Promise<number> {
  await lockLog(tx);
  let size = await sizeOf(tx, book);
  const frontier = await hashesOf(tx, book, { from: 0, to: size });
  for (;;) {
    const taken = await rows.take();
    if (taken.length === 0) return size;
    const leaves = taken.map((row) => leafHash(rows.textOf(book, row)));
    await rows.insert(tx, book, size, taken);
    await insertNodes(tx, book, grow(frontier, size, leaves));
    size += taken.length;
  }
}

/** Returns the hashes of the complete subtrees of a range, the largest first. */
export async function hashesOf(tx: Tx, book: PaymentBook, range: Range): Promise<Buffer[]> {
  const subtrees = subtreesOf(range);
  const known = await readNodes(tx, book, subtrees);
  return subtrees.map((subtree) => knownHash(known, subtree));
}

export function knownHash(known: Map<string, Buffer>, subtree: Parameters<typeof nodeKey>[0]): Buffer {
  const hash = known.get(nodeKey(subtree));
  if (!hash) throw new Error(`The log has no hash of node ${nodeKey(subtree)}`);
  return hash;
}
