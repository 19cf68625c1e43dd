/** Events as the ad server appends them to an event log, and assertions about them after they were counted. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { BILLED_KINDS, REASONS } from '#domain/delivery/reasons.ts';
import type { AdEvent, EventLog } from '#server/delivery/event-log/event-log.ts';
import { adRow, type AdServerTest, makeSiteWithZone, makeRunningAd } from './delivery.ts';

export function newEvent(
  server: AdServerTest,
  fields: Partial<AdEvent> & Pick<AdEvent, 'adId' | 'zoneId'>,
): AdEvent {
  return {
    decisionId: randomBytes(12).toString('hex'),
    kind: 'view',
    issuedAtMs: server.clock.now().getTime(),
    reason: null,
    implied: false,
    creative: 0,
    ...fields,
  };
}

/** Asserts that an ad's counters equal its counted events and the sum of its daily figures. */
export async function expectNothingLost(server: AdServerTest, adId: number) {
  const row = await adRow(server.ctx, adId);
  const events = await server.ctx.db
    .selectFrom('adEvents')
    .select(['kind', 'reason', 'decisionId'])
    .where('adId', '=', adId)
    .execute();
  const counted = (kind: string) =>
    events.filter((each) => each.kind === kind && each.reason === null).length;
  expect([row.totalImpressions, row.totalClicks]).toEqual([counted('view'), counted('click')]);
  const sum = await server.ctx.db
    .selectFrom('adPerformance')
    .select(({ fn }) => [fn.sum<string>('impressions').as('views'), fn.sum<string>('clicks').as('clicks')])
    .where('adId', '=', adId)
    .executeTakeFirst();
  expect([Number(sum?.views ?? 0), Number(sum?.clicks ?? 0)]).toEqual([
    row.totalImpressions,
    row.totalClicks,
  ]);
  return { row, events };
}

/**
 * Asserts that events which reach three instances of the server in any order, and each of them twice, are counted once
 * and never beyond the goal. `caughtUp` must resolve when all appended events are counted. Returns the number of
 * events.
 */
export async function expectExactCounting(
  server: AdServerTest,
  logs: [EventLog, EventLog, EventLog],
  options: { numRuns: number; caughtUp: () => Promise<void> },
): Promise<number> {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  let seen = 0;
  const shape = fc.record({
    decision: fc.nat(14),
    ad: fc.nat(2),
    kind: fc.constantFrom(...BILLED_KINDS),
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
      // Append every report twice at the same time, like a client that retries or a queue that delivers twice.
      const append = async (
        { decision, ad, kind, reason, server: which }: (typeof reports)[number],
        repeat: number,
      ) => {
        const adId = ads[ad]!.id;
        const main = newEvent(server, {
          decisionId: idOf(decision, ad),
          adId,
          zoneId,
          kind,
          reason,
          issuedAtMs,
        });
        const implied =
          kind === 'click' && reason === null ? [{ ...main, kind: 'view' as const, implied: true }] : [];
        await logs[(which + repeat) % 3]!.append([main, ...implied]);
      };
      await Promise.all([
        ...reports.map(async (each) => await append(each, 0)),
        ...reports.map(async (each) => await append(each, 1)),
      ]);
      await options.caughtUp();

      for (const [index, { id }] of ads.entries()) {
        const { row, events } = await expectNothingLost(server, id);
        const own = reports.filter((each) => each.ad === index);
        const distinct = new Set(
          own.flatMap((each) => [
            `${each.kind} ${each.decision}`,
            ...(each.kind === 'click' && each.reason === null ? [`view ${each.decision}`] : []),
          ]),
        );
        expect(events).toHaveLength(distinct.size);
        seen += events.length;
        const delivered = [row.totalImpressions, row.totalClicks][index];
        if (delivered !== undefined) {
          expect(delivered).toBeLessThanOrEqual(goal);
          expect(row.status).toBe(delivered === goal ? 'completed' : 'active');
          const overGoal = events.some(
            (each) => each.reason === 'over_goal' && each.kind === ['view', 'click'][index],
          );
          const wasGiven = own.some((each) => each.reason === 'over_goal');
          // The log may mark events as over the goal only after the goal is reached.
          if (overGoal && !wasGiven) expect(delivered).toBe(goal);
        } else expect(row.status).toBe('active');
      }
    }),
    { numRuns: options.numRuns },
  );
  return seen;
}
