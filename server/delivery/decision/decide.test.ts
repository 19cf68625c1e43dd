import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { addZone, makeSiteWithZone, makeRunningAd, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer({ DELIVERY_URL: 'http://127.0.0.1:9' });

// Proves API-55, STATE-05
it('serves a live ad with absolute URLs for its view, its click and its page "why this ad"', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, { title: 'Käse → 🧀 & "Brot" </script>' });
  await server.app.refreshDelivery();
  const answer = await server.caller.get(`/api/serve/ads?z=${zone}`, { origin: SITE });

  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'timing-allow-origin': '*',
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(answer.body).toEqual({
    ads: [
      {
        zone,
        kind: 'text',
        title: 'Käse → 🧀 & "Brot" </script>',
        text: 'Roasted on Monday.',
        site: 'coffee.example',
        css: expect.stringContaining('b{font-weight:600'),
        why: `${server.url}/api/serve/why/${ad.publicId}`,
        area: 300 * 250,
        view: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/api\/serve\/view\/[\w-]{69}$/),
        click: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/api\/serve\/click\/[\w-]{69}$/),
      },
    ],
  });
});

it('answers each address of a decision alike, whatever number the tag adds to make it a new one', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId, { title: 'One' });
  await server.app.refreshDelivery();
  const titles: unknown[] = [];
  for (const query of [
    `n&z=${zone}`,
    `n&z=${zone}&0.123`,
    `z=${zone}&p=%2F&t=&tz=UTC&0.456`,
    `0.7&z=${zone}`,
  ]) {
    const { body } = await server.caller.get(`/api/serve/ads?${query}`, { origin: SITE });
    titles.push((body as { ads: ServedAd[] }).ads.map(({ title }) => title));
  }
  expect(titles).toEqual([['One'], ['One'], ['One'], ['One']]);
});

it('lets a page add headers of its own to the requests of the tag', async () => {
  const answer = await server.caller.send('OPTIONS', '/api/serve/ads?n&z=a&0.1', undefined, {
    origin: SITE,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'x-csrf-token',
  });
  expect([
    answer.status,
    answer.headers.get('access-control-allow-origin'),
    answer.headers.get('access-control-allow-headers'),
  ]).toEqual([204, '*', '*']);
});

// Proves API-55
it('serves each zone only its own live ads, and answers a batch in the order of its zones', async () => {
  const { zone, zoneId, websiteId } = await makeSiteWithZone(server.ctx);
  const second = await addZone(server.ctx, websiteId);
  await makeRunningAd(server.ctx, zoneId, { title: 'One' });
  await makeRunningAd(server.ctx, second.zoneId, { title: 'Two' });
  await server.app.refreshDelivery();
  for (let each = 0; each < 5; each++) {
    expect(await server.ask([second.zone, zone])).toMatchObject([{ title: 'Two' }, { title: 'One' }]);
  }
});

// Proves API-55
it('does not show an ad twice when a page requests the same zone several times', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  for (const title of ['One', 'Two']) await makeRunningAd(server.ctx, zoneId, { title });
  await server.app.refreshDelivery();
  for (let each = 0; each < 10; each++) {
    const titles = (await server.ask([zone, zone, zone])).map((ad) => ad.title);
    expect(new Set(titles)).toEqual(new Set(['Advertise here', 'One', 'Two']));
  }
});

// Proves API-55
it('answers "none", never an error, for a zone id that is unknown, empty or malformed', async () => {
  const odd = 'x"}<script>';
  const answer = await server.caller.get(
    // An element without a zone id requests ''. The other zones of its page must still get their answers.
    `/api/serve/ads?z=00000000-0000-4000-8000-000000000000,,${encodeURIComponent(odd)}`,
  );
  expect(answer.status).toBe(200);
  expect(answer.body.ads.map((ad: ServedAd) => ad.kind)).toEqual(['none', 'none', 'none']);
});

// Proves API-55
it('shows "Advertise here" with the lowest active price in a zone without ads', async () => {
  const { zone, zoneId, websitePublicId } = await makeSiteWithZone(server.ctx);
  const house = {
    zone,
    kind: 'house',
    title: 'Advertise here',
    css: expect.stringContaining('b{font-weight:600'),
    click: `${server.url}/create-ad?website=${websitePublicId}&zone=${zone}`,
  };
  await server.app.refreshDelivery();
  expect(await server.ask([zone])).toEqual([{ ...house, text: 'This ad space is available.' }]);

  const option = { adZoneId: zoneId, adType: 'text', pricingModel: 'per_day' } as const;
  await server.ctx.db
    .insertInto('adZoneProducts')
    .values([
      { ...option, price: '25.00', duration: 7 },
      { ...option, price: '40.00', duration: 7 },
      { ...option, price: '5.00', duration: 1, isActive: false },
    ])
    .execute();
  await server.app.refreshDelivery();
  expect(await server.ask([zone])).toEqual([{ ...house, text: 'from $25.00 for 7 days' }]);
});

// Proves API-55
it.each([
  ['no zone', ''],
  ['an empty list of zones', '?z='],
  ['more than twenty zones', `?z=${Array(21).fill('a').join(',')}`],
])('rejects a request that names %s', async (_, query) => {
  const answer = await server.caller.get(`/api/serve/ads${query}`);
  expect(answer.status).toBe(400);
  expect(answer.body.message).toContain('zones');
});

