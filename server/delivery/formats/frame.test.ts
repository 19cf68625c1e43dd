import { expect, it } from 'vitest';
import {
  figures,
  makeSiteWithZone,
  makeRunningAd,
  SITE,
  type Visit,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';

const HOST = 'http://ads.example';
/** A visit from inside a sandboxed frame, whose origin is `null`. */
const OPAQUE: Visit = { site: 'null' };

// Not development mode, in which opaque origins count as the site's own.
const server = useOwnAdServer({ PUBLIC_URL: HOST });

async function running() {
  const placed = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, placed.zoneId);
  await server.app.refreshDelivery();
  return { ...placed, ad };
}

/** The zone name in the frame's document, as the tag reads it. */
async function nameIn(zone: string, headers: Record<string, string>): Promise<string> {
  const answer = await server.caller.get(`/z/${zone}`, { 'sec-fetch-dest': 'iframe', ...headers });
  return /<ad-zone zone="([^"]+)">/.exec(answer.text)?.[1] ?? '';
}

/** The figures of an ad after a request with this name and a view. */
async function seen(name: string, adId: number, visit = OPAQUE): Promise<Record<string, number>> {
  const { view } = await server.decide(name, visit);
  server.clock.advance(1500);
  expect(await server.view(view, visit)).toBe(204);
  return await figures(server.ctx, adId);
}

// Proves DEL-33
it('serves a frame document with one zone and the tag, which any site may embed and its browser may cache', async () => {
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
it('shows nothing for a name that is not the id of a zone', async () => {
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
it('counts a view in a frame on the zone’s own site, and notes that the tag was seen', async () => {
  const { zone, zoneId, ad } = await running();
  const name = await nameIn(zone, { referer: 'https://blog.daily.example/' });
  expect(await seen(name, ad.id)).toEqual({ view: 1 });
  await server.app.flushDelivery();
  const { tagSeenAt } = await server.ctx.db
    .selectFrom('adZones')
    .select('tagSeenAt')
    .where('id', '=', zoneId)
    .executeTakeFirstOrThrow();
  expect(tagSeenAt).not.toBeNull();
});

// Proves DEL-33
it.each([
  ['on another site', { referer: 'https://other.example/' }],
  ['on a page that sends no Referer', {}],
  ['opened as a separate page', { referer: `${SITE}/`, 'sec-fetch-dest': 'document' }],
])('does not bill a view in a frame %s', async (_where, headers) => {
  const { zone, ad } = await running();
  const name = await nameIn(zone, headers);
  expect(name).toBe(zone);
  expect(await seen(name, ad.id)).toEqual({ 'view wrong_site': 1 });
});

// Proves DEL-33
it('bills nothing for a proof that is used on another page, belongs to another zone or is forged', async () => {
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
it('accepts a proof for a day, also across a change of keys', async () => {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, { amount: 60 });
  await server.app.refreshDelivery();
  const headers = { referer: `${SITE}/` };
  // Start half a day before the next period of 30 days, which has a new key.
  const period = 30 * 24 * 60 * 60_000;
  server.clock.advance(period - (server.clock.now().getTime() % period) - period / 60);
  const name = await nameIn(zone, headers);
  server.clock.advance(23 * 60 * 60_000);
  expect(await seen(name, ad.id)).toEqual({ view: 1 });
  server.clock.advance(60 * 60_000);
  expect(await seen(name, ad.id)).toEqual({ view: 1, 'view wrong_site': 1 });
});
