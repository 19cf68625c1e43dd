import { afterAll, beforeAll, expect, it } from 'vitest';
import { REASONS } from '#domain/delivery/reasons.ts';
import {
  adRow,
  type AdServerTest,
  makePlace,
  makeRunningAd,
  startAdServerTest,
} from '../testing/delivery.ts';
import { expectExactCounting, newEvent } from '../testing/events.ts';
import { type EventLog, EventLogFull } from './event-log.ts';
import { postgresEventLog } from './postgres-event-log.ts';

let server: AdServerTest;
beforeAll(async () => {
  server = await startAdServerTest();
});
afterAll(async () => await server.close());

const newLog = (mostWaiting?: number) =>
  postgresEventLog({
    databaseUrl: server.databaseUrl,
    now: server.clock.now,
    listener: { onCounted: () => {} },
    mostWaiting,
  });

const event = (fields: Parameters<typeof newEvent>[1]) => newEvent(server, fields);

it('DEL-03 DEL-05 ENT-32 STATE-06 whatever is reported in whatever order by three servers: never twice, never beyond the goal', async () => {
  const logs: [EventLog, EventLog, EventLog] = [newLog(), newLog(), newLog()];
  // What is acknowledged is counted already.
  const events = await expectExactCounting(server, logs, { numRuns: 40, caughtUp: async () => {} });
  expect(events).toBeGreaterThan(0);
  for (const log of logs) await log.stop();
});

it('DEL-05 STATE-06 three servers at once reach a goal exactly, whoever comes first', async () => {
  const { zoneId } = await makePlace(server.ctx);
  const logs = [newLog(), newLog(), newLog()];
  for (let round = 0; round < 15; round++) {
    const { id: adId } = await makeRunningAd(server.ctx, zoneId, {
      pricingModel: 'per_impression',
      amount: 100,
    });
    // Each alone stays below the goal, two together do not.
    const batch = () => Array.from({ length: 60 }, () => event({ adId, zoneId }));
    await Promise.all(logs.map(async (log) => await log.append(batch())));
    expect(await adRow(server.ctx, adId)).toMatchObject({ status: 'completed', totalImpressions: 100 });
  }
  for (const log of logs) await log.stop();
});

it('ENT-32 the reasons the database knows are those of the domain', async () => {
  const { rows } = await server.app.pool.query<{ rule: string }>(
    `select pg_get_constraintdef(oid) as rule from pg_constraint
       where conname in ('ad_events_reason_known', 'delivery_hourly_reason_known')
         and conrelid in ('ad_events'::regclass, 'delivery_hourly'::regclass)`,
  );
  expect(rows).toHaveLength(2);
  for (const { rule } of rows) {
    const words = [...rule.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]);
    expect(new Set(words)).toEqual(new Set(REASONS));
  }
});

it('GEN-19 a log that is full says so at once; what it had accepted is counted all the same', async () => {
  const { zoneId } = await makePlace(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId);
  const log = newLog(5);
  const holder = await server.app.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from ads where id = $1 for update', [adId]);
  const accepted: Promise<void>[] = [];
  let refused = 0;
  // Two batches are on their way to the database, five events may wait behind them.
  for (let each = 0; each < 20; each++) {
    const appended = log.append([event({ adId, zoneId })]);
    accepted.push(appended);
    appended.catch((error: unknown) => {
      expect(error).toBeInstanceOf(EventLogFull);
      refused += 1;
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  expect(refused).toBeGreaterThan(0);
  await holder.query('rollback');
  holder.release();
  const outcomes = await Promise.allSettled(accepted);
  const done = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
  expect(done + refused).toBe(20);
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: done });
  await log.stop();
});

it('GEN-19 events of every recent day find their partition, and old days are dropped', async () => {
  const { zoneId } = await makePlace(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId);
  const { ensureEventPartitions } = await import('./partitions.ts');
  const log = newLog();
  await log.append([
    event({ adId, zoneId }),
    event({ adId, zoneId, issuedAtMs: server.clock.now().getTime() - 90_000_000 }),
  ]);
  await log.stop();
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 2 });

  server.clock.advance(40 * 86_400_000);
  expect(await ensureEventPartitions(server.ctx)).toBeGreaterThanOrEqual(2);
  const left = await server.ctx.db.selectFrom('adEvents').select('adId').where('adId', '=', adId).execute();
  expect(left).toEqual([]);
  expect(await ensureEventPartitions(server.ctx)).toBe(0);
});
