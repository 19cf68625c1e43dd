/**
 * `npm run lab fuzz -- [requests] [seed]` sends generated requests to every call (server/app/fuzz.test.ts): 100,000 unless a number
 * is given. `npm run lab fuzz -- decoders [files] [seed]` sends mutated files to the decoders (server/platform/decoding/fuzz.test.ts):
 * 5,000 unless a number is given. The seed is printed and repeats a run.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment, root } from '../scripts/node.mjs';

const isOfDecoders = process.argv[2] === 'decoders';
const [count, seed] = process.argv.slice(isOfDecoders ? 3 : 2);
const test = isOfDecoders ? 'server/platform/decoding/fuzz.test.ts' : 'server/app/fuzz.test.ts';
const counts = isOfDecoders ? { FUZZ_FILES: count ?? '5000' } : { FUZZ_REQUESTS: count ?? '100000' };
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const run = spawn(process.execPath, [vitest, 'run', '--silent=false', test], {
  cwd: root,
  stdio: 'inherit',
  env: { ...nodeEnvironment(), ...counts, ...(seed && { FUZZ_SEED: seed }) },
});
run.on('exit', (code) => (process.exitCode = code ?? 1));
