import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../testing/client.ts';
import { adRow, SITE } from '../testing/delivery.ts';
import { mailTo } from '../testing/mail.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { makeLiveAd } from '../testing/story.ts';
import { upload } from '../testing/uploads.ts';

const OPERATOR = 'hello@ads.example';
const PAGE = { origin: SITE, 'user-agent': 'Mozilla/5.0 (X11) Chrome/150.0 Safari/537.36' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

let server: TestServer;
let seller: Client;
let buyer: Client;
const lines: string[] = [];
beforeAll(async () => {
  server = await startTestServer({
    env: { MAIL_FROM: `Openslot <${OPERATOR}>` },
    log: (line) => lines.push(line),
  });
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { firstName: 'Ada', lastName: 'Lane' });
});
afterAll(async () => await server.close());

/** A running ad that was seen once and reported, and the operator's link. */
async function reported() {
  const story = await makeLiveAd(seller, buyer, {
    product: { adType: 'image', pricingModel: 'per_click', clicks: 10, duration: undefined },
    ad: { title: 'Cheap watches', imageUrl: await upload(buyer) },
  });
  await server.app.refreshDelivery();
  const [shown] = await decide(story.zone.publicId);
  if (!shown) throw new Error('Nothing is shown');
  server.clock.advance(3000);
  await server.anyone().send('POST', shown.view, undefined, PAGE);
  const report = new URLSearchParams({ id: randomUUID(), reason: 'misleading', details: '<i>Fakes</i>' });
  await server.anyone().send('POST', `/report-ad/${story.ad.publicId}`, report.toString(), FORM);
  const text = (await mailTo(server.ctx, OPERATOR)).at(-1)?.text ?? '';
  const path = /\/moderate-ad\?key=[\w-]{22}/.exec(text)?.[0] ?? '';
  return { ...story, path, shown };
}

async function decide(zone: string): Promise<{ kind: string; view: string; click: string }[]> {
  return (await server.anyone().get(`/api/serve/ads?z=${zone}`, PAGE)).body.ads;
}
const takeDown = async (path: string, reason: string, headers: Record<string, string> = {}) =>
  await server
    .anyone()
    .send('POST', path, new URLSearchParams({ reason }).toString(), { ...FORM, ...headers });

// Proves DEL-64
it('the operator’s link shows the ad, whose it is, and what was said of it', async () => {
  const { path, ad } = await reported();
  lines.length = 0;
  const { status, text, headers } = await server.anyone().get(path);
  expect(status).toBe(200);
  for (const part of [
    'Cheap watches',
    'Ada Lane',
    buyer.user.email,
    seller.user.email,
    ad.targetUrl,
    'It is misleading or fraudulent: <bdi>&lt;i&gt;Fakes&lt;/i&gt;</bdi>',
    '<dt>State</dt><dd>Running</dd>',
  ])
    expect(text).toContain(part);
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).toContain('noindex');
  expect(lines.join('')).not.toContain(path.split('=')[1]);
  // What stands in the database opens nothing.
  const [row] = await server.ctx.db
    .selectFrom('adReports')
    .select('keyHash')
    .where('adId', '=', ad.id)
    .execute();
  const stored = Buffer.from(row?.keyHash ?? '').toString('base64url');
  for (const key of [stored, '', 'x', path.split('=')[1]?.toUpperCase() ?? '']) {
    expect((await server.anyone().get(`/moderate-ad?key=${key}`)).status).toBe(404);
    expect((await takeDown(`/moderate-ad?key=${key}`, 'No')).status).toBe(404);
  }
  expect((await adRow(server.ctx, ad.id)).status).toBe('active');
});

// Proves DEL-64
it('an ad that is taken down leaves pages, clicks and the archive, and both sides are told why', async () => {
  const { path, ad, zone, shown } = await reported();
  expect((await server.anyone().get(`/ad-archive/${ad.publicId}`)).text).toContain('src="/m/');
  expect((await takeDown(path, ' ')).status).toBe(400);
  const reason = 'These watches are <b>counterfeits</b>.';
  const done = await takeDown(path, reason);
  expect([done.status, done.headers.get('location')]).toEqual([303, path]);
  // Pressed twice.
  expect((await takeDown(path, 'Again')).status).toBe(303);

  await server.app.refreshDelivery();
  expect(await decide(zone.publicId)).toMatchObject([{ kind: 'house' }]);
  // What is still on a screen leads home.
  const click = await server.anyone().get(shown.click, { 'user-agent': PAGE['user-agent'] });
  expect([click.status, click.headers.get('location')]).toEqual([302, `${server.url}/`]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalClicks: 0 });

  const escaped = 'These watches are &lt;b&gt;counterfeits&lt;/b&gt;.';
  const archived = (await server.anyone().get(`/ad-archive/${ad.publicId}`)).text;
  expect(archived).toContain('An ad that was taken down');
  expect(archived).toContain(escaped);
  expect(archived).toContain('Ada Lane');
  expect(archived).not.toMatch(/Cheap watches|\/m\/|coffee\.example/);
  expect((await server.anyone().get('/ad-archive?q=cheap+watches')).text).not.toContain(ad.publicId);
  const listed = (await server.anyone().get('/ad-archive?q=counterfeits')).text;
  expect([listed.includes(ad.publicId), listed.includes('/m/')]).toEqual([true, false]);
  expect((await server.anyone().get(`/api/serve/why/${ad.publicId}`)).text).toContain(escaped);
  expect((await server.anyone().get(path)).text).toContain(`Taken down: <bdi>${escaped}</bdi>`);

  for (const side of [buyer, seller]) {
    const mails = (await mailTo(server.ctx, side.user.email)).filter(({ kind }) => kind === 'ad-taken-down');
    expect(mails.map(({ text }) => text.includes(reason))).toEqual([true]);
  }
  expect((await buyer.get(`/api/ads/${ad.publicId}`)).body).toMatchObject({
    status: 'completed',
    takenDownReason: reason,
  });
  expect((await buyer.get(`/api/ads/${ad.id}/showing`)).body).toMatchObject({ rule: 'taken_down' });
});

// Proves DEL-64
it('what is over cannot be taken down, and another site’s page cannot press the button', async () => {
  const { path, ad } = await reported();
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await takeDown(path, 'No', foreign)).status).toBe(403);
  await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
  expect((await server.anyone().get(path)).text).not.toContain('Take the ad down');
  expect((await takeDown(path, 'Too late')).status).toBe(409);
});
