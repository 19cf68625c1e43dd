import { execFile } from 'node:child_process';
import path from 'node:path';
import { COMPILED } from './server-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs the operator's command line as a process of its own. `settings` are all that it sees of the environment. */
export async function runOpenslot(
  words: string[],
  settings: Record<string, string | undefined>,
): Promise<{ code: number; out: string; err: string }> {
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      ['server/openslot.ts', ...words],
      { cwd: ROOT, env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...settings } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
