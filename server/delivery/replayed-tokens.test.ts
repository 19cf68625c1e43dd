/** Tokens that come more than once, too early, or when what they were made for has changed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import {
  adRow,
  type AdServerTest,
  BROWSER,
  figures,
  makePlace,
  makeRunningAd,
  SITE,
  startAdServerTest,
} from '../testing/delivery.ts';
import { SESSION_SECRET } from '../testing/server.ts';

let server: AdServerTest;
beforeAll(async () => {
  server = await startAdServerTest();
});
afterAll(async () => await server.close());

const TARGET = 'https://coffee.example/start';
const PERIOD_MS = 30 * 86_400_000;
const HEADERS = { origin: SITE, 'user-agent': BROWSER };

async function offered(fields: Parameters<typeof makeRunningAd>[2] = { amount: 400 }) {
  const { zone, zoneId } = await makePlace(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, fields);
  await server.app.refreshDelivery();
  const offer = await server.offer(zone);
  server.clock.advance(2000);
  return { zone, zoneId, ad, offer };
}

const tokenOf = (address: string) => address.slice(address.lastIndexOf('/') + 1);

// Proves DEL-67
it('the same token in another spelling is the same token, or none', async () => {
  const { ad, offer } = await offered();
  server.clock.advance(2000);
  expect(await server.view(offer.view)).toBe(204);
  const token = tokenOf(offer.view);
  const spellings = [
    // Numbers read alike in large letters.
    token.toUpperCase(),
    ` ${token.slice(1)}`,
    `${token}=`,
    `${token}?again`,
    `${token}%00`,
  ];
  const statuses: number[] = [];
  for (const each of spellings) {
    const address = offer.view.slice(0, -token.length) + each;
    statuses.push((await server.caller.send('POST', address, undefined, HEADERS)).status);
  }
  // A query is no part of a token; of the others each differs in what is signed, or in its length.
  expect(statuses).toEqual([400, 400, 400, 204, 400]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1 });
});

// Proves DEL-67, DEL-07
it('what was reported too early is spent: sent again in time it is a repetition', async () => {
  const { zone, ad } = await offered();
  const offer = await server.offer(zone);
  expect(await server.view(offer.view)).toBe(204);
  server.clock.advance(5000);
  expect(await server.view(offer.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 0 });
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view too_fast': 1, 'view duplicate': 1 });
});

// Proves DEL-67
it('an ad that is gone takes nothing with it: its tokens count nothing, lead home, and hold up nobody', async () => {
  const gone = await offered();
  const other = await offered();
  await server.ctx.db.deleteFrom('payments').where('adId', '=', gone.ad.id).execute();
  await server.app.pool.query('alter table ads disable trigger user');
  await server.ctx.db.deleteFrom('ads').where('id', '=', gone.ad.id).execute();
  await server.app.pool.query('alter table ads enable trigger user');
  await server.app.pool.query('select note_delivery_change($1)', [gone.zoneId]);
  await server.app.refreshDelivery();
  // All in one batch.
  const statuses = await Promise.all(
    [gone.offer.view, other.offer.view, gone.offer.view].map(async (view) => await server.view(view)),
  );
  expect(statuses).toEqual([204, 204, 204]);
  const click = await server.click(gone.offer.click);
  expect(click).toEqual({ status: 302, location: `${server.url}/` });
  expect(await figures(server.ctx, gone.ad.id)).toEqual({
    'view not_live': 1,
    'view duplicate': 1,
    'click not_live': 1,
  });
  expect(await adRow(server.ctx, other.ad.id)).toMatchObject({ totalImpressions: 1 });
});

// Proves DEL-67, DEL-07
it('a campaign that was completed meanwhile: nothing is billed, and the click leads where it was bought to', async () => {
  const { zone, ad, offer: late } = await offered({ pricingModel: 'per_impression', amount: 2 });
  const first = await server.offer(zone);
  // Both promises lapse, and are kept after all.
  server.clock.advance(61_000);
  const last = await server.offer(zone);
  server.clock.advance(2000);
  for (const offer of [first, last]) expect(await server.view(offer.view)).toBe(204);
  await server.app.refreshDelivery();
  expect(await server.view(late.view)).toBe(204);
  expect(await server.click(late.click)).toEqual({ status: 302, location: TARGET });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({
    status: 'completed',
    totalImpressions: 2,
    totalClicks: 0,
  });
  expect(await figures(server.ctx, ad.id)).toMatchObject({
    view: 2,
    'view over_goal': 1,
    'click over_goal': 1,
  });
});

// Proves DEL-67
it('what was shown before its zone was paused counts, and its click leads on', async () => {
  const { zone, zoneId, ad, offer } = await offered();
  await server.ctx.db.updateTable('adZones').set({ isActive: false }).where('id', '=', zoneId).execute();
  await server.app.refreshDelivery();
  expect((await server.ask([zone]))[0]?.kind).toBe('none');
  expect(await server.view(offer.view)).toBe(204);
  expect(await server.click(offer.click)).toEqual({ status: 302, location: TARGET });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1 });
});

// Proves DEL-67
it('over a change of keys a token keeps its worth, and loses it with its time', async () => {
  const now = server.clock.now().getTime();
  server.clock.set(new Date((Math.floor(now / PERIOD_MS) + 1) * PERIOD_MS - 60_000));
  const { zone, ad, offer } = await offered();
  const kept = await server.offer(zone);
  // Keys change.
  server.clock.advance(120_000);
  expect(await server.view(offer.view)).toBe(204);
  expect((await server.click(offer.click)).status).toBe(302);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
  // The key before the last is no key any more.
  server.clock.advance(2 * PERIOD_MS);
  expect(await server.view(kept.view)).toBe(400);
  await server.app.refreshDelivery();
  expect((await server.click(kept.click)).status).toBe(302);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
});

// The last: the servers go on counting with each other's promises for a minute.
// Proves DEL-67, DEL-03
it('fifty reports at once over two servers: one counts, each of the others is kept as a repetition', async () => {
  const config = readConfig({
    PORT: '1',
    DATA_DIR: server.ctx.config.dataDir,
    SAMPLE_DATA: '0',
    PUBLIC_URL: server.url,
  });
  const other = await buildApp({
    config,
    databaseUrl: server.databaseUrl,
    sessionSecret: SESSION_SECRET,
    now: server.clock.now,
    logger: false,
  });
  const otherUrl = await other.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { ad, offer } = await offered();
  const anywhere = (index: number) => [server.url, otherUrl][index % 2]!;
  const fifty = async (method: string, path: string) =>
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const answer = await fetch(anywhere(index) + path, { method, headers: HEADERS, redirect: 'manual' });
        return answer.status;
      }),
    );
  const view = new URL(offer.view).pathname;
  const click = new URL(offer.click).pathname;
  expect(new Set(await fifty('POST', view))).toEqual(new Set([204]));
  expect(new Set(await fifty('GET', click))).toEqual(new Set([302]));
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
  expect(await figures(server.ctx, ad.id)).toEqual({
    view: 1,
    'view duplicate': 49,
    click: 1,
    'click duplicate': 49,
  });
  await other.close();
});
