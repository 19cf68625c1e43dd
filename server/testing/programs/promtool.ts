/** Runs Prometheus' promtool for tests: the program in PROMTOOL_PATH, else the system's, else the one in .cache. */
import { execFile, spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Where `npm test` unpacks Debian's package, see scripts/test-programs.ts. */
export const PROMTOOL_CACHE = path.resolve(import.meta.dirname, '../../../.cache/prometheus');

export const PROMTOOL_ADVICE =
  'NOT RUN: no promtool here. Set PROMTOOL_PATH, or install it (Debian: apt-get install prometheus)';

export async function searchPromtool(): Promise<string | null> {
  const places = [process.env['PROMTOOL_PATH'], 'promtool', path.join(PROMTOOL_CACHE, 'usr/bin/promtool')];
  for (const program of places) {
    const starts = async () =>
      await run(program!, ['--version'], { timeout: 60_000 }).then(
        () => true,
        () => false,
      );
    if (program && (await starts())) return program;
  }
  return null;
}

/**
 * Returns whether tests with promtool can run here. If they cannot, `note` is for their titles and says what to install.
 * On CI this function throws instead, because a skipped test would go unnoticed there.
 */
export async function promtoolIsHere(): Promise<{ here: boolean; note: string }> {
  const here = (await searchPromtool()) !== null;
  if (!here && process.env['CI']) throw new Error(PROMTOOL_ADVICE);
  return { here, note: here ? '' : ` (${PROMTOOL_ADVICE})` };
}

/** Runs promtool with `input`. Returns its exit code and everything that it prints. */
export async function promtool(
  args: string[],
  { cwd, input = '' }: { cwd?: string; input?: string } = {},
): Promise<{ code: number | null; output: string }> {
  const program = await searchPromtool();
  if (program === null) throw new Error(PROMTOOL_ADVICE);
  const child = spawn(program, args, { stdio: 'pipe', ...(cwd && { cwd }) });
  child.stdin.end(input);
  const [code, out, errors] = await Promise.all([
    new Promise<number | null>((resolve) => child.on('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, output: out + errors };
}
