/** The tree against RFC 6962, section 2.1, written down a second time as the definition reads. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  consistencyPath,
  EMPTY_ROOT,
  grow,
  hashOfSubtrees,
  inclusionPath,
  leafHash,
  nodeHash,
  type Range,
  subtreesOf,
  type TreeNode,
} from './merkle.ts';

/** MTH(D[n]) of the RFC, by recursion over all leaves. */
function definedRoot(leaves: readonly Buffer[]): Buffer {
  const n = leaves.length;
  if (n === 0) return createHash('sha256').digest();
  if (n === 1)
    return createHash('sha256')
      .update(Buffer.of(0))
      .update(leaves[0] as Buffer)
      .digest();
  let k = 1;
  while (k * 2 < n) k *= 2;
  return createHash('sha256')
    .update(Buffer.of(1))
    .update(definedRoot(leaves.slice(0, k)))
    .update(definedRoot(leaves.slice(k)))
    .digest();
}

/** PATH(m, D[n]). */
function definedPath(m: number, leaves: readonly Buffer[]): Buffer[] {
  const n = leaves.length;
  if (n === 1) return [];
  let k = 1;
  while (k * 2 < n) k *= 2;
  return m < k
    ? [...definedPath(m, leaves.slice(0, k)), definedRoot(leaves.slice(k))]
    : [...definedPath(m - k, leaves.slice(k)), definedRoot(leaves.slice(0, k))];
}

/** SUBPROOF(m, D[n], b). */
function definedProof(m: number, leaves: readonly Buffer[], whole = true): Buffer[] {
  const n = leaves.length;
  if (m === n) return whole ? [] : [definedRoot(leaves)];
  let k = 1;
  while (k * 2 < n) k *= 2;
  return m <= k
    ? [...definedProof(m, leaves.slice(0, k), whole), definedRoot(leaves.slice(k))]
    : [...definedProof(m - k, leaves.slice(k), false), definedRoot(leaves.slice(0, k))];
}

const LEAVES = Array.from({ length: 35 }, (_none, at) => Buffer.from(`leaf ${at}`));

/** A tree of the first `size` leaves, which grew in steps. */
function grown(size: number, step: number): { nodes: Map<string, Buffer>; frontier: Buffer[] } {
  const frontier: Buffer[] = [];
  const all: TreeNode[] = [];
  for (let from = 0; from < size; from += step)
    all.push(...grow(frontier, from, LEAVES.slice(from, Math.min(size, from + step)).map(leafHash)));
  return { nodes: new Map(all.map(({ level, index, hash }) => [`${level}:${index}`, hash])), frontier };
}

const hashOf = (nodes: Map<string, Buffer>, range: Range): string =>
  hashOfSubtrees(
    subtreesOf(range).map(({ level, index }) => nodes.get(`${level}:${index}`) as Buffer),
  ).toString('hex');

describe('the hash tree', () => {
  // Proves LOGS-02
  it('has the hashes of the published examples', () => {
    const examples = ['', '00', '10', '2021', '3031', '40414243'].map((hex) => Buffer.from(hex, 'hex'));
    const frontier: Buffer[] = [];
    const roots = examples.map((leaf, at) => {
      grow(frontier, at, [leafHash(leaf)]);
      return hashOfSubtrees(frontier).toString('hex');
    });
    expect(roots).toEqual([
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    ]);
    expect(EMPTY_ROOT.toString('hex')).toMatch(/^e3b0c44298fc1c14/);
    expect(nodeHash(EMPTY_ROOT, EMPTY_ROOT)).not.toEqual(EMPTY_ROOT);
  });

  // Proves LOGS-02
  it.each([1, 2, 3, 7, 64])('is the tree of the definition at every size, grown by %i leaves', (step) => {
    for (let size = 0; size <= LEAVES.length; size++) {
      const { frontier } = grown(size, step);
      expect(hashOfSubtrees(frontier)).toEqual(definedRoot(LEAVES.slice(0, size)));
    }
  });

  // Proves LOGS-03, LOGS-05
  it('has the paths of the definition for every leaf and every pair of sizes', () => {
    const { nodes } = grown(LEAVES.length, 5);
    for (let size = 1; size <= LEAVES.length; size++) {
      const leaves = LEAVES.slice(0, size);
      for (let at = 1; at <= size; at++) {
        const inclusion = inclusionPath(at - 1, size).map((range) => hashOf(nodes, range));
        expect(inclusion).toEqual(definedPath(at - 1, leaves).map((hash) => hash.toString('hex')));
        const consistency = consistencyPath(at, size).map((range) => hashOf(nodes, range));
        expect(consistency).toEqual(definedProof(at, leaves).map((hash) => hash.toString('hex')));
      }
    }
  });
});
