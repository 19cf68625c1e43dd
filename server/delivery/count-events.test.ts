import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_KINDS, REASONS } from '#domain/delivery/reasons.ts';
import {
  adRow,
  type AdServerTest,
  makePlace,
  makeRunningAd,
  startAdServerTest,
} from '../testing/delivery.ts';
import { type AdEvent, EventLogFull, postgresEventLog } from './event-log.ts';

let server: AdServerTest;
beforeAll(async () => {
  server = await startAdServerTest();
});
afterAll(async () => await server.close());

const newLog = (mostWaiting?: number) =>
  postgresEventLog({
    databaseUrl: server.databaseUrl,
    now: server.clock.now,
    onCounted: () => {},
    mostWaiting,
  });

const event = (fields: Partial<AdEvent> & Pick<AdEvent, 'adId' | 'zoneId'>): AdEvent => ({
  decisionId: randomBytes(12).toString('hex'),
  kind: 'view',
  issuedAtMs: server.clock.now().getTime(),
  reason: null,
  implied: false,
  ...fields,
});

it('DEL-03 DEL-05 ENT-32 STATE-06 whatever is reported in whatever order by three servers: never twice, never beyond the goal', async () => {
  const { zoneId } = await makePlace(server.ctx);
  const logs = [newLog(), newLog(), newLog()];
  const shape = fc.record({
    decision: fc.nat(14),
    ad: fc.nat(2),
    kind: fc.constantFrom(...EVENT_KINDS),
    reason: fc.option(fc.constantFrom(...REASONS), { freq: 3 }),
    server: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(shape, { maxLength: 60 }), fc.nat(8), async (reports, extra) => {
      const goal = extra + 1;
      const models = ['per_impression', 'per_click', 'per_day'] as const;
      const ads: { id: number }[] = [];
      for (const pricingModel of models) {
        const amount = pricingModel === 'per_day' ? 1 : goal;
        ads.push(await makeRunningAd(server.ctx, zoneId, { pricingModel, amount }));
      }
      const run = randomBytes(10).toString('hex');
      const issuedAtMs = server.clock.now().getTime();
      const idOf = (decision: number, ad: number) => run + (decision * 3 + ad).toString(16).padStart(4, '0');
      // Every report goes out at once, and once more: a client that repeats, a queue that delivers twice.
      const append = (
        { decision, ad, kind, reason, server: which }: (typeof reports)[number],
        repeat: number,
      ) => {
        const main = event({
          decisionId: idOf(decision, ad),
          adId: ads[ad]!.id,
          zoneId,
          kind,
          reason,
          issuedAtMs,
        });
        const implied =
          kind === 'click' && reason === null ? [{ ...main, kind: 'view' as const, implied: true }] : [];
        return logs[(which + repeat) % 3]!.append([main, ...implied]);
      };
      await Promise.all([
        ...reports.map((each) => append(each, 0)),
        ...reports.map((each) => append(each, 1)),
      ]);

      for (const [index, { id }] of ads.entries()) {
        const row = await adRow(server.ctx, id);
        const events = await server.ctx.db
          .selectFrom('adEvents')
          .select(['kind', 'reason', 'decisionId'])
          .where('adId', '=', id)
          .execute();
        const counted = (kind: string) =>
          events.filter((each) => each.kind === kind && each.reason === null).length;
        const own = reports.filter((each) => each.ad === index);
        const distinct = new Set(
          own.flatMap((each) => [
            `${each.kind} ${each.decision}`,
            ...(each.kind === 'click' && each.reason === null ? [`view ${each.decision}`] : []),
          ]),
        );
        expect(events).toHaveLength(distinct.size);
        expect([row.totalImpressions, row.totalClicks]).toEqual([counted('view'), counted('click')]);
        const sum = await server.ctx.db
          .selectFrom('adPerformance')
          .select(['impressions', 'clicks'])
          .where('adId', '=', id)
          .executeTakeFirst();
        expect([sum?.impressions ?? 0, sum?.clicks ?? 0]).toEqual([row.totalImpressions, row.totalClicks]);
        const delivered = [row.totalImpressions, row.totalClicks][index];
        if (delivered !== undefined) {
          expect(delivered).toBeLessThanOrEqual(goal);
          expect(row.status).toBe(delivered === goal ? 'completed' : 'active');
          const beyond = events.some(
            (each) => each.reason === 'over_goal' && each.kind === ['view', 'click'][index],
          );
          const asked = own.some((each) => each.reason === 'over_goal');
          // Nothing is called beyond the goal before the goal is reached.
          if (beyond && !asked) expect(delivered).toBe(goal);
        } else expect(row.status).toBe('active');
      }
    }),
    { numRuns: 40 },
  );
  for (const log of logs) await log.stop();
}, 60_000);

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
