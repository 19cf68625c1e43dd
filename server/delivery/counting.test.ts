import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  adRow,
  type AdServerTest,
  BROWSER,
  figures,
  makePlace,
  makeRunningAd,
  startAdServerTest,
} from '../testing/delivery.ts';

let server: AdServerTest;
beforeAll(async () => {
  server = await startAdServerTest();
});
afterAll(async () => await server.close());

async function running(fields: Parameters<typeof makeRunningAd>[2]) {
  const place = await makePlace(server.ctx);
  const ad = await makeRunningAd(server.ctx, place.zoneId, fields);
  await server.app.refreshDelivery();
  return { ...place, ad };
}

/** So many offers of a zone, old enough to be seen; none is kept from by promises to earlier ones. */
async function offers(zone: string, many: number): Promise<{ view: string; click: string }[]> {
  const made: { view: string; click: string }[] = [];
  while (made.length < many) {
    const [ad] = await server.ask([zone]);
    if (ad?.view && ad.click) made.push({ view: ad.view, click: ad.click });
    // Everything that is left is promised: the promises lapse after a minute.
    else server.clock.advance(61_000);
  }
  server.clock.advance(2000);
  return made;
}

/** A browser of its own, so that only the ad's goal limits the clicks. */
const visitor = (index: number) => ({ userAgent: `${BROWSER} visitor ${index}` });

// Proves ENT-32, GEN-19, DASH-B-10
it('a view and a click are counted once, on their UTC day', async () => {
  const { zone, ad } = await running({});
  const [offer] = await offers(zone, 1);
  expect(await server.view(offer!.view)).toBe(204);
  expect(await server.click(offer!.click)).toEqual({ status: 302, location: 'https://coffee.example/start' });

  expect(await adRow(server.ctx, ad.id)).toMatchObject({
    status: 'active',
    totalImpressions: 1,
    totalClicks: 1,
  });
  const days = await server.ctx.db
    .selectFrom('adPerformance')
    .selectAll()
    .where('adId', '=', ad.id)
    .execute();
  expect(days).toMatchObject([
    { impressions: 1, clicks: 1, date: server.clock.now().toISOString().slice(0, 10) },
  ]);
  // The view that a click stands for is no repetition of the one that was reported.
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1 });
});

// Proves ENT-32
it('each UTC day has a row of its own', async () => {
  const { zone, ad } = await running({ amount: 3 });
  for (const _ of [1, 2]) {
    const [offer] = await offers(zone, 1);
    expect(await server.view(offer!.view)).toBe(204);
    server.clock.advance(86_400_000);
  }
  const days = await server.ctx.db
    .selectFrom('adPerformance')
    .select(['date', 'impressions'])
    .where('adId', '=', ad.id)
    .orderBy('date')
    .execute();
  expect(days.map((day) => day.impressions)).toEqual([1, 1]);
  expect(new Set(days.map((day) => day.date)).size).toBe(2);
});

// Proves DEL-24, ENT-32
it('a click without a view records the view; the late view is a repetition', async () => {
  const { zone, ad } = await running({});
  const [offer] = await offers(zone, 1);
  expect((await server.click(offer!.click)).status).toBe(302);
  expect(await server.view(offer!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1, 'view duplicate': 1 });
});

// Proves DEL-03, ENT-32
it('fifty parallel reports of one view count once', async () => {
  const { zone, ad } = await running({});
  const [offer] = await offers(zone, 1);
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => await server.view(offer!.view)));
  expect(new Set(statuses)).toEqual(new Set([204]));
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1 });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, 'view duplicate': 49 });
});

// Proves DEL-05, STATE-06
it('200 parallel views of the last 50 impressions: 50 count, the ad is completed, the rest is a bonus', async () => {
  const { zone, ad } = await running({ pricingModel: 'per_impression', amount: 50 });
  const made = await offers(zone, 200);
  const statuses = await Promise.all(made.map(async (offer) => await server.view(offer.view)));
  expect(new Set(statuses)).toEqual(new Set([204]));

  const row = await adRow(server.ctx, ad.id);
  expect(row).toMatchObject({ status: 'completed', totalImpressions: 50 });
  expect(row.endDate).not.toBeNull();
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 50, 'view over_goal': 150 });
  const { impressions } = await server.ctx.db
    .selectFrom('adPerformance')
    .select('impressions')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  expect(impressions).toBe(50);

  await server.app.refreshDelivery();
  expect(await server.ask([zone])).toMatchObject([{ kind: 'house' }]);
});

// Proves DEL-05, STATE-06
it('the last of three impressions completes the ad and queues one notice', async () => {
  const { zone, ad } = await running({ pricingModel: 'per_impression', amount: 3 });
  const [first, second, third, fourth] = await offers(zone, 4);
  for (const offer of [first, second]) expect(await server.view(offer!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({
    status: 'active',
    totalImpressions: 2,
    endDate: null,
  });
  expect(await server.view(third!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalImpressions: 3 });
  expect(await server.view(fourth!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 3 });

  const { rows } = await server.app.pool.query<{ n: string }>(
    `select count(*) as n from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'tell-completed' and (j.payload ->> 'adId')::integer = $1`,
    [ad.id],
  );
  expect(rows[0]?.n).toBe('1');
});

// Proves DEL-05, STATE-06
it('200 parallel clicks of the last 50: 50 count, every one is redirected', async () => {
  const { zone, ad } = await running({ pricingModel: 'per_click', amount: 50 });
  const made = await offers(zone, 200);
  const answers = await Promise.all(
    made.map(async (offer, index) => await server.click(offer.click, visitor(index))),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.location}`))).toEqual(
    new Set(['302 https://coffee.example/start']),
  );
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalClicks: 50 });
  expect(await figures(server.ctx, ad.id)).toMatchObject({ click: 50, 'click over_goal': 150 });

  // Long gone from memory, a click still leads where it was meant to.
  await server.app.refreshDelivery();
  expect(await server.click(made[0]!.click)).toEqual({
    status: 302,
    location: 'https://coffee.example/start',
  });
});

// Proves DEL-06, STATE-06
it('a per-day ad is neither shown nor counted from its end on, whether or not a sweep has come', async () => {
  const { zone, ad } = await running({ amount: 1 });
  server.clock.advance(86_400_000 - 5000);
  const [offer] = await offers(zone, 1);
  server.clock.advance(60_000);
  expect(await server.ask([zone])).toMatchObject([{ kind: 'house' }]);
  expect(await server.view(offer!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'active', totalImpressions: 0 });
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view not_live': 1 });
});

// Proves STATE-06
it('promises keep what is shown beyond the goal few, and lapse', async () => {
  const { zone } = await running({ pricingModel: 'per_impression', amount: 3 });
  const kinds: string[] = [];
  for (let each = 0; each < 5; each++) kinds.push((await server.ask([zone]))[0]!.kind);
  expect(kinds).toEqual(['text', 'text', 'text', 'house', 'house']);
  server.clock.advance(61_000);
  expect(await server.ask([zone])).toMatchObject([{ kind: 'text' }]);
});
