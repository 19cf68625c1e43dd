import { expect, it } from 'vitest';
import { REASONS } from '#domain/delivery/reasons.ts';
import { DAY_MS } from '#domain/time.ts';
import { adRow, figures, makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { expectExactCounting, newEvent } from '#server/testing/delivery/events.ts';
import { type EventLog, EventLogFull } from './event-log.ts';
import { directLog, openCounter } from '#server/testing/delivery/counting.ts';

const server = useOwnAdServer();

const newLog = (maxWaiting?: number) => directLog(server, maxWaiting);

const event = (fields: Parameters<typeof newEvent>[1]) => newEvent(server, fields);

// Proves DEL-03, DEL-05, ENT-32, STATE-06
it('counts any events from three servers in any order once, and never beyond the goal', async () => {
  const logs: [EventLog, EventLog, EventLog] = [newLog(), newLog(), newLog()];
  // This log acknowledges an event only once it is counted.
  const events = await expectExactCounting(server, logs, { numRuns: 40, caughtUp: async () => {} });
  expect(events).toBeGreaterThan(0);
  for (const log of logs) await log.stop();
});

// Proves DEL-05, STATE-06
it('reaches a goal exactly when three servers count at the same time', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const logs = [newLog(), newLog(), newLog()];
  for (let round = 0; round < 15; round++) {
    const { id: adId } = await makeRunningAd(server.ctx, zoneId, {
      pricingModel: 'per_impression',
      amount: 100,
    });
    // The events of a single server stay below the goal. Those of two exceed it.
    const batch = () => Array.from({ length: 60 }, () => event({ adId, zoneId }));
    await Promise.all(logs.map(async (log) => await log.append(batch())));
    expect(await adRow(server.ctx, adId)).toMatchObject({ status: 'completed', totalImpressions: 100 });
  }
  for (const log of logs) await log.stop();
});

// Proves ENT-32
it('has the same list of reasons in the database and in the domain', async () => {
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

// Proves GEN-19
it('rejects events at once when the queue is full, and still counts the accepted ones', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId);
  const log = newLog(5);
  const holder = await server.app.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from ads where id = $1 for update', [adId]);
  const accepted: Promise<void>[] = [];
  let refused = 0;
  // The first batch is on its way to the database, and at most five events wait behind it.
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

// Proves GEN-19
it('creates a partition for every recent day of events, and drops old days', async () => {
  // The database drops only days that are old by its own clock.
  server.clock.advance(-50 * DAY_MS);
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId);
  const { ensureEventPartitions } = await import('./partitions/partitions.ts');
  const log = newLog();
  await log.append([
    event({ adId, zoneId }),
    event({ adId, zoneId, issuedAtMs: server.clock.now().getTime() - 90_000_000 }),
  ]);
  await log.stop();
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 2 });

  server.clock.advance(40 * DAY_MS);
  expect(await ensureEventPartitions(server.ctx)).toBeGreaterThanOrEqual(2);
  const left = await server.ctx.db.selectFrom('adEvents').select('adId').where('adId', '=', adId).execute();
  expect(left).toEqual([]);
  expect(await ensureEventPartitions(server.ctx)).toBe(0);
});

// Proves DEL-05, IVT-02, STATE-06
it('counts the batch of docs/count-events.md as the page says', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 3 });
  const counter = openCounter(server.databaseUrl);
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(24));
  const of = (decisionId: string | undefined, fields: object = {}) =>
    event({ adId, zoneId, decisionId: String(decisionId), ...fields });
  await counter.count([of(b), of(c, { kind: 'rendered' })], server.clock.now());
  const batch = [
    of(a),
    of(b),
    of(c, { kind: 'click', reason: 'not_rendered' }),
    of(d, { reason: 'bot' }),
    of(e),
  ];
  expect(await counter.count(batch, server.clock.now())).toEqual([
    { adId, totalImpressions: 3, totalClicks: 1, completed: true },
  ]);
  await counter.close();
  expect(await figures(server.ctx, adId)).toEqual({
    view: 3,
    click: 1,
    rendered: 1,
    'view duplicate': 1,
    'view bot': 1,
    'view over_goal': 1,
    'rendered duplicate': 1,
  });
});
