/**
 * `npm run fuzz -- [requests] [seed]` sends generated requests to every call (server/fuzz.test.ts): 100,000 unless a number
 * is given. The seed is printed and repeats a run.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment, root } from './node.mjs';

const [requests = '100000', seed] = process.argv.slice(2);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const run = spawn(process.execPath, [vitest, 'run', '--silent=false', 'server/fuzz.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...nodeEnvironment(), FUZZ_REQUESTS: requests, ...(seed && { FUZZ_SEED: seed }) },
});
run.on('exit', (code) => (process.exitCode = code ?? 1));
