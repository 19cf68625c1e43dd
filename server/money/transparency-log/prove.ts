import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { hashesOf, knownHash } from './append.ts';
import { consistencyPath, hashOfSubtrees, inclusionPath, type Range, subtreesOf } from './merkle.ts';
import { findRoot, readNodes, sizeOf } from './store.ts';

/** The proof that a leaf is in the tree of `size` leaves. Hashes in hexadecimal digits, the lowest first. */
export type InclusionProof = { index: number; size: number; path: string[] };

/** Proves for several leaves that they are in the tree of `size` leaves, with one query. */
export async function proveInclusion(
  tx: Tx,
  book: PaymentBook,
  indexes: readonly number[],
  size: number,
): Promise<InclusionProof[]> {
  const paths = indexes.map((index) => inclusionPath(index, size));
  const proofs = await hexHashes(tx, book, paths);
  return proofs.map((path, at) => ({ index: indexes[at] as number, size, path }));
}

/** Proves that a leaf is in the log of the newest root; null if it is younger. */
export async function newestProof(tx: Tx, book: PaymentBook, index: number): Promise<InclusionProof | null> {
  const size = (await findRoot(tx, book))?.size ?? 0;
  if (index >= size) return null;
  const [proof] = await proveInclusion(tx, book, [index], size);
  return proof ?? null;
}

/** Proves that the tree of `older` leaves is the beginning of the tree of `newer` leaves. 0 < older <= newer. */
export async function proveConsistency(
  tx: Tx,
  book: PaymentBook,
  older: number,
  newer: number,
): Promise<string[]> {
  const [path] = await hexHashes(tx, book, [consistencyPath(older, newer)]);
  return path ?? [];
}

export async function rootOf(tx: Tx, book: PaymentBook, size: number): Promise<Buffer> {
  return hashOfSubtrees(await hashesOf(tx, book, { from: 0, to: size }));
}

/** How many leaves a book's log has, and the root over all of them in hexadecimal digits. */
export async function headOf(tx: Tx, book: PaymentBook): Promise<{ size: number; root: string }> {
  const size = await sizeOf(tx, book);
  return { size, root: (await rootOf(tx, book, size)).toString('hex') };
}

async function hexHashes(tx: Tx, book: PaymentBook, paths: readonly Range[][]): Promise<string[][]> {
  const known = await readNodes(tx, book, paths.flat().flatMap(subtreesOf));
  return paths.map((path) =>
    path.map((range) =>
      hashOfSubtrees(subtreesOf(range).map((subtree) => knownHash(known, subtree))).toString('hex'),
    ),
  );
}
