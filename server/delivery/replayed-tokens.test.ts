/** Tokens that are sent more than once, too early, or after their ad or zone has changed. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  adRow,
  BROWSER,
  figures,
  makeSiteWithZone,
  makeRunningAd,
  SITE,
} from '#server/testing/delivery/delivery.ts';
import { untilTestEnds, useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { anotherInstance } from '#server/testing/starts/another-instance.ts';

const server = useOwnAdServer();

const TARGET = 'https://coffee.example/start';
const PERIOD_MS = 30 * 86_400_000;
const HEADERS = { origin: SITE, 'user-agent': BROWSER };

async function serveAd(fields: Parameters<typeof makeRunningAd>[2] = { amount: 400 }) {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, fields);
  await server.app.refreshDelivery();
  const served = await server.decide(zone);
  server.clock.advance(2000);
  return { zone, zoneId, ad, served };
}

const tokenOf = (address: string) => address.slice(address.lastIndexOf('/') + 1);

// Proves DEL-03
it('treats another spelling of a token as the same token or as invalid', async () => {
  const { ad, served } = await serveAd();
  server.clock.advance(2000);
  expect(await server.view(served.view)).toBe(204);
  const token = tokenOf(served.view);
  const spellings = [
    // Numbers in base 36 have the same value in upper case.
    token.toUpperCase(),
    ` ${token.slice(1)}`,
    `${token}=`,
    `${token}?again`,
    `${token}%00`,
  ];
  const statuses: number[] = [];
  for (const each of spellings) {
    const address = served.view.slice(0, -token.length) + each;
    statuses.push((await server.caller.send('POST', address, undefined, HEADERS)).status);
  }
  // A query is not part of a token. The others differ in the signed text or in length.
  expect(statuses).toEqual([400, 400, 400, 204, 400]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1 });
});

// Proves DEL-03, DEL-07
it('uses up a token that is reported too early, and filters the later report as a duplicate', async () => {
  const { zone, ad } = await serveAd();
  const served = await server.decide(zone);
  expect(await server.view(served.view)).toBe(204);
  server.clock.advance(5000);
  expect(await server.view(served.view)).toBe(204);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 0 });
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view too_fast': 1, 'view duplicate': 1 });
});

// Proves DEL-03
it('counts nothing for a deleted ad, redirects its clicks home, and still counts other ads in the same batch', async () => {
  const gone = await serveAd();
  const other = await serveAd();
  const setGuards = async (state: 'enable' | 'disable') =>
    await sql
      .raw(`alter table payments ${state} trigger user; alter table ads ${state} trigger user`)
      .execute(server.owner);
  await setGuards('disable');
  await server.ctx.db.deleteFrom('payments').where('adId', '=', gone.ad.id).execute();
  await server.ctx.db.deleteFrom('holds').where('adId', '=', gone.ad.id).execute();
  await server.ctx.db.deleteFrom('adEarnings').where('adId', '=', gone.ad.id).execute();
  await server.ctx.db.deleteFrom('ads').where('id', '=', gone.ad.id).execute();
  await setGuards('enable');
  await server.app.pool.query('select note_delivery_change($1)', [gone.zoneId]);
  await server.app.refreshDelivery();
  // The event log counts these three in one batch.
  const statuses = await Promise.all(
    [gone.served.view, other.served.view, gone.served.view].map(async (view) => await server.view(view)),
  );
  expect(statuses).toEqual([204, 204, 204]);
  const click = await server.click(gone.served.click);
  expect(click).toEqual({ status: 302, location: `${server.url}/` });
  expect(await figures(server.ctx, gone.ad.id)).toEqual({
    'view not_live': 1,
    'view duplicate': 1,
    'click not_live': 1,
  });
  expect(await adRow(server.ctx, other.ad.id)).toMatchObject({ totalImpressions: 1 });
});

// Proves DEL-03, DEL-07
it('bills nothing for a campaign that has completed in the meantime, and still redirects its clicks to the target', async () => {
  const { zone, ad, served: late } = await serveAd({ pricingModel: 'per_impression', amount: 2 });
  const first = await server.decide(zone);
  // Both reservations expire, and both views are reported afterwards.
  server.clock.advance(61_000);
  const last = await server.decide(zone);
  server.clock.advance(2000);
  for (const served of [first, last]) expect(await server.view(served.view)).toBe(204);
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

// Proves DEL-03
it('counts a view and a click of an ad that was served before its zone was paused', async () => {
  const { zone, zoneId, ad, served } = await serveAd();
  await server.ctx.db.updateTable('adZones').set({ isActive: false }).where('id', '=', zoneId).execute();
  await server.app.refreshDelivery();
  expect((await server.ask([zone]))[0]?.kind).toBe('none');
  expect(await server.view(served.view)).toBe(204);
  expect(await server.click(served.click)).toEqual({ status: 302, location: TARGET });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 1, click: 1 });
});

// Proves DEL-03
it('accepts a token across a change of keys, and rejects it once its key is too old', async () => {
  const now = server.clock.now().getTime();
  server.clock.set(new Date((Math.floor(now / PERIOD_MS) + 1) * PERIOD_MS - 60_000));
  const { zone, ad, served } = await serveAd();
  const kept = await server.decide(zone);
  // The key changes within these two minutes.
  server.clock.advance(120_000);
  expect(await server.view(served.view)).toBe(204);
  expect((await server.click(served.click)).status).toBe(302);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
  // Only the previous key is still accepted, not the one before it.
  server.clock.advance(2 * PERIOD_MS);
  expect(await server.view(kept.view)).toBe(400);
  await server.app.refreshDelivery();
  expect((await server.click(kept.click)).status).toBe(302);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
});

// This test must be the last one: for a minute after it, this server reserves as if the other were still running.
// Proves DEL-03
it('counts one of fifty parallel reports to two servers, and records the others as duplicates', async () => {
  const other = await untilTestEnds(anotherInstance(server));
  const { ad, served } = await serveAd();
  const anywhere = (index: number) => [server.url, other.url][index % 2]!;
  const fifty = async (method: string, path: string) =>
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const answer = await fetch(anywhere(index) + path, { method, headers: HEADERS, redirect: 'manual' });
        return answer.status;
      }),
    );
  const view = new URL(served.view).pathname;
  const click = new URL(served.click).pathname;
  expect(new Set(await fifty('POST', view))).toEqual(new Set([204]));
  expect(new Set(await fifty('GET', click))).toEqual(new Set([302]));
  // One server hands its reports to the other, which counts the publisher.
  const reported = async () =>
    Object.values(await figures(server.ctx, ad.id)).reduce((sum, each) => sum + each, 0);
  while ((await reported()) < 100) await pause(10);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 1, totalClicks: 1 });
  expect(await figures(server.ctx, ad.id)).toEqual({
    view: 1,
    'view duplicate': 49,
    click: 1,
    'click duplicate': 49,
  });
});
