import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_CLICK_WAIT_MS, MAX_UNREPORTED_CLICKS_PER_DAY } from '#domain/delivery/judge.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import { adRow, figures, makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { expectNothingLost, newEvent } from '#server/testing/delivery/events.ts';
import type { AdEvent, EventLog } from './event-log.ts';
import { removeOldUnreportedClicks } from './landings.ts';
import { directLog } from '#server/testing/delivery/counting.ts';

const server = useOwnAdServer();
let logs: EventLog[];
beforeAll(() => {
  logs = [1, 2, 3].map(() => directLog(server));
});
afterAll(async () => {
  await Promise.all(logs.map(async (log) => await log.stop()));
});

async function running(fields: Parameters<typeof makeRunningAd>[2] = {}) {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const { id: adId } = await makeRunningAd(server.ctx, zoneId, fields);
  /** Makes the events of one decision. The ad server gives a click this reason until it is proven. */
  const decision = () => {
    const decisionId = randomBytes(12).toString('hex');
    return (kind: AdEvent['kind'], reason: Reason | null = kind === 'click' ? 'not_rendered' : null) =>
      newEvent(server, { adId, zoneId, decisionId, kind, reason });
  };
  return { adId, zoneId, decision };
}
const append = async (server: number, ...events: AdEvent[]) => await logs[server]!.append(events);

// Proves IVT-02
it('counts a click with its view once, whatever the order, the batches and the servers of its reports are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(['click', 'rendered', 'view'] as const, { minLength: 2 }),
      fc.array(fc.nat(2), { minLength: 3, maxLength: 3 }),
      fc.constantFrom('one batch', 'in turn', 'at once', 'twice'),
      async (kinds, servers, how) => {
        if (!kinds.includes('click')) kinds.push('click');
        const { adId, decision } = await running();
        const event = decision();
        if (how === 'one batch') await append(0, ...kinds.map((kind) => event(kind)));
        const reports = (how === 'one batch' ? [] : how === 'twice' ? [...kinds, ...kinds] : kinds).map(
          (kind, index) => async () => await append(servers[index % 3]!, event(kind)),
        );
        if (how === 'at once') await Promise.all(reports.map(async (report) => await report()));
        else for (const report of reports) await report();

        await expectNothingLost(server, adId);
        expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
        const sums = await figures(server.ctx, adId);
        expect(sums).toMatchObject({ view: 1, click: 1 });
        expect(sums).not.toHaveProperty('click not_rendered');
        // A view implies a rendered impression, so a report of both counts once.
        expect((sums['rendered'] ?? 0) - (sums['rendered duplicate'] ?? 0)).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

// Proves IVT-02
it('does not count a click without a report, nor with one that no page sends, nor with one that comes too late', async () => {
  const { adId, decision } = await running();
  const [alone, robot, fast, late] = [decision(), decision(), decision(), decision()];
  await append(0, alone('click'));
  await append(0, robot('rendered', 'bot'), robot('click'));
  await append(0, fast('click'));
  await append(1, fast('view', 'too_fast'));
  await append(0, late('click'));
  server.clock.advance(MAX_CLICK_WAIT_MS + 1000);
  await append(0, late('view'));
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 1, totalClicks: 0 });
  expect(await figures(server.ctx, adId)).toEqual({
    view: 1,
    'click not_rendered': 4,
    'rendered bot': 1,
    'view too_fast': 1,
  });

  const inTime = decision();
  await append(0, inTime('click'));
  server.clock.advance(MAX_CLICK_WAIT_MS - 15_000);
  await append(0, inTime('rendered'));
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalImpressions: 2, totalClicks: 1 });
});

// Proves IVT-02
it('takes a report as proof if only a limit kept it from being counted', async () => {
  const { adId, decision } = await running();
  const event = decision();
  await append(0, event('view', 'frequency'));
  await append(1, event('click'));
  expect(await figures(server.ctx, adId)).toEqual({ 'view frequency': 1, click: 1 });
});

// Proves IVT-02
it('counts a few clicks a day of a video that was not reported, on all servers together', async () => {
  const { adId, decision } = await running({
    adType: 'video',
    amount: 3,
  });
  const clicks = Array.from({ length: MAX_UNREPORTED_CLICKS_PER_DAY + 5 }, () => decision());
  await Promise.all(clicks.map(async (event, index) => await append(index % 3, event('click'))));
  expect(await adRow(server.ctx, adId)).toMatchObject({ totalClicks: MAX_UNREPORTED_CLICKS_PER_DAY });
  await append(0, ...Array.from({ length: 3 }, () => decision()('click')));
  const reported = decision();
  await append(0, reported('rendered'), reported('click'));
  expect(await figures(server.ctx, adId)).toMatchObject({
    click: MAX_UNREPORTED_CLICKS_PER_DAY + 1,
    view: MAX_UNREPORTED_CLICKS_PER_DAY + 1,
    'click not_rendered': 8,
  });

  server.clock.advance(86_400_000);
  await append(0, decision()('click'));
  expect(await figures(server.ctx, adId)).toMatchObject({ click: MAX_UNREPORTED_CLICKS_PER_DAY + 2 });
  const days = async () =>
    (await server.ctx.db.selectFrom('adUnreportedClicks').select('n').where('adId', '=', adId).execute())
      .length;
  await removeOldUnreportedClicks(server.ctx);
  expect(await days()).toBe(2);
  server.clock.advance(3 * 86_400_000);
  await removeOldUnreportedClicks(server.ctx);
  expect(await days()).toBe(0);
});

// Proves IVT-02
it('never counts a proven click beyond the goal of its ad', async () => {
  const { adId, decision } = await running({ pricingModel: 'per_click', amount: 2 });
  const decisions = Array.from({ length: 6 }, decision);
  for (const event of decisions) await append(0, event('click'));
  await Promise.all(decisions.map(async (event, index) => await append(index % 3, event('rendered'))));
  expect(await adRow(server.ctx, adId)).toMatchObject({ status: 'completed', totalClicks: 2 });
  expect(await figures(server.ctx, adId)).toMatchObject({ click: 2, 'click over_goal': 4 });
});
