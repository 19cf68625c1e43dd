import { expect, it } from 'vitest';
import {
  adRow,
  BROWSER,
  figures,
  makeSiteWithZone,
  makeRunningAd,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer();

async function running(fields: Parameters<typeof makeRunningAd>[2]) {
  const place = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, place.zoneId, fields);
  await server.app.refreshDelivery();
  return { ...place, ad };
}

/** Serves `count` ads of a zone, and waits until their views may count. Reservations do not limit the number. */
async function serve(zone: string, count: number): Promise<{ view: string; click: string }[]> {
  const made: { view: string; click: string }[] = [];
  while (made.length < count) {
    const [ad] = await server.ask([zone]);
    if (ad?.view && ad.click) made.push({ view: ad.view, click: ad.click });
    // Reservations cover the rest of the goal. They expire after a minute.
    else server.clock.advance(61_000);
  }
  server.clock.advance(2000);
  return made;
}

/** A separate browser for each click, so that only the ad's goal limits the clicks. */
const visitor = (index: number) => ({ userAgent: `${BROWSER} visitor ${index}` });

// Proves ENT-32, GEN-19, DASH-B-10
it('counts a view and a click once, on their UTC day', async () => {
  const { zone, ad } = await running({});
  const [served] = await serve(zone, 1);
  expect(await server.view(served!.view)).toBe(204);
  expect(await server.click(served!.click)).toEqual({
    status: 302,
    location: 'https://coffee.example/start',
  });

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
  // The view implied by the click is not a duplicate of the reported view.
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1 });
});

// Proves ENT-32
it('writes a separate row for each UTC day', async () => {
  const { zone, ad } = await running({ amount: 3 });
  for (const _ of [1, 2]) {
    const [served] = await serve(zone, 1);
    expect(await server.view(served!.view)).toBe(204);
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
it('records a view with a click that had none, and filters the late view as a duplicate', async () => {
  const { zone, ad } = await running({});
  const [served] = await serve(zone, 1);
  expect((await server.click(served!.click)).status).toBe(302);
  expect(await server.view(served!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1, 'view duplicate': 1 });
});

// Proves DEL-03, ENT-32
it('counts a view once when it is reported fifty times in parallel', async () => {
  const { zone, ad } = await running({});
  const [served] = await serve(zone, 1);
  const statuses = await Promise.all(Array.from({ length: 50 }, async () => await server.view(served!.view)));
  expect(new Set(statuses)).toEqual(new Set([204]));
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1 });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, 'view duplicate': 49 });
});

// Proves DEL-05, STATE-06
it('counts 50 of 200 parallel views for the last 50 impressions, completes the ad and records the rest as over goal', async () => {
  const { zone, ad } = await running({ pricingModel: 'per_impression', amount: 50 });
  const made = await serve(zone, 200);
  const statuses = await Promise.all(made.map(async (served) => await server.view(served.view)));
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
it('completes an ad at its last bought impression and queues one notice', async () => {
  const { zone, ad } = await running({ pricingModel: 'per_impression', amount: 3 });
  const [first, second, third, fourth] = await serve(zone, 4);
  for (const served of [first, second]) expect(await server.view(served!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({
    status: 'active',
    totalImpressions: 2,
    endDate: null,
  });
  expect(await server.view(third!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalImpressions: 3 });
  expect(await server.view(fourth!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 3 });

  const { rows } = await server.app.pool.query<{ n: number }>(
    `select count(*) as n from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier = 'tell-completed' and (j.payload ->> 'adId')::integer = $1`,
    [ad.id],
  );
  expect(rows[0]?.n).toBe(1);
});

// Proves DEL-05, STATE-06
it('counts 50 of 200 parallel clicks for the last 50 clicks, and redirects all of them', async () => {
  const { zone, ad } = await running({ pricingModel: 'per_click', amount: 50 });
  const made = await serve(zone, 200);
  const answers = await Promise.all(
    made.map(async (served, index) => await server.click(served.click, visitor(index))),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.location}`))).toEqual(
    new Set(['302 https://coffee.example/start']),
  );
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalClicks: 50 });
  expect(await figures(server.ctx, ad.id)).toMatchObject({ click: 50, 'click over_goal': 150 });

  // A click still reaches its target after the ad has left the snapshot.
  await server.app.refreshDelivery();
  expect(await server.click(made[0]!.click)).toEqual({
    status: 302,
    location: 'https://coffee.example/start',
  });
});

// Proves DEL-06, STATE-06
it('stops showing and counting a per-day ad at its end, even before a sweep has run', async () => {
  const { zone, ad } = await running({ amount: 1 });
  server.clock.advance(86_400_000 - 5000);
  const [served] = await serve(zone, 1);
  server.clock.advance(60_000);
  expect(await server.ask([zone])).toMatchObject([{ kind: 'house' }]);
  expect(await server.view(served!.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'active', totalImpressions: 0 });
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view not_live': 1 });
});

// Proves STATE-06
it('stops serving a quota ad while reservations cover the rest of its goal, and serves it again when they expire', async () => {
  const { zone } = await running({ pricingModel: 'per_impression', amount: 3 });
  const kinds: string[] = [];
  for (let each = 0; each < 5; each++) kinds.push((await server.ask([zone]))[0]!.kind);
  expect(kinds).toEqual(['text', 'text', 'text', 'house', 'house']);
  server.clock.advance(61_000);
  expect(await server.ask([zone])).toMatchObject([{ kind: 'text' }]);
});
