/** Clicks that lead to the advertiser's page with a token, and the landings that the advertiser reports. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Landings } from '#domain/delivery/landings-contract.ts';
import { renderProof } from '#domain/delivery/render-proof.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { removeOldMeasuredClicks, settleMeasuredClicks } from '../event-log/landings.ts';
import { headersOf, sendExactly } from '#server/testing/delivery/browsers.ts';
import type { Client } from '#server/testing/client.ts';
import {
  type AdFields,
  adRow,
  BROWSER,
  makeSiteWithZone,
  makeRunningAd,
  type Visit,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const lenient = useOwnAdServer();
let server = lenient;

async function measured(fields: AdFields = {}) {
  const { zone, zoneId } = await makeSiteWithZone(server.ctx);
  const ad = await makeRunningAd(server.ctx, zoneId, fields);
  await server.ctx.db.updateTable('ads').set({ measuresLandings: true }).where('id', '=', ad.id).execute();
  await server.app.refreshDelivery();
  return { zone, zoneId, ...ad };
}

let visitors = 0;
/** Another visitor sees the ad, clicks it, and follows the redirect. */
async function clickOn(zone: string, visit: Visit = {}): Promise<{ location: URL; token: string | null }> {
  const visitor = { ...visit, userAgent: `${BROWSER} visitor ${++visitors}` };
  const { view, click } = await server.decide(zone, visitor);
  server.clock.advance(2000);
  await server.view(view, visitor);
  const { location } = await server.click(click, visitor);
  const url = new URL(location!);
  return { location: url, token: url.searchParams.get('osid') };
}

const report = async (osid: unknown, more: Record<string, unknown> = {}) =>
  await server.caller.post('/api/serve/landings', { osid, ...more });
const reportByScript = async (token: string) =>
  (await server.caller.send('POST', `/api/serve/landings/${token}`)).status;

async function figuresOf(adId: number) {
  const { clicks, landings } = await server.ctx.db
    .selectFrom('landingHours')
    .select(({ fn }) => [fn.sum<string>('clicks').as('clicks'), fn.sum<string>('landings').as('landings')])
    .where('adId', '=', adId)
    .executeTakeFirstOrThrow();
  return { clicks: Number(clicks ?? 0), landings: Number(landings ?? 0) };
}

/** All rows that a report could change. */
const rows = async () => ({
  clicks: await server.ctx.db.selectFrom('measuredClicks').selectAll().orderBy('decisionId').execute(),
  hours: await server.ctx.db.selectFrom('landingHours').selectAll().orderBy('adId').execute(),
});

describe('the switch', () => {
  // Proves EVID-01
  it('is off at first; only the advertiser turns it on and off, and the target address stays', async () => {
    const [seller, buyer, other] = [
      await server.signIn('seller'),
      await server.signIn('buyer'),
      await server.signIn('buyer'),
    ];
    const targetUrl = 'https://coffee.example/start?from=ad%20one&x#top';
    const { ad, zone } = await makeLiveAd(seller, buyer, {
      ad: { targetUrl },
      website: { url: 'https://daily.example' },
    });
    await server.app.refreshDelivery();
    const path = `/api/ads/${ad.id}/landings`;
    expect((await buyer.get(path)).body).toMatchObject({ enabled: false, clicks: 0, landings: 0 });
    expect((await clickOn(zone.publicId)).location.href).toBe(targetUrl);

    for (const [client, status] of [
      [other, 404],
      [seller, 404],
      [server.anyone(), 401],
    ] as [Client, number][]) {
      expect((await client.put(path, { enabled: true })).status).toBe(status);
      expect((await client.get(path)).status).toBe(status);
    }
    expect((await buyer.put(path, { enabled: 'yes' })).status).toBe(400);
    expect((await buyer.get(path)).body).toMatchObject({ enabled: false });

    expect((await buyer.put(path, { enabled: true })).body).toMatchObject({
      enabled: true,
      host: server.ctx.config.deliveryUrl,
    });
    await server.app.refreshDelivery();
    const { location, token } = await clickOn(zone.publicId);
    expect(location.href).toBe(`https://coffee.example/start?from=ad%20one&x&osid=${token}#top`);
    expect((await report(token)).status).toBe(200);
    expect((await buyer.get(path)).body).toMatchObject({
      clicks: 1,
      landings: 1,
    } satisfies Partial<Landings>);
    expect((await buyer.get(`/api/ads/${ad.id}`)).body.targetUrl).toBe(targetUrl);

    await buyer.put(`/api/ads/${ad.publicId}/landings`, { enabled: false });
    await server.app.refreshDelivery();
    expect((await clickOn(zone.publicId)).location.href).toBe(targetUrl);
    expect((await buyer.get(path)).body).toMatchObject({ enabled: false, clicks: 1, landings: 1 });
  });

  // Proves EVID-01
  it('adds the token to addresses with and without a query, each click with its own', async () => {
    const { zone } = await measured({ targetUrl: 'https://tea.example' });
    const first = await clickOn(zone);
    expect(first.location.href).toBe(`https://tea.example/?osid=${first.token}`);
    expect(first.token).toMatch(/^[\w-]{80}$/);
    expect((await clickOn(zone)).token).not.toBe(first.token);
    const own = await measured({ targetUrl: 'https://tea.example/?osid=mine' });
    const { location } = await clickOn(own.zone);
    expect(location.searchParams.getAll('osid')).toEqual(['mine', expect.stringMatching(/^[\w-]{80}$/)]);
  });
});

