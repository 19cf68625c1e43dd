import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import type { Answer, Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeLiveAd, makeProduct, makeZone } from '#server/testing/story.ts';

const OPERATOR = 'hello@ads.example';

const server = useOwnServer({ env: { MAIL_FROM: `Openslot <${OPERATOR}>` } });
let seller: Client;
let buyer: Client;
let story: Awaited<ReturnType<typeof makeLiveAd>>;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { firstName: 'Ada', lastName: 'Lane' });
  story = await makeLiveAd(seller, buyer, { ad: { title: 'Pills & <b>more</b>' } });
});

/** Sends the form as a browser does. */
async function send(
  ad: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  on: TestServer = server,
): Promise<Answer> {
  return await on
    .anyone()
    .send('POST', `/report-ad/${ad}`, new URLSearchParams({ id: randomUUID(), ...fields }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'text/html',
      ...headers,
    });
}

const reportsOf = async (adId: number) =>
  await server.ctx.db.selectFrom('adReports').selectAll().where('adId', '=', adId).execute();
const told = async (recipient: string) =>
  (await mailTo(server.ctx, recipient)).filter(({ kind }) => kind === 'ad-reported');

it('the form names the ad, and its page has no scripts and allows none', async () => {
  const { status, headers, text } = await server.anyone().get(`/report-ad/${story.ad.publicId}`);
  expect(status).toBe(200);
  expect(text).toContain(
    '“<bdi>Pills &amp; &lt;b&gt;more&lt;/b&gt;</bdi>”, shown on behalf of <bdi>Ada Lane</bdi>',
  );
  expect(text).toContain(`<form method="post" action="/report-ad/${story.ad.publicId}">`);
  expect(text).not.toContain('<script');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('script-src');
});

