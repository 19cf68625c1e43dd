/**
 * `npm run lab attack` buys and cancels campaigns at once (server/money/refunds/attack.test.ts), and prints what it costs the
 * operator without limits, with the defaults, and with each `CANCEL_FEE`. `npm run -s lab attack -- thread` looks for requests
 * that hold the thread which serves ads (attack-thread.ts).
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment, root } from '../scripts/node.mjs';

if (process.argv[2] === 'thread') await import('./attack-thread.ts');
else cancels();

function cancels() {
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const run = spawn(
    process.execPath,
    [vitest, 'run', '--silent=false', 'server/money/refunds/attack.test.ts'],
    { cwd: root, stdio: 'inherit', env: nodeEnvironment() },
  );
  run.on('exit', (code) => (process.exitCode = code ?? 1));
}
