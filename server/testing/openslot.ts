import { execFile } from 'node:child_process';
import path from 'node:path';
import { Writable } from 'node:stream';
import { runCommandLine } from '#server/app/command-line.ts';
import { COMPILED } from './server-process.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

type Settings = Record<string, string | undefined>;
type Ended = { code: number; out: string; err: string };

/** Runs the operator's command line. `settings` are all that it sees of the environment. */
export async function runOpenslot(words: string[], settings: Settings): Promise<Ended> {
  const [output, errors] = [textStream(), textStream()];
  const env = { PATH: process.env['PATH'], ...settings };
  const code = await runCommandLine(words, { env, output: output.stream, errors: errors.stream });
  return { code, out: output.text(), err: errors.text() };
}

/** The same as a process of its own, which takes a second and a half of a processor. */
export async function spawnOpenslot(words: string[], settings: Settings): Promise<Ended> {
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      ['server/app/openslot.ts', ...words],
      { cwd: ROOT, env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: COMPILED, ...settings } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

function textStream(): { stream: Writable; text: () => string } {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  return { stream, text: () => text };
}
