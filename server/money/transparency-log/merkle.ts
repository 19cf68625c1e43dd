/** The hash tree of RFC 6962, section 2.1. All functions are pure; the stored hashes are those of complete subtrees. */
import { createHash } from 'node:crypto';

/** The leaves from `from` to before `to`. */
export type Range = { from: number; to: number };

/** A complete subtree: 2^level leaves from index * 2^level on. */
export type Subtree = { level: number; index: number };

export type TreeNode = Subtree & { hash: Buffer };

export const EMPTY_ROOT = createHash('sha256').digest();

export function leafHash(leaf: string | Buffer): Buffer {
  return createHash('sha256').update('\0').update(leaf).digest();
}

export function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256').update('\x01').update(left).update(right).digest();
}

/**
 * Returns the ranges whose hashes prove that leaf `index` is in the tree of `size` leaves, the lowest first
 * (RFC 6962, 2.1.1).
 */
export function inclusionPath(index: number, size: number): Range[] {
  const path: Range[] = [];
  let { from, to } = { from: 0, to: size };
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    if (index < middle) {
      path.unshift({ from: middle, to });
      to = middle;
    } else {
      path.unshift({ from, to: middle });
      from = middle;
    }
  }
  return path;
}

/**
 * Returns the ranges whose hashes prove that the tree of `older` leaves is the beginning of the tree of `newer` leaves, the
 * lowest first (RFC 6962, 2.1.2). 0 < older <= newer.
 */
export function consistencyPath(older: number, newer: number): Range[] {
  const path: Range[] = [];
  let { from, to } = { from: 0, to: newer };
  while (to !== older) {
    const middle = from + largestPowerBelow(to - from);
    if (older <= middle) {
      path.unshift({ from: middle, to });
      to = middle;
    } else {
      path.unshift({ from, to: middle });
      from = middle;
    }
  }
  // The reader knows the root of the older tree, so it is left out where it is the lowest range itself.
  return from === 0 ? path : [{ from, to }, ...path];
}

/** Divides a range of a path into complete subtrees, the largest first. */
export function subtreesOf({ from, to }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let start = from; start < to;) {
    const level = Math.floor(Math.log2(to - start));
    subtrees.push({ level, index: start / 2 ** level });
    start += 2 ** level;
  }
  return subtrees;
}

/**
 * Returns the nodes above complete subtrees in a tree of `size` leaves, each with the two nodes below it, as far as they are
 * complete; and the subtrees themselves, with none below.
 */
export function pathsUp(subtrees: readonly Subtree[], size: number): { node: Subtree; below: Subtree[] }[] {
  return subtrees.flatMap((subtree) => {
    const path: { node: Subtree; below: Subtree[] }[] = [{ node: subtree, below: [] }];
    for (let { level, index } = subtree; ;) {
      index = Math.floor(index / 2);
      level += 1;
      if ((index + 1) * 2 ** level > size) return path;
      path.push({
        node: { level, index },
        below: [0, 1].map((side) => ({ level: level - 1, index: 2 * index + side })),
      });
    }
  });
}

/** Returns the hash of a range from the hashes of its subtrees. */
export function hashOfSubtrees(hashes: readonly Buffer[]): Buffer {
  const smallest = hashes.at(-1);
  if (!smallest) return EMPTY_ROOT;
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), smallest);
}

/**
 * Adds leaves to a tree of `size` leaves, whose subtrees have the hashes `frontier`. Returns the new nodes, leaves
 * included, and changes `frontier` to that of the larger tree.
 */
export function grow(frontier: Buffer[], size: number, leaves: readonly Buffer[]): TreeNode[] {
  const nodes: TreeNode[] = [];
  for (const [at, leaf] of leaves.entries()) {
    let node = { level: 0, index: size + at, hash: leaf };
    nodes.push(node);
    while (node.index % 2 === 1) {
      const left = frontier.pop();
      if (!left) throw new Error(`The log has no hash beside node ${node.index} of level ${node.level}`);
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(left, node.hash) };
      nodes.push(node);
    }
    frontier.push(node.hash);
  }
  return nodes;
}

function largestPowerBelow(n: number): number {
  return 2 ** (Math.ceil(Math.log2(n)) - 1);
}
