/** Runs commands of `openslot` for the server, in a process of their own, so that they take no time from the ad server. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../app/openslot.ts', import.meta.url));

/** The exit code, and the output of `openslot … --json`. */
export type Ended<Json> = { code: number; json: Partial<Json> & { error?: string } };

/** Runs a command of the operator with the settings of this server. `signal` ends it. */
export async function openslot<Json>(words: readonly string[], signal: AbortSignal): Promise<Ended<Json>> {
  const options = { signal, maxBuffer: 16 * 1024 * 1024 };
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [...process.execArgv, PROGRAM, ...words, '--json'],
      options,
      (error, out, err) => {
        const code = error === null ? 0 : Number(error.code ?? 1) || 1;
        const json = (parse(out) ?? { error: err.trim().split('\n').at(-1) ?? '' }) as Ended<Json>['json'];
        resolve({ code, json });
      },
    );
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
