import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';

const SERVER = path.resolve(import.meta.dirname, '../main.ts');

/** Both outputs of a production start without settings. `script` runs it at a terminal. */
async function refusedStart(isAtTerminal: boolean): Promise<string> {
  const folder = newTemporaryFolder('terminal');
  const [program, args] = isAtTerminal
    ? ['script', ['-qec', `${process.execPath} ${SERVER}`, '/dev/null']]
    : [process.execPath, [SERVER]];
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production', DATA_DIR: folder };
  const shown = await new Promise<string>((resolve) => {
    execFile(program, args, { env }, (_error, out, err) => resolve(out + err));
  });
  removeFolder(folder);
  return shown.replaceAll('\r', '');
}

it('says at a terminal in sentences why a start was refused, once, and in the log elsewhere', async () => {
  const atTerminal = await refusedStart(true);
  expect(atTerminal).toMatch(
    /^\nOpenslot did not start\.\nSESSION_SECRET is required in production\. .+\nPUBLIC_URL/,
  );
  expect(atTerminal).not.toContain('{');
  expect(atTerminal.match(/SESSION_SECRET/g)).toHaveLength(1);
  const lines = (await refusedStart(false)).trim().split('\n');
  // One for the log, and one for the error output, which a service manager shows.
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
    Array(2).fill(expect.stringMatching(/^Openslot did not start\. SESSION_SECRET/)),
  );
});
