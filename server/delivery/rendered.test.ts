import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adRow, BROWSER, makeSiteWithZone, makeRunningAd, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import type { EventLog } from './event-log/event-log.ts';
import { directLog } from '#server/testing/delivery/counting.ts';

const server = useOwnAdServer({ PUBLIC_URL: 'http://ads.example' });
let logs: EventLog[];
beforeAll(() => {
  logs = [1, 2, 3].map(() => directLog(server));
});
afterAll(async () => {
  await Promise.all(logs.map(async (log) => await log.stop()));
});

/** The hourly figures of an ad, by 'kind reason'. */
async function figures(adId: number): Promise<Record<string, number>> {
  const rows = await server.ctx.db
    .selectFrom('deliveryHourly')
    .select(({ fn }) => ['kind', 'reason', fn.sum<string>('n').as('n')])
    .where('adId', '=', adId)
    .where('kind', 'in', ['view', 'rendered'])
    .groupBy(['kind', 'reason'])
    .execute();
  return Object.fromEntries(rows.map(({ kind, reason, n }) => [`${kind} ${reason}`.trim(), Number(n)]));
}

// Proves DEL-70
it('counts an ad that was rendered and not viewed as one rendered impression, which is not billed', async () => {
  const { zoneId, zone } = await makeSiteWithZone(server.ctx);
  const { id } = await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 1 });
  await server.app.refreshDelivery();
  const { view } = await server.decide(zone);
  const report = async () =>
    (
      await server.caller.send('POST', `${new URL(view).pathname}?rendered`, undefined, {
        origin: SITE,
        'user-agent': BROWSER,
      })
    ).status;
  expect(await Promise.all([report(), report(), report()])).toEqual([204, 204, 204]);
  expect(await figures(id)).toEqual({ rendered: 1 });
  expect(await adRow(server.ctx, id)).toMatchObject({ status: 'active', totalImpressions: 0 });

  // The visitor may return to the page and view the ad, so the token is still valid for a view.
  server.clock.advance(2000);
  expect(await server.view(view)).toBe(204);
  expect(await figures(id)).toEqual({ rendered: 1, 'rendered duplicate': 1, view: 1 });
  expect(await adRow(server.ctx, id)).toMatchObject({ status: 'completed', totalImpressions: 1 });

  expect(await report()).toBe(204);
  expect(await figures(id)).toEqual({ rendered: 1, 'rendered duplicate': 1, view: 1 });
});

// Proves DEL-70
it('filters rendered impressions like views, and rejects a forged report', async () => {
  const { zoneId, zone } = await makeSiteWithZone(server.ctx);
  const { id } = await makeRunningAd(server.ctx, zoneId, {});
  await server.app.refreshDelivery();
  const { view } = await server.decide(zone);
  const path = `${new URL(view).pathname}?rendered`;
  const report = async (address: string, userAgent: string, site = SITE) =>
    (await server.caller.send('POST', address, undefined, { origin: site, 'user-agent': userAgent })).status;
  expect(await report(path, 'curl/8')).toBe(204);
  expect(await figures(id)).toEqual({ 'rendered bot': 1 });
  const other = await server.decide(zone);
  expect(await report(`${new URL(other.view).pathname}?rendered`, BROWSER, 'https://other.example')).toBe(
    204,
  );
  expect(await figures(id)).toEqual({ 'rendered bot': 1, 'rendered wrong_site': 1 });
  const forged = path.replace(/.\?/, (end) => (end === 'A?' ? 'B?' : 'A?'));
  expect(await report(forged, BROWSER)).toBe(400);
});

// Proves DEL-70, DEL-03
it('counts every rendered impression once, in whatever order three servers receive the reports', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const report = fc.record({
    decision: fc.nat(7),
    kind: fc.constantFrom('view', 'rendered', 'click'),
    server: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(report, { minLength: 1, maxLength: 40 }), async (reports) => {
      const { id: adId } = await makeRunningAd(server.ctx, zoneId, {});
      const run = randomBytes(11).toString('hex');
      await Promise.all(
        reports.map(async ({ decision, kind, server: which }) => {
          const event = newEvent(server, { decisionId: `${run}0${decision}`, adId, zoneId, kind });
          const view = kind === 'click' ? [{ ...event, kind: 'view' as const, implied: true }] : [];
          await logs[which]!.append([event, ...view]);
        }),
      );
      const found = await figures(adId);
      const { view = 0, rendered = 0, 'rendered duplicate': twice = 0 } = found;
      expect(view + rendered - twice).toBe(new Set(reports.map((each) => each.decision)).size);
      const seen = reports.filter((each) => each.kind !== 'rendered');
      expect(view).toBe(new Set(seen.map((each) => each.decision)).size);
    }),
    { numRuns: 40 },
  );
});