describe('a landing', () => {
  // Proves EVID-02
  it('counts once, by whichever way and however often it is reported', async () => {
    const { zone, id, publicId } = await measured();
    const [byServer, byScript, both] = [await clickOn(zone), await clickOn(zone), await clickOn(zone)];
    await clickOn(zone);
    expect(await figuresOf(id)).toEqual({ clicks: 4, landings: 0 });
    expect(await report(byServer.token, { ad: publicId })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await reportByScript(byScript.token!)).toBe(204);
    const statuses = await Promise.all([
      ...Array.from({ length: 6 }, async () => (await report(both.token, { ad: id })).status),
      ...Array.from({ length: 6 }, async () => await reportByScript(both.token!)),
    ]);
    // If a report of the script came first, all of the others are refused.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
    expect(await figuresOf(id)).toEqual({ clicks: 4, landings: 3 });

    const before = await rows();
    for (const { token } of [byServer, byScript, both]) {
      expect(await report(token)).toMatchObject({
        status: 409,
        body: { message: 'This landing was reported before. Nothing has changed.' },
      });
      expect(await reportByScript(token!)).toBe(204);
    }
    expect(await rows()).toEqual(before);
    // Nothing that is billed has changed.
    expect(await adRow(server.ctx, id)).toMatchObject({ totalImpressions: 4, totalClicks: 4 });
  });

  // Proves EVID-02
  it('is refused with a sentence, and without effect, if it is of another ad, forged, expired or missing', async () => {
    const { zone, id } = await measured();
    const other = await measured();
    const token = (await clickOn(zone)).token!;
    const before = await rows();
    const flipped = (at: number) =>
      token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    const { click } = await server.decide(zone);
    const forged = [
      flipped(0),
      flipped(40),
      flipped(79),
      token.slice(1),
      `${token}A`,
      click.split('/').at(-1),
    ];
    for (const [osid, more, message] of [
      [token, { ad: other.id }, /another ad/],
      [token, { ad: other.publicId }, /another ad/],
      [token, { ad: 2_000_000_000 }, /another ad/],
      [token, { ad: 'x' }, /.+/],
      ...forged.map((each) => [each, {}, /Invalid token/] as const),
      ['', {}, /value of osid/],
      [7, {}, /value of osid/],
      [undefined, {}, /value of osid/],
      ['x'.repeat(300), {}, /value of osid/],
    ] as const) {
      const { status, body } = await report(osid, more);
      expect({ osid, status, message: body.message }).toEqual({
        osid,
        status: 400,
        message: expect.stringMatching(message),
      });
    }
    for (const each of forged) expect(await reportByScript(each!)).toBe(204);
    server.clock.advance(DAY_MS + 1000);
    expect(await report(token)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('expired') },
    });
    expect(await reportByScript(token)).toBe(204);
    expect(await rows()).toEqual(before);
    expect(await figuresOf(id)).toEqual({ clicks: 1, landings: 0 });
  });

  // Proves EVID-03
  it('is not measured for visitors who asked not to be tracked, and for clicks that do not count', async () => {
    const { zone, id } = await measured();
    for (const signal of ['dnt', 'sec-gpc']) {
      expect((await clickOn(zone, { headers: { [signal]: '1' } })).location.href).toBe(
        'https://coffee.example/start',
      );
    }
    // Sooner than a person can click.
    const { click } = await server.decide(zone);
    expect(await server.click(click)).toEqual({ status: 302, location: 'https://coffee.example/start' });
    expect(await figuresOf(id)).toEqual({ clicks: 0, landings: 0 });
  });

  // Proves EVID-03
  it('is reported by a script that is served compressed and cacheable, without a cookie', async () => {
    const answer = await server.caller.get('/api/serve/landing.js', { 'accept-encoding': 'gzip' });
    // Without a build there is no script to serve. The browser tests always run on a build.
    if (answer.status === 503) return;
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await server.caller.get(`/api/serve/landings/${'x'.repeat(80)}`)).status).toBe(405);
  });

  it('is shown to both sides in the same figures, and to no other user', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad, zone } = await makeLiveAd(seller, buyer, { website: { url: 'https://daily.example' } });
    const day = server.clock.now().toISOString().slice(0, 10);
    const until = new Date(server.clock.now().getTime() + DAY_MS).toISOString().slice(0, 10);
    const counted = async (client: Client, side: string) => {
      const query = `side=${side}&from=${day}&to=${until}&step=month`;
      const { buckets } = (await client.get(`/api/analytics/counting?${query}`)).body as {
        buckets: { landings: { clicks: number; landings: number } }[];
      };
      // The next day may be in the next month.
      const sums = buckets.map(({ landings }) => landings);
      return {
        clicks: sums.reduce((sum, { clicks }) => sum + clicks, 0),
        landings: sums.reduce((sum, { landings }) => sum + landings, 0),
      };
    };
    expect(await counted(buyer, 'buyer')).toEqual({ clicks: 0, landings: 0 });
    await buyer.put(`/api/ads/${ad.id}/landings`, { enabled: true });
    await server.app.refreshDelivery();
    const tokens = [await clickOn(zone.publicId), await clickOn(zone.publicId), await clickOn(zone.publicId)];
    await report(tokens[0]!.token);
    await report(tokens[1]!.token);
    expect(await counted(buyer, 'buyer')).toEqual({ clicks: 3, landings: 2 });
    expect(await counted(seller, 'seller')).toEqual({ clicks: 3, landings: 2 });
    expect(await counted(await server.signIn('both'), 'seller')).toEqual({ clicks: 0, landings: 0 });
  });

  // Proves EVID-05
  it('keeps no row of a click after 31 days', async () => {
    const { zone, id } = await measured();
    await report((await clickOn(zone)).token);
    const left = async () =>
      (await server.ctx.db.selectFrom('measuredClicks').select('adId').where('adId', '=', id).execute())
        .length;
    server.clock.advance(30 * DAY_MS);
    await removeOldMeasuredClicks(server.ctx);
    expect(await left()).toBe(1);
    server.clock.advance(DAY_MS + 1000);
    await removeOldMeasuredClicks(server.ctx);
    expect(await left()).toBe(0);
    expect(await figuresOf(id)).toEqual({ clicks: 1, landings: 1 });
  });
});

