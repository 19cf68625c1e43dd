/**
 * Runs programs of other authors for tests: `hledger` and `bean-check` read books, `qpdf` and Poppler documents, and MaxMind's
 * library files of countries.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns whether a program can run here. If it cannot, `note` is for the titles of tests and says what to install.
 */
export async function programIsHere(
  program: string,
  debian: string,
  version = '--version',
): Promise<{ here: boolean; note: string }> {
  const here = await run(program, [version], { timeout: 60_000 }).then(
    () => true,
    () => false,
  );
  return { here, note: here ? '' : ` (NOT RUN: no ${program} here. Debian: apt-get install ${debian})` };
}

/** Returns what a program prints. Throws with its errors if it fails. */
export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  return (await run(program, args, { timeout: 120_000, maxBuffer: 16 * 1024 ** 2 })).stdout;
}
