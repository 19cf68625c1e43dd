/**
 * `npm run lab bookings -- [histories] [seed]` plays random histories of bookings (server/ads/booking/histories.test.ts): 10,000
 * unless a number is given. The seed is printed and repeats a run.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeEnvironment, root } from '../scripts/node.mjs';

const [histories = '10000', seed] = process.argv.slice(2);
const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
const run = spawn(
  process.execPath,
  [vitest, 'run', '--silent=false', 'server/ads/booking/histories.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...nodeEnvironment(), BOOKING_HISTORIES: histories, ...(seed && { BOOKING_SEED: seed }) },
  },
);
run.on('exit', (code) => (process.exitCode = code ?? 1));
