/**
 * Does the work of midnight, a piece at a time. Prints a line of JSON for each piece. May be ended at any moment and started
 * again. Usage: `node growth-work.ts DATA_DIR DATABASE_URL ARCHIVE EVENTS_KEPT_DAYS`.
 */
import { performance } from 'node:perf_hooks';
import { runArchive } from '../../server/operations/archive/archive.ts';
import type { Context } from '../../server/platform/context.ts';
import { createDatabase, createPool } from '../../server/platform/database/database.ts';
import { foldHours } from '../../server/delivery/event-log/partitions/fold-hours.ts';
import { removeOldMeasuredClicks } from '../../server/delivery/event-log/landings.ts';
import { packEvents } from '../../server/delivery/event-log/partitions/pack-events.ts';
import { ensureEventPartitions } from '../../server/delivery/event-log/partitions/partitions.ts';
import { createLog } from '../../server/platform/log/log.ts';
import { checkMoney } from '../../server/money/books/check.ts';
import { signDayRoot } from '../../server/money/transparency-log/sign.ts';
import { deriveKeys } from '../../server/platform/settings/session-secret.ts';
import { BENCH_SECRET, benchConfig } from './app.ts';

const [dataDir = '', databaseUrl = '', archive = '', daysKept = ''] = process.argv.slice(2);
const config = benchConfig(dataDir, { ARCHIVE_TO: archive, EVENTS_KEPT_DAYS: daysKept });
const db = createDatabase(createPool(databaseUrl, 3));
const now = () => new Date();
// These pieces need no other part of the context.
const ctx = {
  config,
  db,
  now,
  realNow: now,
  ...deriveKeys([BENCH_SECRET]),
  payments: { book: config.paymentBook },
  log: createLog({ level: 'error', stream: process.stderr }),
} as unknown as Context;

const PIECES: Record<string, () => Promise<unknown>> = {
  'partitions of the next days and months': async () => await ensureEventPartitions(ctx),
  'packing of days older than three': async () => await packEvents(ctx),
  'archive, comparison and drop of a day': async () => {
    const { kept } = await runArchive(ctx, databaseUrl);
    if (kept.length > 0) throw new Error(`The archive kept ${JSON.stringify(kept)}`);
  },
  'fold of the hours of a day': async () => await foldHours(ctx),
  'removal of old clicks': async () => await removeOldMeasuredClicks(ctx),
  'signed root of the day': async () => await signDayRoot(ctx),
  'money check since the signed day': async () => {
    const { differences, since } = await checkMoney(ctx);
    if (differences[0] || since === null)
      throw new Error(`The books of the bench differ: ${JSON.stringify(differences[0] ?? 'no opening')}`);
  },
};

for (const [piece, work] of Object.entries(PIECES)) {
  const from = performance.now();
  await work();
  console.log(JSON.stringify({ piece, ms: performance.now() - from }));
}
await db.destroy();
