/** `npm run lab year` plays a German and a British year of trade (server/money/year.long.test.ts), and prints what its books hold. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment, root } from '../scripts/node.mjs';

const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const args = ['run', '--mode', 'long', '--silent=false', 'server/money/year.long.test.ts'];
const run = spawn(process.execPath, [vitest, ...args], {
  cwd: root,
  stdio: 'inherit',
  env: nodeEnvironment(),
});
run.on('exit', (code) => (process.exitCode = code ?? 1));