describe('a click that waits for its proof', () => {
  const strict = useOwnAdServer({ TRAFFIC_RULES: 'production', TRUSTED_PROXIES: '127.0.0.1' });
  beforeAll(() => {
    server = strict;
  });
  afterAll(() => {
    server = lenient;
  });

  const sent = (as: 'fetch' | 'navigation', from: string) => ({
    ...headersOf('Chrome on Windows', as),
    'x-forwarded-for': from,
  });
  const view = async (address: string, from = '91.64.1.1') =>
    (await sendExactly(`${address}?${renderProof(address)}`, 'POST', sent('fetch', from))).status;

  async function clickFirst(zone: string, from = '91.64.1.1') {
    const ask = `${server.caller.url}/api/serve/ads?z=${zone}`;
    const { text } = await sendExactly(ask, 'GET', sent('fetch', from));
    const [ad] = (JSON.parse(text) as { ads: { view: string; click: string }[] }).ads;
    server.clock.advance(2000);
    const { location } = await sendExactly(ad!.click, 'GET', sent('navigation', from));
    return { address: ad!.view, token: new URL(location!).searchParams.get('osid') };
  }

  // Proves EVID-05
  it('enters the figures with its landing once the proof has come, and never without one', async () => {
    const { zone, id } = await measured();
    const { address, token } = await clickFirst(zone);
    expect((await report(token)).status).toBe(200);
    await settleMeasuredClicks(server.ctx);
    expect(await figuresOf(id)).toEqual({ clicks: 0, landings: 0 });
    expect(await view(address)).toBe(204);
    await Promise.all([1, 2, 3].map(async () => await settleMeasuredClicks(server.ctx)));
    expect(await figuresOf(id)).toEqual({ clicks: 1, landings: 1 });
    expect((await report(token)).status).toBe(409);

    // The same visitor clicks again within half an hour, which does not count. Later, no proof comes.
    server.clock.advance(HOUR_MS);
    const late = await clickFirst(zone);
    server.clock.advance(61 * 60_000);
    await settleMeasuredClicks(server.ctx);
    expect((await report(late.token)).status).toBe(200);
    await settleMeasuredClicks(server.ctx);
    expect(await figuresOf(id)).toEqual({ clicks: 1, landings: 1 });
    const open = await server.ctx.db
      .selectFrom('measuredClicks')
      .select('counted')
      .where('adId', '=', id)
      .orderBy('clickedAt')
      .execute();
    expect(open.map(({ counted }) => counted)).toEqual([true, false]);
  });

  // Proves EVID-05
  it('enters them with a landing that comes after the proof', async () => {
    const { zone, id } = await measured();
    const { address, token } = await clickFirst(zone);
    await view(address);
    await settleMeasuredClicks(server.ctx);
    expect(await figuresOf(id)).toEqual({ clicks: 1, landings: 0 });
    expect(await reportByScript(token!)).toBe(204);
    expect(await figuresOf(id)).toEqual({ clicks: 1, landings: 1 });
  });

  // Proves EVID-05
  it('is measured beyond the ceiling of a new publisher, too, where it is not billed', async () => {
    const { zone, id } = await measured({ pricingModel: 'per_click', amount: 100 });
    for (let visitor = 1; visitor <= 8; visitor++) {
      const { address, token } = await clickFirst(zone, `91.64.${visitor}.1`);
      await view(address, `91.64.${visitor}.1`);
      await report(token);
    }
    expect(await adRow(server.ctx, id)).toMatchObject({ totalClicks: 5 });
    expect(await figuresOf(id)).toEqual({ clicks: 8, landings: 8 });
  });
});
