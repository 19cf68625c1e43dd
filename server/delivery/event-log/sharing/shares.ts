/** Who owns what now. Servers are known by the process id of their counting connection. */
export type Owners = {
  /** The servers that count, each once. */
  servers: readonly number[];
  /** The server that owns each partition. A partition without an owner is missing. */
  owners: ReadonlyMap<number, number>;
};

/**
 * What server `me` does so that all servers come to own equally many partitions: those it releases, or those it tries to
 * take. All servers see the same owners, so no two of them try to take the same partition. The first servers own one more
 * if the partitions cannot be divided evenly.
 */
export function nextStep(
  { servers, owners }: Owners,
  me: number,
  partitions: number,
): { release: number[]; take: number[] } {
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  const ordered = servers.toSorted((a, b) => a - b);
  const missing = ordered.map((server, rank) => {
    const share = Math.floor(partitions / ordered.length) + (rank < partitions % ordered.length ? 1 : 0);
    return share - all.filter((partition) => owners.get(partition) === server).length;
  });
  const rank = ordered.indexOf(me);
  const own = missing[rank] ?? 0;
  if (own <= 0) {
    const owned = all.filter((partition) => owners.get(partition) === me);
    return { release: owned.slice(owned.length + own), take: [] };
  }
  const free = all.filter((partition) => !owners.has(partition));
  const before = missing.slice(0, rank).reduce((sum, each) => sum + Math.max(0, each), 0);
  return { release: [], take: free.slice(before, before + own) };
}