// Proves API-55
it('rejects long URLs, large bodies, wrong methods and unknown paths', async () => {
  const call = (method: string, path: string, body?: string) => server.caller.send(method, path, body);
  expect((await call('GET', `/api/serve/ads?z=${'a'.repeat(10_000)}`)).status).toBe(414);
  expect((await call('POST', '/api/serve/view/x', 'x'.repeat(1_000_000))).status).toBe(413);
  expect((await call('POST', '/api/serve/view/x', 'x'.repeat(1000))).status).toBe(400);
  expect((await call('POST', '/api/serve/ads?z=a')).status).toBe(405);
  expect((await call('HEAD', '/api/serve/view/x')).status).toBe(405);
  expect((await call('HEAD', '/api/serve/click/x')).status).toBe(405);
  expect((await call('GET', '/api/serve/nothing/x')).status).toBe(404);
  expect((await call('GET', '/api/serve/')).status).toBe(404);
  const preflight = await call('OPTIONS', '/api/serve/view/x');
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
});

// Proves GEN-17
it('does not serve an ad that is waiting for review or for payment', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const live = await makeRunningAd(server.ctx, zoneId);
  const {
    id: _,
    publicId: __,
    startDate: ___,
    endDate: ____,
    paymentIntentId: _____,
    approvedAt: ______,
    ...copy
  } = await server.ctx.db.selectFrom('ads').selectAll().where('id', '=', live.id).executeTakeFirstOrThrow();
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', live.id).execute();
  const pending = { ...copy, status: 'pending' as const };
  const { id } = await server.ctx.db
    .insertInto('ads')
    .values(pending)
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.app.refreshDelivery();
  expect(await server.ask([zone])).toMatchObject([{ kind: 'house' }]);
  await server.ctx.db.updateTable('ads').set({ status: 'approved' }).where('id', '=', id).execute();
  await server.app.refreshDelivery();
  expect(await server.ask([zone])).toMatchObject([{ kind: 'house' }]);
});

// Proves OP-055, DEC-06
it('serves an ad without its video as text, and loads no thumbnail from elsewhere', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const imageUrl = 'https://cdn.example/still.png';
  const videoUrl = `/ad-images/${'x'.repeat(22)}`;
  const { id } = await makeRunningAd(server.ctx, zoneId, { adType: 'video', videoUrl, imageUrl });
  await server.app.refreshDelivery();
  const [ad] = await server.ask([zone]);
  expect(ad).toMatchObject({ kind: 'text', title: 'Fresh coffee' });
  expect(JSON.stringify(ad)).not.toContain('cdn.example');

  const close = server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', id);
  await close.execute();
  await makeRunningAd(server.ctx, zoneId, { adType: 'video', imageUrl });
  await server.app.refreshDelivery();
  const [video] = await server.ask([zone]);
  expect(video).toMatchObject({
    kind: 'video',
    src: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9\/m\/video-/),
  });
  expect(JSON.stringify(video)).not.toContain('cdn.example');
});

// Proves DEC-05
it('has no row with a video elsewhere', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  const videoUrl = 'https://cdn.example/a.mp4';
  await expect(makeRunningAd(server.ctx, zoneId, { adType: 'video', videoUrl })).rejects.toThrow(
    'ads_video_is_upload',
  );
});

// Proves GEN-15, DEL-12
it('serves an uploaded image as its re-encoded copy, with its size and the area of its ad zone', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const { userId } = await server.ctx.db.selectFrom('websites').select('userId').executeTakeFirstOrThrow();
  const name = 'k'.repeat(22);
  const rendition = `${'a'.repeat(64)}.png`;
  await server.ctx.db
    .insertInto('uploads')
    .values({
      name,
      userId,
      expiresAt: server.clock.now(),
      storedAt: server.clock.now(),
      contentType: 'image/png',
      byteSize: 9,
      width: 600,
      height: 500,
      rendition,
    })
    .execute();
  await makeRunningAd(server.ctx, zoneId, { adType: 'image', imageUrl: `/ad-images/${name}` });
  await server.app.refreshDelivery();
  expect(await server.ask([zone])).toMatchObject([
    { kind: 'image', src: `http://127.0.0.1:9/m/${rendition}`, width: 600, height: 500, area: 300 * 250 },
  ]);
});

it.each(['per_day', 'per_impression', 'per_click'] as const)(
  'serves an ad with a later start from its day on, and until then leaves its share to the others: %s',
  async (pricingModel) => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    const start = later(server.clock.now(), HOUR_MS);
    // The start of a paid ad is fixed.
    const upcoming = await makeRunningAd(server.ctx, zoneId, { title: 'Later', pricingModel, amount: 1000 });
    await sql`alter table ads disable trigger guard_ad`.execute(server.owner);
    await sql`update ads set start_date = ${start} where id = ${upcoming.id}`.execute(server.owner);
    await sql`alter table ads enable trigger guard_ad`.execute(server.owner);
    // The ad server may have read the ad before.
    await sql`select note_delivery_change(${zoneId})`.execute(server.owner);
    await server.app.refreshDelivery();
    expect((await server.ask([zone]))[0]?.kind).toBe('house');
    await makeRunningAd(server.ctx, zoneId, { title: 'Now', pricingModel: 'per_day' });
    await server.app.refreshDelivery();
    for (let each = 0; each < 5; each++) expect(await server.ask([zone])).toMatchObject([{ title: 'Now' }]);
    server.clock.set(later(start, 1000));
    const served = new Set<string>();
    for (let each = 0; each < 40; each++) served.add((await server.ask([zone]))[0]?.title ?? '');
    expect(served).toContain('Later');
  },
);
