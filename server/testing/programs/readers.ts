/** Runs programs of other authors for tests, which read what we write. `npm test` installs them (scripts/test-programs.ts). */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Reader = { program: string; version: readonly string[]; debian: string };

const READERS = {
  beanCheck: { program: 'bean-check', version: ['--version'], debian: 'beancount' },
  hledger: { program: 'hledger', version: ['--version'], debian: 'hledger' },
  qpdf: { program: 'qpdf', version: ['--version'], debian: 'qpdf' },
  poppler: { program: 'pdftotext', version: ['-v'], debian: 'poppler-utils' },
  // The library of MaxMind, who made the format of the files of countries.
  maxmind: {
    program: '/usr/bin/python3',
    version: ['-cimport maxminddb'],
    debian: 'python3-maxminddb',
  },
} satisfies Record<string, Reader>;

/**
 * Returns whether a program can run here. If it cannot, `note` is for the titles of tests and says what to install.
 */
export async function readerIsHere(name: keyof typeof READERS): Promise<{ here: boolean; note: string }> {
  const { program, version, debian } = READERS[name];
  const here = await run(program, version, { timeout: 60_000 }).then(
    () => true,
    () => false,
  );
  return { here, note: here ? '' : ` (NOT RUN: no ${program} here. Debian: apt-get install ${debian})` };
}

/** The Debian packages of the readers that cannot run here. */
export async function missingReaders(): Promise<string[]> {
  const missing = [];
  for (const name of Object.keys(READERS) as (keyof typeof READERS)[])
    if (!(await readerIsHere(name)).here) missing.push(READERS[name].debian);
  return missing;
}

/** Returns what a program prints. Throws with its errors if it fails. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  return (await run(program, args, { timeout: 120_000, maxBuffer: 16 * 1024 ** 2 })).stdout;
}
