/** The library libfaketime, which moves the clock of one process for tests: the system's, else the one in .cache. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
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

/** A clock that the programs of `env` share. They notice a step within a second. */
export type SteppableClock = {
  env: Record<string, string>;
  /** Sets the clock this far from the right one. */
  setOffset: (seconds: number) => void;
};

/** `library` is that of searchFaketime(), and `file` a new file for the offset. */
export function steppableClock(library: string, file: string): SteppableClock {
  const setOffset = (seconds: number) => {
    // The programs may read at any time, so the file is replaced as a whole.
    writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`);
    renameSync(`${file}.new`, file);
  };
  setOffset(0);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      // A step does not move the clock of timers.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    setOffset,
  };
}