it('a report is stored, and the operator and the publisher get a mail, but not the advertiser', async () => {
  const { ad } = await makeLiveAd(seller, buyer, { ad: { title: 'Cheap watches' } });
  const answer = await send(ad.publicId, {
    reason: 'misleading',
    details: ' They are\r\nfakes. ',
    email: 'mara@readers.example',
  });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/report-ad/${ad.publicId}/sent`]);
  const thanks = await server.anyone().get(`/report-ad/${ad.publicId}/sent`);
  expect([thanks.status, thanks.text.includes('Thank you')]).toEqual([200, true]);

  expect(await reportsOf(ad.id)).toMatchObject([
    { reason: 'misleading', details: 'They are\nfakes.', email: 'mara@readers.example' },
  ]);
  const [toOperator] = await told(OPERATOR);
  expect(toOperator?.subject).toBe('An ad was reported');
  expect(toOperator?.text).toContain('A visitor reported “Cheap watches”, shown on behalf of Ada Lane.');
  expect(toOperator?.text).toContain('It is misleading or a scam.');
  expect(toOperator?.text).toContain('They are\nfakes.');
  expect(toOperator?.text).toContain('You can reply to the visitor at mara@readers.example.');
  expect(toOperator?.text).toContain(`/operator/ads/${ad.id}\n`);
  const [toPublisher] = await told(seller.user.email);
  expect(toPublisher?.text).toContain('“Cheap watches”');
  expect(toPublisher?.text).toContain('It is misleading or a scam.');
  expect(toPublisher?.text).not.toMatch(/mara|fakes/);
  expect(await told(buyer.user.email)).toEqual([]);
});

it('the same form sent again, at the same time or later, is one report', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  const id = randomUUID();
  const before = (await told(OPERATOR)).length;
  const all = await Promise.all(
    [1, 2, 3, 4].map(async () => await send(ad.publicId, { id, reason: 'other' })),
  );
  expect(all.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
  expect((await send(ad.publicId, { id: id.toUpperCase(), reason: 'rights' })).status).toBe(303);
  expect(await reportsOf(ad.id)).toMatchObject([{ id, reason: 'other' }]);
  expect((await told(OPERATOR)).length).toBe(before + 1);
});

it('every report of a wave is stored, and only a few are mailed', async () => {
  const { ad } = await makeLiveAd(seller, buyer);
  const before = (await told(OPERATOR)).length;
  await Promise.all(Array.from({ length: 12 }, async () => await send(ad.publicId, { reason: 'harmful' })));
  expect(await reportsOf(ad.id)).toHaveLength(12);
  const mails = (await told(OPERATOR)).slice(before);
  expect(mails.map(({ text }) => /report number (\d+)/.exec(text)?.[1] ?? '1')).toEqual(['1', '3', '10']);
  // A day later, the count starts again and the first report is mailed.
  server.clock.advance(25 * 60 * 60 * 1000);
  await send(ad.publicId, { reason: 'harmful' });
  expect((await told(OPERATOR)).length).toBe(before + 4);
});

it('an error appears at its field, and the visitor’s input stays', async () => {
  const answer = await send(story.ad.publicId, { details: '"><script>1</script>', email: 'nobody' });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('<title>Error: Report this ad');
  expect(answer.text).toMatch(/id="reason-error">Please say what’s wrong with the ad</);
  expect(answer.text).toMatch(/id="email-error">Please enter a valid email address</);
  expect(answer.text).toContain('&quot;&gt;&lt;script&gt;1&lt;/script&gt;</textarea>');
  expect(answer.text).toContain('value="nobody"');
  expect(await reportsOf(story.ad.id)).toEqual([]);
});

it('an ad that was never shown cannot be reported, and other content types are refused', async () => {
  const zone = await makeZone(seller, story.website);
  const pending = await makeAd(buyer, await makeProduct(seller, zone));
  for (const ad of [pending.publicId, randomUUID(), 'nobody', "'--"]) {
    expect((await server.anyone().get(`/report-ad/${ad}`)).status).toBe(404);
    expect((await send(ad, { reason: 'other' })).status).toBe(404);
  }
  const { publicId } = story.ad;
  const kinds: [string, string, number][] = [
    ['text/plain', 'reason=other', 415],
    ['application/x-www-form-urlencoded', `reason=other&details=${'x'.repeat(40_000)}`, 413],
    ['application/x-www-form-urlencoded', '', 400],
    ['application/x-www-form-urlencoded', `id=1&reason=other`, 400],
  ];
  for (const [type, body, status] of kinds) {
    const answer = await server
      .anyone()
      .send('POST', `/report-ad/${publicId}`, body, { 'content-type': type, accept: 'text/html' });
    expect([type, body.slice(0, 20), answer.status]).toEqual([type, body.slice(0, 20), status]);
  }
  // No other route accepts the content type of a form.
  const login = await server
    .anyone()
    .send('POST', '/api/auth/login', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' });
  expect(login.status).toBe(415);
});

it('another site cannot send a report for its visitors, and reports of one network are limited', async () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await send(story.ad.publicId, { reason: 'other' }, foreign)).status).toBe(403);
  expect(await reportsOf(story.ad.id)).toEqual([]);

  const limited = await untilTestEnds(startTestServer({ env: { RATE_LIMIT_FACTOR: '0.1' } }));
  const { ad } = await makeLiveAd(await limited.signIn('seller'), await limited.signIn('buyer'));
  const statuses: number[] = [];
  for (let each = 0; each < 4; each++) {
    statuses.push((await send(ad.publicId, { reason: 'other' }, {}, limited)).status);
  }
  expect(statuses).toEqual([303, 303, 429, 429]);
});

it('a report and the reporter’s address are deleted after a year', async () => {
  const { ad } = await makeLiveAd(seller, buyer, { product: { duration: 365 } });
  await send(ad.publicId, { reason: 'other', email: 'mara@readers.example' });
  server.clock.advance(364 * 24 * 60 * 60 * 1000);
  await removeExpired(server.ctx);
  expect(await reportsOf(ad.id)).toHaveLength(1);
  server.clock.advance(2 * 24 * 60 * 60 * 1000);
  await removeExpired(server.ctx);
  expect(await reportsOf(ad.id)).toEqual([]);
});

// Proves DOOR-14
it('limits the reports of an IPv6 subscriber and of a provider’s network, whatever address they use', async () => {
  const env = { RATE_LIMIT_FACTOR: '0.1', TRUSTED_PROXIES: '127.0.0.1' };
  const limited = await untilTestEnds(startTestServer({ env }));
  const { ad } = await makeLiveAd(await limited.signIn('seller'), await limited.signIn('buyer'));
  const from = async (address: string) => {
    const headers = { 'x-forwarded-for': address };
    return (await send(ad.publicId, { reason: 'other' }, headers, limited)).status;
  };
  expect([
    await from('2001:db8:1:1::1'),
    await from('2001:db8:1:1::2'),
    await from('2001:db8:1:1:f::3'),
  ]).toEqual([303, 303, 429]);
  for (const subnet of [2, 3, 4, 5]) expect(await from(`2001:db8:1:${subnet}::1`)).toBe(303);
  expect(await from('2001:db8:1:6::1')).toBe(429);
  expect(await from('2001:db8:2:1::1')).toBe(303);
  for (const host of [1, 2, 3, 4, 5, 6]) expect(await from(`198.51.100.${host}`)).toBe(303);
  expect(await from('198.51.100.7')).toBe(429);
});
