/** Adds up what the tables of an MP4 claim (ISO 14496-12, 8.6 and 8.7), before a library believes them and loops that often. */

/** Box type -> returns the samples that the table claims. `at` is the offset of the type, which follows the size. */
const TABLES: Record<string, (bytes: Buffer, at: number, max: number) => number> = {
  stts: (bytes, at, max) => sumOfEntries(bytes, at, max, 8, (entry) => word(bytes, entry)),
  ctts: (bytes, at, max) => sumOfEntries(bytes, at, max, 8, (entry) => word(bytes, entry)),
  // An entry holds for all chunks up to that of the next one.
  stsc: (bytes, at, max) =>
    sumOfEntries(bytes, at, max, 12, (entry, isLast) => {
      const next = isLast ? 0 : word(bytes, entry + 12);
      return Math.max(1, next - word(bytes, entry)) * word(bytes, entry + 4);
    }),
  stsz: (bytes, at) => word(bytes, at + 12),
  stz2: (bytes, at) => word(bytes, at + 12),
  stco: (bytes, at) => word(bytes, at + 8),
  co64: (bytes, at) => word(bytes, at + 8),
  stss: (bytes, at) => word(bytes, at + 8),
  // One byte for each sample, so its size is its count.
  sdtp: (bytes, at) => Math.max(0, word(bytes, at - 4) - 12),
  trun: (bytes, at) => word(bytes, at + 8),
  tfra: (bytes, at) => word(bytes, at + 16),
};

/**
 * Returns the samples that all tables in `index` claim together. It stops beyond `max`. It finds the tables by their names
 * at any place, so it finds them wherever a library looks for them.
 */
export function samplesClaimed(index: Buffer, max: number): number {
  let sum = 0;
  for (const [name, count] of Object.entries(TABLES)) {
    let at = index.indexOf(name, 4, 'latin1');
    for (; at >= 0; at = index.indexOf(name, at + 4, 'latin1')) {
      // Also a table without samples takes time to read.
      sum += Math.max(1, count(index, at, max - sum));
      if (sum > max) return sum;
    }
  }
  return sum;
}

/** Adds up the entries of a table until the sum is beyond `max`. An entry counts at least once, because it is read. */
function sumOfEntries(
  bytes: Buffer,
  at: number,
  max: number,
  size: number,
  samplesOf: (entry: number, isLast: boolean) => number,
): number {
  const entries = word(bytes, at + 8);
  let sum = 0;
  for (let i = 0; i < entries && sum <= max; i++) {
    const entry = at + 12 + i * size;
    // A table that ends before its entries do is broken, and claims them nevertheless.
    if (entry + 8 > bytes.length) return sum + entries - i;
    sum += Math.max(1, samplesOf(entry, i === entries - 1));
  }
  return sum;
}

function word(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}
