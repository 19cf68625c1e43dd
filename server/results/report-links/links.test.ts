/** Links to read-only reports of an ad or a plan. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { ReportLink } from '#domain/report-links/contract.ts';
import { MAX_OPEN_LINKS } from '#domain/report-links/limits.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { insertLink } from './store.ts';
import { removeEndedLinks } from './links.ts';
import type { Client } from '#server/testing/client.ts';
import { chooseTimezone, countAt } from '#server/testing/figures.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeLiveAd, pay } from '#server/testing/story.ts';

const server = useOwnServer();

/** An ad at 20.00 for 10,000 views, with views on two days, in New York's time. */
async function campaign(ad: Record<string, unknown> = {}) {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  await chooseTimezone(buyer, 'America/New_York');
  const live = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', price: '20.00', impressions: 10_000, duration: undefined },
    ad: { title: '<b>Fresh</b> =coffee', ...ad },
  });
  const began = server.ctx.now();
  server.clock.advance(3 * DAY_MS);
  await countAt(server.ctx, live.ad, later(began, HOUR_MS).toISOString(), 1500, 12);
  await countAt(server.ctx, live.ad, later(began, DAY_MS + HOUR_MS).toISOString(), 500, 3);
  return { seller, buyer, ...live };
}

async function linkTo(client: Client, path: string, body: object = {}): Promise<ReportLink> {
  const answer = await client.post(path, body);
  expect(answer.status).toBe(201);
  return answer.body as ReportLink;
}

/** What somebody without an account gets at an address of the server. */
async function read(url: string) {
  const answer = await fetch(server.url + new URL(url).pathname);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

it('says on the page and in the file when the days begin, in a timezone that is not whole hours from UTC', async () => {
  const { buyer, ad } = await campaign();
  await chooseTimezone(buyer, 'Asia/Kathmandu');
  const { url } = await linkTo(buyer, `/api/ads/${ad.publicId}/report-links`);
  expect((await read(url)).text).toContain(
    'Delivery is counted by the hour of UTC, so days in reports begin at 00:45 in Asia/Kathmandu.',
  );
  expect((await read(`${url}.csv`)).text).toMatch(/^\uFEFF?day \(from 00:45\),views,clicks,cost\r\n/);
  await chooseTimezone(buyer, 'America/New_York');
  expect((await read(url)).text).not.toContain('by the hour of UTC');
});

// Proves RES-41
it('makes, lists and revokes links of an own ad, and knows nobody else’s', async () => {
  const { seller, buyer, ad } = await campaign();
  const path = `/api/ads/${ad.publicId}/report-links`;
  const link = await linkTo(buyer, path, { name: '  For Ada  ' });
  const made = new Date(link.createdAt);
  expect(link).toEqual({
    id: expect.any(Number),
    name: 'For Ada',
    url: expect.stringMatching(/^http.*\/reports\/[\w-]{43}$/),
    expiresAt: later(made, 90 * DAY_MS).toISOString(),
    revokedAt: null,
    createdAt: expect.any(String),
  });
  const now = server.ctx.now();
  const chosen = later(now, 7 * DAY_MS).toISOString();
  const second = await linkTo(buyer, `/api/ads/${ad.id}/report-links`, { expiresAt: chosen });
  expect(second).toMatchObject({ name: null, expiresAt: chosen });
  expect((await buyer.get(path)).body).toEqual([second, link]);
  const page = await buyer.get(`${path}?limit=1`);
  expect(page.body).toEqual([second]);
  expect(page.headers.get('link')).toContain('rel="next"');

  for (const expiresAt of ['soon', '', now.toISOString(), later(now, 732 * DAY_MS).toISOString()])
    expect((await buyer.post(path, { expiresAt })).status).toBe(400);
  expect((await buyer.post(path, { name: 'x'.repeat(101) })).status).toBe(400);
  expect((await buyer.post(path, { name: 'two\nlines' })).status).toBe(400);

  for (const call of [seller.get(path), seller.post(path, {}), seller.delete(`/api/report-links/${link.id}`)])
    expect((await call).status).toBe(404);
  expect((await read(link.url)).status).toBe(200);
  expect((await buyer.delete(`/api/report-links/${link.id}`)).status).toBe(200);
  const [, revoked] = (await buyer.get(path)).body as ReportLink[];
  expect(revoked?.revokedAt).toEqual(expect.any(String));
  expect((await read(link.url)).status).toBe(404);
  expect((await read(`${link.url}.csv`)).status).toBe(404);
  // A second time changes nothing.
  server.clock.advance(HOUR_MS);
  expect((await buyer.delete(`/api/report-links/${link.id}`)).status).toBe(200);
  expect(((await buyer.get(path)).body as ReportLink[])[1]).toEqual(revoked);

  await buyer.post('/api/user/reauthenticate', { password: PASSWORD });
  const { reportLinks } = (await buyer.post('/api/user/export-data')).body;
  expect(reportLinks).toMatchObject([
    { url: link.url, ad: ad.publicId, plan: null },
    { url: second.url, ad: ad.publicId },
  ]);
});

// Proves RES-41, FIG-04
it('shows an ad’s figures to everybody who has the link, and nothing else', async () => {
  const { buyer, ad } = await campaign();
  const { url } = await linkTo(buyer, `/api/ads/${ad.publicId}/report-links`, { name: 'For Ada' });
  const page = await read(url);
  expect(page.status).toBe(200);
  expect(page.headers.get('x-robots-tag')).toBe('noindex');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('set-cookie')).toBeNull();
  expect(page.text).toContain('<meta name="robots" content="noindex">');
  expect(page.text).toContain('<h1 dir="auto">&lt;b&gt;Fresh&lt;/b&gt; =coffee</h1>');
  for (const text of [
    'The Daily Slot',
    'Sidebar',
    '2,000',
    'of 10,000 views booked',
    '$4.00',
    '$2.00',
    '$0.27 per click',
    '<h2>When</h2>',
    'Counted 2,000 of 2,000 reported views.',
  ])
    expect(page.text).toContain(text);
  expect(page.text.slice(page.text.indexOf('<main'))).not.toMatch(/<form|<button|<script|@|For Ada/);

  const file = await read(`${url}.csv`);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const rows = file.text
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));
  expect(rows[0]).toEqual(['day', 'views', 'clicks', 'cost']);
  expect(rows.slice(1).map(([, ...figures]) => figures)).toEqual([
    ['1500', '12', '3.00'],
    ['500', '3', '1.00'],
  ]);
  for (const [day = ''] of rows.slice(1)) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);

  for (const wrong of ['x', 'x'.repeat(43), `${url.slice(-43)}.pdf`, '..%2f', '%00'])
    expect((await read(`https://x.test/reports/${wrong}`)).status).toBe(404);
});

