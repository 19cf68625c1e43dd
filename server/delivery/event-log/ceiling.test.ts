/** The daily ceiling of a new publisher. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addZone,
  adRow,
  figures,
  makeSiteWithZone,
  makeRunningAd,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { type DirectCounter, openCounter } from '#server/testing/delivery/counting.ts';

const server = useOwnAdServer();
let counters: DirectCounter[];
beforeAll(() => {
  counters = [1, 2, 3].map(() => openCounter(server.databaseUrl, { ceilings: true }));
});
afterAll(async () => {
  for (const counter of counters) await counter.close();
});

const ceilingOf = async (websiteId: number, date: Date) =>
  (
    await sql<{ maxViews: number | null; maxClicks: number | null }>`
      select c.* from websites w cross join lateral daily_ceiling(w.user_id, ${date}) as c where w.id = ${websiteId}`.execute(
      server.ctx.db,
    )
  ).rows[0]!;

/** Paid views or clicks of an ad on each of these days, the last of them a week ago. */
async function history(adId: number, days: number, views: number, clicks = 0): Promise<void> {
  await sql`insert into ad_performance (ad_id, date, impressions, clicks)
    select ${adId}, ${server.clock.now()}::date - 6 - n, ${views}, ${clicks}
      from generate_series(1, ${days}) as n`.execute(server.ctx.db);
}

// Proves SIVT-07
it('the ceiling holds over several zones and several servers, and beyond it ads are shown and not billed', async () => {
  const place = await makeSiteWithZone(server.ctx, { monthlyVisitors: 6000 });
  const second = await addZone(server.ctx, place.websiteId);
  const ads: { id: number; zoneId: number }[] = [];
  for (const zoneId of [place.zoneId, second.zoneId])
    ads.push({
      zoneId,
      ...(await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 5000 })),
    });
  const perClick = await makeRunningAd(server.ctx, place.zoneId, { pricingModel: 'per_click', amount: 500 });
  const perDay = await makeRunningAd(server.ctx, place.zoneId, { amount: 2 });
  const counting = counters.flatMap((counter) =>
    Array.from({ length: 8 }, async (_, at) => {
      const ad = ads[at % 2]!;
      await counter.count(
        [
          ...Array.from({ length: 20 }, () => newEvent(server, { adId: ad.id, zoneId: ad.zoneId })),
          newEvent(server, { adId: perClick.id, zoneId: place.zoneId, kind: 'click' }),
          newEvent(server, { adId: perDay.id, zoneId: place.zoneId }),
        ],
        server.clock.now(),
      );
    }),
  );
  await Promise.all(counting);
  const billed = await Promise.all(ads.map(async ({ id }) => (await adRow(server.ctx, id)).totalImpressions));
  // 6,000 visitors a month make a ceiling of 200 views a day. The ceiling of clicks is at least 5.
  expect(billed.reduce((sum, views) => sum + views, 0)).toBe(200);
  expect(await figures(server.ctx, perClick.id)).toEqual({ click: 5, 'click ceiling': 19 });
  // A per-day ad has no ceiling, because its views are not billed.
  expect(await figures(server.ctx, perDay.id)).toEqual({ view: 24 });
  const shown = await Promise.all(ads.map(async ({ id }) => await figures(server.ctx, id)));
  expect(shown.reduce((sum, each) => sum + (each['view ceiling'] ?? 0), 0)).toBe(3 * 8 * 20 - 200);
});

// Proves SIVT-07
it('there is no ceiling where the production rules are off', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx, { monthlyVisitors: 0 });
  const ad = await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 5000 });
  const unlimited = openCounter(server.databaseUrl);
  await unlimited.count(
    Array.from({ length: 300 }, () => newEvent(server, { adId: ad.id, zoneId })),
    server.clock.now(),
  );
  await unlimited.close();
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 300 });
});

// Proves SIVT-08
it('the ceiling begins with declared traffic, is lowered by measured traffic, and grows with paid history that landed', async () => {
  const today = server.clock.now();
  const bold = await makeSiteWithZone(server.ctx, { monthlyVisitors: 10_000_000 });
  expect(await ceilingOf(bold.websiteId, today)).toEqual({ maxViews: 1000, maxClicks: 20 });
  const small = await makeSiteWithZone(server.ctx, { monthlyVisitors: 0 });
  expect(await ceilingOf(small.websiteId, today)).toEqual({ maxViews: 100, maxClicks: 5 });

  // Three measured days of 150 ad requests.
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
    select date_trunc('hour', ${today}::timestamptz - n * interval '1 day', 'utc'), null, ${bold.zoneId}, 'decision', 150
      from generate_series(1, 3) as n`.execute(server.ctx.db);
  expect(await ceilingOf(bold.websiteId, today)).toEqual({ maxViews: 300, maxClicks: 6 });

  // Seven paid days of 400 views and 9 clicks, a week ago. Within seven days, twice as much may be billed.
  const perView = await makeRunningAd(server.ctx, small.zoneId, {
    pricingModel: 'per_impression',
    amount: 9999,
  });
  const perClick = await makeRunningAd(server.ctx, small.zoneId, { pricingModel: 'per_click', amount: 9999 });
  await history(perView.id, 40, 400);
  await history(perClick.id, 40, 0, 9);
  expect(await ceilingOf(small.websiteId, today)).toEqual({ maxViews: 5600, maxClicks: 126 });
  await sql`insert into publisher_days (user_id, date, views, clicks)
    select user_id, ${today}::date - n, 400, 9 from websites, generate_series(1, 60) as n
      where id = ${small.websiteId}`.execute(server.ctx.db);
  // The events billed in the last six days are part of it, and rows of publisher_days do not end the ceiling.
  expect(await ceilingOf(small.websiteId, today)).toEqual({ maxViews: 3200, maxClicks: 72 });

  // A withdrawal does not lower it.
  await sql`insert into withdrawals (zone_id, from_hour, until_hour, made_at, signals)
    values (${small.zoneId}, ${today}, ${new Date(today.getTime() + 1)}, ${today}, '[{}]')`.execute(
    server.ctx.db,
  );
  expect(await ceilingOf(small.websiteId, today)).toEqual({ maxViews: 3200, maxClicks: 72 });

  // Clicks that did not land, are no history.
  await sql`update ads set measures_landings = true where id = ${perClick.id}`.execute(server.ctx.db);
  expect(await ceilingOf(small.websiteId, today)).toEqual({ maxViews: 3200, maxClicks: 5 });
});
