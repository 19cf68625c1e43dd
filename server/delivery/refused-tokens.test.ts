import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { adRow, figures, makeSiteWithZone, makeRunningAd } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const server = useOwnAdServer();

const TARGET = 'https://coffee.example/start';

async function serveAd() {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, { amount: 5 });
  await server.app.refreshDelivery();
  const served = await server.decide(zone);
  server.clock.advance(2000);
  return { zone, ad, served };
}

const nothingCounted = async (id: number) =>
  expect(await adRow(server.ctx, id)).toMatchObject({ totalImpressions: 0, totalClicks: 0 });

const swapped = (from: string, to: string) =>
  to.slice(0, to.lastIndexOf('/') + 1) + from.slice(from.lastIndexOf('/') + 1);

// Proves DEL-07, GEN-19
it('rejects a forged view token and a click token used for a view, and records the reason', async () => {
  const { ad, served } = await serveAd();
  const forgedBefore = (await figures(server.ctx, null))['view forged'] ?? 0;
  const changed = served.view.slice(0, -4) + (served.view.endsWith('AAAA') ? 'BBBB' : 'AAAA');
  expect(await server.view(changed)).toBe(400);
  expect(await server.view(swapped(served.click, served.view))).toBe(400);
  expect(await server.view(`${server.url}/api/serve/view/nonsense`)).toBe(400);
  expect(await server.view(`${server.url}/api/serve/view/`)).toBe(400);
  await server.app.flushDelivery();
  expect((await figures(server.ctx, null))['view forged']).toBe(forgedBefore + 4);
  await nothingCounted(ad.id);
});

it('ends a flush of figures only when an earlier one has stored its own', async () => {
  const before = (await figures(server.ctx, null))['view forged'] ?? 0;
  let isDone = false;
  const second = await server.ctx.db.transaction().execute(async (tx) => {
    await sql`lock table delivery_hourly in share mode`.execute(tx);
    await server.view(`${server.url}/api/serve/view/nonsense`);
    void server.app.flushDelivery();
    const flushed = server.app.flushDelivery().finally(() => (isDone = true));
    // Long enough for a flush that does not wait.
    await pause(200);
    expect(isDone).toBe(false);
    return { flushed };
  });
  await second.flushed;
  expect((await figures(server.ctx, null))['view forged']).toBe(before + 1);
});

// Proves DEL-07, GEN-19
it('redirects a forged or unreadable click to the marketplace, and counts nothing', async () => {
  const { ad, served } = await serveAd();
  const changed = served.click.slice(0, -4) + (served.click.endsWith('AAAA') ? 'BBBB' : 'AAAA');
  const home = { status: 302, location: `${server.url}/` };
  expect(await server.click(changed)).toEqual(home);
  expect(await server.click(swapped(served.view, served.click))).toEqual(home);
  for (const unreadable of [
    '',
    '/',
    '%00',
    '%zz',
    '%F0%9F%98%80',
    'a'.repeat(68),
    '../click/x',
    '?',
    'x'.repeat(1500),
  ])
    expect((await server.caller.get(`/api/serve/click/${unreadable}`)).headers.get('location')).toBe(
      home.location,
    );
  expect(await server.click(`${server.url}/api/serve/click/nonsense`)).toEqual(home);
  expect(await server.click(`${server.url}/api/serve/click/nonsense?to=https://evil.example`)).toEqual(home);
  await nothingCounted(ad.id);
});

// Proves DEL-07, GEN-19
it('rejects an expired view, redirects an expired click, and records the reason for both', async () => {
  const { ad, served } = await serveAd();
  server.clock.advance(25 * 3_600_000);
  expect(await server.view(served.view)).toBe(400);
  expect(await server.click(served.click)).toEqual({ status: 302, location: TARGET });
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
  await server.app.refreshDelivery();
  expect(await server.click(served.click)).toEqual({ status: 302, location: TARGET });
  await server.app.flushDelivery();
  expect(await figures(server.ctx, ad.id)).toEqual({ 'view expired': 1, 'click expired': 2 });
  await nothingCounted(ad.id);
});

// Proves GEN-19
it('sends a click’s redirect without caching, with a strict referrer policy and without a cookie', async () => {
  const { served } = await serveAd();
  const answer = await server.caller.get(new URL(served.click).pathname);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  expect(answer.headers.getSetCookie()).toEqual([]);
});

// Proves GEN-19
it.each([
  ['https://käse.example/brot?größe=1', 'https://xn--kse-qla.example/brot?gr%C3%B6%C3%9Fe=1'],
  ['http://1.2.3.400/', null],
])('redirects a click to any stored URL, encoded for a header: %s', async (targetUrl, expected) => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, zoneId, { targetUrl });
  await server.app.refreshDelivery();
  const served = await server.decide(zone);
  server.clock.advance(2000);
  expect(await server.click(served.click)).toEqual({ status: 302, location: expected ?? `${server.url}/` });
});