// Proves RES-41
it('ends with its time, with the account’s suspension and with the account', async () => {
  const { buyer, ad } = await campaign();
  const path = `/api/ads/${ad.publicId}/report-links`;
  const link = await linkTo(buyer, path);
  const user = (await buyer.get('/api/auth/user')).body.id as number;
  const suspend = (suspendedAt: Date | null) =>
    server.ctx.db
      .updateTable('users')
      .set({ suspendedAt, suspendedReason: suspendedAt && 'Spam' })
      .where('id', '=', user)
      .execute();
  await suspend(server.ctx.now());
  expect((await read(link.url)).status).toBe(404);
  await suspend(null);
  expect((await read(link.url)).status).toBe(200);
  server.clock.advance(90 * DAY_MS);
  expect((await read(link.url)).status).toBe(404);
  await removeEndedLinks(server.ctx);
  expect((await buyer.get(path)).body).toHaveLength(1);
  server.clock.advance(90 * DAY_MS + HOUR_MS);
  await removeEndedLinks(server.ctx);
  expect((await buyer.get(path)).body).toEqual([]);
});

// Proves RES-41
it('lets 50 links of an ad work at the same time', async () => {
  const { buyer, ad } = await campaign();
  const path = `/api/ads/${ad.publicId}/report-links`;
  const { id } = await linkTo(buyer, path);
  const userId = (await buyer.get('/api/auth/user')).body.id as number;
  const [createdAt, expiresAt] = [server.ctx.now(), later(server.ctx.now(), DAY_MS)];
  for (let at = 1; at < MAX_OPEN_LINKS; at += 1) {
    const link = { subject: { adId: ad.id }, userId, key: randomUUID(), name: null, createdAt, expiresAt };
    await insertLink(server.ctx.db, link, MAX_OPEN_LINKS);
  }
  expect((await buyer.post(path, {})).status).toBe(409);
  await buyer.delete(`/api/report-links/${id}`);
  await linkTo(buyer, path);
});

// Proves RES-41, FIG-04
it('shows a plan by its ads, whose figures add up', async () => {
  const { seller, buyer, product, zone } = await campaign();
  const plan = (
    await buyer.post('/api/plans', {
      requestId: randomUUID(),
      name: 'Spring',
      creative: { adType: 'text', title: 'Tea', description: 'Leaves.', targetUrl: 'https://tea.example' },
      placements: [
        { adZoneId: zone.publicId, productId: product.id },
        { adZoneId: zone.publicId, productId: product.id },
      ],
    })
  ).body;
  const [first, second] = plan.ads;
  for (const each of [first, second]) await pay(buyer, await approve(seller, each));
  const began = server.ctx.now();
  server.clock.advance(DAY_MS);
  await countAt(server.ctx, first, later(began, HOUR_MS).toISOString(), 1000, 4);
  await countAt(server.ctx, second, later(began, HOUR_MS).toISOString(), 300, 1);
  const path = `/api/plans/${plan.publicId}/report-links`;
  const { url } = await linkTo(buyer, path);
  expect((await buyer.get(path)).body).toHaveLength(1);
  expect((await seller.get(path)).status).toBe(404);
  expect((await seller.post(path, {})).status).toBe(404);
  const page = (await read(url)).text;
  for (const text of ['<h1 dir="auto">Spring</h1>', '1,300', '$2.60']) expect(page).toContain(text);
  const rows = (await read(`${url}.csv`)).text.trim().split('\r\n').slice(1);
  expect(rows).toEqual([
    'Tea,The Daily Slot,Sidebar,active,1000,4,2.00',
    'Tea,The Daily Slot,Sidebar,active,300,1,0.60',
  ]);
});
