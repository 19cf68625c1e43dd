/**
 * `npm run lab fraud` plays dishonest and honest publishers against a server with production rules, for one day of a clock
 * of its own, and small ones for the week up to that day. It prints for each the share of its views and clicks that was billed. Options: `--list` (print the players
 * and end), `--only NAME` (this player, or those whose name contains the text; the ordinary sites play as well, because
 * the rules compare with them), `--seed N`, `--size 0.2` (fewer visits) and `--json`. It needs no development packages.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp } from '../server/app/app.ts';
import { readConfig } from '../server/platform/settings/config.ts';
import { startEmbedded } from '../server/platform/database/embedded/embedded.ts';
import { freePort } from '../server/platform/database/embedded/process.ts';
import { migrate } from '../server/platform/database/migrate.ts';
import { fraudDay, playersNamed } from '../server/testing/fraud/day.ts';
import { createClock } from '../server/testing/fraud/play.ts';
import { PLAYERS } from '../server/testing/fraud/players.ts';
import { printJson, printTable } from './fraud-table.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    size: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean' },
    list: { type: 'boolean' },
  },
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const size = values.size === undefined ? 1 : Number(values.size);
const players = values.only === undefined ? PLAYERS : playersNamed(values.only);

if (values.list) for (const { name } of PLAYERS) console.log(name);
else if (!Number.isSafeInteger(seed) || !(size > 0))
  fail('--seed is a whole number, --size a number above 0');
else if (players.length === 0) fail(`No player is named “${values.only}”. --list prints the names.`);
else await play();

function fail(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

async function play(): Promise<void> {
  if (!values.json) console.log(`npm run lab fraud -- --seed=${seed} --size=${size}`);
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'openslot-fraud-'));
  const database = await startEmbedded({
    dataDir,
    log: () => {},
    flags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off'],
  });
  try {
    const databaseUrl = database.url('openslot');
    await migrate(database.ownerUrl('openslot'), databaseUrl);
    const port = await freePort();
    const sessionSecret = 'a secret for the exercise of 32 characters or more';
    const config = readConfig({
      NODE_ENV: 'production',
      SESSION_SECRET: sessionSecret,
      SMTP_URL: 'smtp://127.0.0.1:9',
      ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    // Two days ago at midnight, so that no row of the day lies in the future of the database's own clock.
    const dayMs = new Date(new Date().toISOString().slice(0, 10)).getTime() - 2 * 86_400_000;
    const clock = createClock(dayMs);
    const app = await buildApp({
      config,
      databaseUrl,
      sessionSecrets: [sessionSecret],
      now: clock.now,
      logger: false,
    });
    try {
      await app.refreshDelivery();
      await app.fastify.listen({ port, host: '127.0.0.1' });
      const results = await fraudDay(app, clock, { seed, size, dayMs, players, sessionSecret });
      if (values.json) printJson(results);
      else printTable(results);
    } finally {
      await app.close();
    }
  } finally {
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
