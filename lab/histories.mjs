/**
 * `npm run lab histories -- [steps] [seed]` plays random histories of money (server/money/histories.test.ts): 100,000 steps
 * unless a number is given. The seed is printed and repeats a run.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment, root } from '../scripts/node.mjs';

const [steps = '100000', seed] = process.argv.slice(2);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const run = spawn(process.execPath, [vitest, 'run', '--silent=false', 'server/money/histories.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...nodeEnvironment(), HISTORY_STEPS: steps, ...(seed && { HISTORY_SEED: seed }) },
});
run.on('exit', (code) => (process.exitCode = code ?? 1));
