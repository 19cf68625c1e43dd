/** The library libfaketime, which moves the clock of one process for tests: the system's, else the one in .cache. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Where `npm test` unpacks Debian's package, see scripts/test-programs.ts. */
export const FAKETIME_CACHE = path.resolve(import.meta.dirname, '../../../.cache/libfaketime');

export const FAKETIME_ADVICE =
  'NOT RUN: no libfaketime here. Install it (Debian: apt-get install libfaketime)';

/** For LD_PRELOAD; null if there is none. */
export function searchFaketime(): string | null {
  const files = ['/', FAKETIME_CACHE].flatMap((root) =>
    ['x86_64', 'aarch64'].map((machine) =>
      path.join(root, `usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`),
    ),
  );
  return files.find((file) => existsSync(file)) ?? null;
}
