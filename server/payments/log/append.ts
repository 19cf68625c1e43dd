import type { PaymentBook } from '../../config.ts';
import type { Tx } from '../../db/database.ts';
import { leafText } from './posting.ts';
import { grow, leafHash, type Range, subtreesOf } from './merkle.ts';
import { insertLeaves, insertNodes, lockLog, nodeKey, readNodes, sizeOf, takeUnlogged } from './store.ts';

const BATCH = 5000;

/** Adds every posting that is no leaf yet to the log of its book, and returns the log's size. [LOGS-02] */
export async function appendPostings(tx: Tx, book: PaymentBook): Promise<number> {
  await lockLog(tx);
  let size = await sizeOf(tx, book);
  const frontier = await hashesOf(tx, book, { from: 0, to: size });
  for (;;) {
    const postings = await takeUnlogged(tx, book, BATCH);
    if (postings.length === 0) return size;
    const leaves = postings.map((posting) => leafHash(leafText(book, posting)));
    await insertLeaves(tx, book, size, postings);
    await insertNodes(tx, book, grow(frontier, size, leaves));
    size += postings.length;
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
