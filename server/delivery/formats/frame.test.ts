import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AdServerTest,
  figures,
  makePlace,
  makeRunningAd,
  SITE,
  startAdServerTest,
  type Visit,
} from '#server/testing/delivery.ts';

const HOST = 'http://ads.example';
/** A visit from inside a sandboxed frame, whose origin is `null`. */
const OPAQUE: Visit = { site: 'null' };

let server: AdServerTest;
beforeAll(async () => {
  // With a loopback address, an opaque origin would count as the zone's own site.
  server = await startAdServerTest({ PUBLIC_URL: HOST });
});
afterAll(async () => await server.close());

async function running() {
  const place = await makePlace(server.ctx);
  const ad = await makeRunningAd(server.ctx, place.zoneId);
  await server.app.refreshDelivery();
  return { ...place, ad };
}

/** The zone name that the tag reads in the document of a frame on this page. */
async function nameIn(zone: string, headers: Record<string, string>): Promise<string> {
  const answer = await server.caller.get(`/z/${zone}`, { 'sec-fetch-dest': 'iframe', ...headers });
  return /<ad-zone zone="([^"]+)">/.exec(answer.text)?.[1] ?? '';
}

/** The figures after an ad was requested by this name and viewed. */
async function seen(name: string, adId: number, visit = OPAQUE): Promise<Record<string, number>> {
  const { view } = await server.offer(name, visit);
  server.clock.advance(1500);
  expect(await server.view(view, visit)).toBe(204);
  return await figures(server.ctx, adId);
}

// Proves DEL-33
it('the frame’s document has one zone and the tag, and can be framed anywhere and cached for its site', async () => {
  const { zone } = await running();
  const answer = await server.caller.get(`/z/${zone.toUpperCase()}`, { referer: `${SITE}/` });
  expect(answer.status).toBe(200);
  expect(answer.text).toContain(
    `<script async crossorigin src="${HOST}/api/serve/zone/${zone}"></script></body>`,
  );
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, max-age=3600',
    vary: 'Referer, Sec-Fetch-Dest',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  expect(answer.headers.get('x-frame-options')).toBeNull();
  const policy = answer.headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      `script-src ${HOST}`,
      `connect-src ${HOST}`,
      'frame-ancestors *',
      'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
      "require-trusted-types-for 'script'",
    ]),
  );
  expect((await server.caller.send('POST', `/z/${zone}`)).status).toBe(405);
});

// Proves DEL-33
it('the name of an unknown zone shows nothing', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await nameIn(unknown, { referer: `${SITE}/` })).toBe(unknown);
  expect(await server.ask([unknown], OPAQUE)).toMatchObject([{ kind: 'none' }]);
  for (const odd of ['', 'x', `${unknown}/more`, '"><script>']) {
    const answer = await server.caller.get(`/z/${encodeURIComponent(odd)}`);
    expect(answer.status).toBe(404);
    expect(answer.text).not.toContain('<script');
  }
});

// Proves DEL-33
it('a view in a frame on the zone’s own site counts and verifies the site', async () => {
  const { zone, ad, websiteId } = await running();
  const name = await nameIn(zone, { referer: 'https://blog.daily.example/' });
  expect(await seen(name, ad.id)).toEqual({ view: 1 });
  await server.app.flushDelivery();
  const { verifiedAt } = await server.ctx.db
    .selectFrom('websites')
    .select('verifiedAt')
    .where('id', '=', websiteId)
    .executeTakeFirstOrThrow();
  expect(verifiedAt).not.toBeNull();
});

// Proves DEL-33
it.each([
  ['on another site', { referer: 'https://other.example/' }],
  ['on a page that does not say where it is', {}],
  ['opened as a page of its own', { referer: `${SITE}/`, 'sec-fetch-dest': 'document' }],
])('a view %s is not billed', async (_where, headers) => {
  const { zone, ad } = await running();
  const name = await nameIn(zone, headers);
  expect(name).toBe(zone);
  expect(await seen(name, ad.id)).toEqual({ 'view wrong_site': 1 });
});

// Proves DEL-33
it('a proof that is copied to another page, forged, from another zone or too old bills nothing', async () => {
  const { zone, ad } = await running();
  const other = await running();
  const headers = { referer: `${SITE}/` };
  const name = await nameIn(zone, headers);
  const ofOther = (await nameIn(other.zone, headers)).slice(other.zone.length);
  expect(await seen(name, ad.id, { site: 'https://other.example' })).toEqual({ 'view wrong_site': 1 });
  expect(await seen(zone + ofOther, ad.id)).toEqual({ 'view wrong_site': 2 });
  expect(await seen(name.slice(0, -1) + (name.endsWith('A') ? 'B' : 'A'), ad.id)).toEqual({
    'view wrong_site': 3,
  });
  expect(await seen(name, ad.id)).toEqual({ 'view wrong_site': 3, view: 1 });
});

// Proves DEL-33
it('a proof is valid for a day, even when the key changes', async () => {
  const { zone, zoneId } = await makePlace(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, { amount: 60 });
  await server.app.refreshDelivery();
  const headers = { referer: `${SITE}/` };
  // Half a day later, the keys of the next 30 days apply.
  const period = 30 * 24 * 60 * 60_000;
  server.clock.advance(period - (server.clock.now().getTime() % period) - period / 60);
  const name = await nameIn(zone, headers);
  server.clock.advance(23 * 60 * 60_000);
  expect(await seen(name, ad.id)).toEqual({ view: 1 });
  server.clock.advance(60 * 60_000);
  expect(await seen(name, ad.id)).toEqual({ view: 1, 'view wrong_site': 1 });
});
