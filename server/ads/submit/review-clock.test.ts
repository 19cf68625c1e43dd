/** The review of ads: its clock, corrections, withdrawals, trust, rules and the shape of images. */
import { beforeEach, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product, Website } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { upload } from '#server/testing/uploads.ts';
import { rejectUnanswered, remindPublishers } from './unanswered.ts';

const server = useOwnServer({ env: { RATE_LIMIT_FACTOR: '20' } });
let seller: Client;
let buyer: Client;
let website: Website;
let product: Product;
beforeEach(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  website = await makeWebsite(seller);
  product = await makeProduct(seller, await makeZone(seller, website));
});

const adOf = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.publicId}`)).body;
const subjects = async (client: Client) =>
  (await mailTo(server.ctx, client.user.email)).map(({ subject }) => subject);
const sweep = async () => {
  await rejectUnanswered(server.ctx);
  await remindPublishers(server.ctx);
};

it('reminds the publisher after one and three days, and rejects an unanswered ad after five', async () => {
  const other = await makeWebsite(await server.signIn('seller'), {
    name: 'Another Daily',
    url: 'https://another.example',
  });
  const owner = await server.signIn('seller');
  const similar = await makeWebsite(owner, { name: 'Similar Times', url: 'https://similar.example' });
  await makeProduct(owner, await makeZone(owner, similar, { name: 'Its sidebar' }), { price: '7.00' });
  await makeProduct(owner, await makeZone(owner, similar, { name: 'Wide', width: 728, height: 90 }), {
    price: '5.00',
  });
  const ad = await makeAd(buyer, product);
  const submitted = server.clock.now().getTime();
  expect(new Date(ad.answerDueAt!).getTime() - submitted).toBeLessThanOrEqual(5 * DAY_MS);
  expect(new Date(ad.answerDueAt!).getTime() - submitted).toBeGreaterThan(5 * DAY_MS - HOUR_MS);

  const reminders = async () =>
    (await subjects(seller)).filter((subject) => subject === 'An ad is still waiting for your review').length;
  const counts = [];
  for (let day = 1; day <= 4; day++) {
    server.clock.advance(DAY_MS);
    await sweep();
    await sweep();
    counts.push(await reminders());
  }
  expect(counts).toEqual([1, 1, 2, 2]);
  expect((await adOf(ad)).status).toBe('pending');
  server.clock.advance(DAY_MS);
  await sweep();
  expect(await adOf(ad)).toMatchObject({
    status: 'rejected',
    rejectionReason: 'The publisher did not answer within 5 days',
    answerDueAt: null,
    withdrawnAt: null,
  });
  const mail = (await mailTo(server.ctx, buyer.user.email)).find(({ subject }) =>
    subject.includes('did not answer'),
  );
  expect(mail?.text).toMatch(/Its sidebar.*300 × 250.*\$7\.00[\s\S]*Wide.*728 × 90.*\$5\.00/);
  expect(mail?.text).toContain(`website=${similar.publicId}`);
  const zones = await buyer.get(`/api/ads/${ad.publicId}/similar-zones`);
  expect(zones.body).toMatchObject([
    { zoneName: 'Its sidebar', websiteName: 'Similar Times', width: 300, price: '7.00' },
    { zoneName: 'Wide', price: '5.00' },
  ]);
  for (const other of [seller, await server.signIn('buyer')])
    expect((await other.get(`/api/ads/${ad.publicId}/similar-zones`)).status).toBe(404);
  expect(mail?.text).not.toContain(other.name);

  const again = await buyer.put(`/api/ads/${ad.id}`, {
    title: 'Again',
    description: 'x',
    targetUrl: ad.targetUrl,
  });
  expect(again.status).toBe(200);
  expect(new Date(again.body.answerDueAt).getTime()).toBeGreaterThan(submitted + 9 * DAY_MS);
});

it('never rejects with APPROVAL_DAYS of 0', async () => {
  const ad = await makeAd(buyer, product);
  const { config } = server.ctx;
  server.ctx.config = { ...config, approvalDays: 0 };
  try {
    const later = await makeAd(buyer, product);
    expect(later.answerDueAt).toBeNull();
    server.clock.advance(30 * DAY_MS);
    await sweep();
    expect((await adOf(ad)).status).toBe('pending');
    expect((await adOf(later)).status).toBe('pending');
  } finally {
    server.ctx.config = config;
  }
});

it('states the usual answer time after three answers', async () => {
  const hours = async () => (await buyer.get(`/api/websites/${website.publicId}`)).body.usualAnswerHours;
  expect(website.usualAnswerHours).toBeNull();
  for (const wait of [2, 30, 5]) {
    expect(await hours()).toBeNull();
    const ad = await makeAd(buyer, product);
    server.clock.advance(wait * HOUR_MS);
    if (wait === 30) await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
    else await approve(seller, ad);
  }
  expect(await hours()).toBe(5);
  expect((await makeAd(buyer, product)).usualAnswerHours).toBe(5);
  const list = (await buyer.get('/api/websites')).body as Website[];
  expect(list.find(({ id }) => id === website.id)?.usualAnswerHours).toBe(5);
  expect((await seller.get('/api/websites/my')).body).toMatchObject([{ usualAnswerHours: 5 }]);
});

it('withdraws a pending and an approved ad, and nothing else', async () => {
  const pending = await makeAd(buyer, product);
  const approved = await makeAd(buyer, product);
  await approve(seller, approved);
  const intent = await buyer.post('/api/create-payment-intent', {
    amount: approved.totalAmount,
    adPublicId: approved.publicId,
  });
  const stranger = await server.signIn('both');
  expect((await stranger.post(`/api/ads/${pending.id}/withdraw`)).status).toBe(404);
  expect((await seller.post(`/api/ads/${pending.id}/withdraw`)).status).toBe(404);
  for (const ad of [pending, approved]) {
    const answer = await buyer.post(`/api/ads/${ad.publicId}/withdraw`);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'rejected', rejectionReason: 'Withdrawn by the advertiser', withdrawnAt: expect.any(String) },
    ]);
    expect((await buyer.post(`/api/ads/${ad.publicId}/withdraw`)).status).toBe(409);
  }
  expect((await seller.get('/api/ads/pending')).body).toEqual([]);
  expect((await seller.put(`/api/ads/${pending.id}/approve`)).status).toBe(409);
  const { steps } = (await buyer.get('/api/waiting')).body as { steps: { kind: string }[] };
  expect(steps.map(({ kind }) => kind)).not.toContain('edit');

  // A card that was entered before does not pay for it any more.
  const card = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };
  const { clientSecret } = intent.body as { clientSecret: string };
  const { paymentIntentId } = (await buyer.post('/api/sandbox/confirm', { clientSecret, ...card })).body;
  await buyer.post('/api/payment-success', { paymentIntentId });
  expect((await adOf(approved)).status).toBe('rejected');

  const again = await buyer.put(`/api/ads/${pending.id}`, {
    title: 'B',
    description: 'B',
    targetUrl: pending.targetUrl,
  });
  expect(again.body).toMatchObject({ status: 'pending', withdrawnAt: null });
  const live = await makeAd(buyer, product);
  await approve(seller, live);
  await pay(buyer, live);
  expect((await buyer.post(`/api/ads/${live.id}/withdraw`)).status).toBe(409);
});

it('corrects a pending ad as a new version, which the publisher has to see', async () => {
  const ad = await makeAd(buyer, product);
  const patch = async (body: object, who = buyer) => await who.patch(`/api/ads/${ad.publicId}`, body);
  expect((await patch({ title: 'Stolen' }, await server.signIn('buyer'))).status).toBe(404);
  expect((await patch({})).status).toBe(400);
  expect((await patch({ title: '' })).status).toBe(400);
  expect((await patch({ targetUrl: 'http://10.0.0.1/' })).status).toBe(400);
  const corrected = await patch({ title: 'Fresher coffee' });
  expect([corrected.status, corrected.body]).toMatchObject([
    200,
    {
      title: 'Fresher coffee',
      description: ad.description,
      version: 2,
      status: 'pending',
      answerDueAt: ad.answerDueAt,
    },
  ]);
  expect((await seller.put(`/api/ads/${ad.id}/approve`, { version: 1 })).status).toBe(409);
  const moved = await patch({ targetUrl: 'https://other.example/' });
  expect(moved.body).toMatchObject({ version: 3, targetCheck: { state: 'waiting' } });
  expect((await seller.put(`/api/ads/${ad.id}/approve`, { version: 3 })).status).toBe(200);
  expect((await patch({ title: 'Too late' })).status).toBe(409);
});

it('lets one of a correction and an approval of the version before win', async () => {
  const ad = await makeAd(buyer, product);
  const [corrected, approved] = await Promise.all([
    buyer.patch(`/api/ads/${ad.id}`, { title: 'Other' }),
    seller.put(`/api/ads/${ad.id}/approve`, { version: 1 }),
  ]);
  expect(corrected.status + approved.status).toBe(200 + 409);
});

it('approves ads of a trusted advertiser for the same host and website only, until the trust ends', async () => {
  const first = await makeAd(buyer, product, { targetUrl: 'https://www.coffee.example/start' });
  const trusted = await seller.put(`/api/ads/${first.id}/approve`, { version: 1, trust: true });
  expect([trusted.status, trusted.body.status]).toEqual([200, 'approved']);
  const list = (await seller.get('/api/trusted-advertisers')).body as { id: number }[];
  expect(list).toMatchObject([
    { host: 'coffee.example', websitePublicId: website.publicId, since: expect.any(String) },
  ]);
  expect(JSON.stringify(list)).not.toContain(buyer.user.email);
  expect((await buyer.get('/api/trusted-advertisers')).body).toEqual([]);

  const same = await makeAd(buyer, product, { targetUrl: 'https://coffee.example/more' });
  expect(same).toMatchObject({ status: 'approved', answerDueAt: null });
  expect(await subjects(buyer)).toContain('Your ad was approved');
  expect(await subjects(seller)).toContain('An ad of an advertiser you trust was approved');
  expect((await pay(buyer, same)).status).toBe('active');
  for (const targetUrl of [
    'https://shop.coffee.example',
    'https://coffee.example.evil.example',
    'https://coffee.example:8443',
  ])
    expect((await makeAd(buyer, product, { targetUrl })).status).toBe('pending');
  const somebody = await server.signIn('buyer');
  expect((await makeAd(somebody, product, { targetUrl: 'https://coffee.example' })).status).toBe('pending');
  const elsewhere = await makeWebsite(seller, { url: 'https://second.example' });
  const option = await makeProduct(seller, await makeZone(seller, elsewhere));
  expect((await makeAd(buyer, option, { targetUrl: 'https://coffee.example' })).status).toBe('pending');

  const path = `/api/trusted-advertisers/${list[0]!.id}`;
  expect((await (await server.signIn('seller')).delete(path)).status).toBe(404);
  expect((await seller.delete(path)).status).toBe(200);
  expect((await seller.delete(path)).status).toBe(404);
  expect((await makeAd(buyer, product, { targetUrl: 'https://coffee.example' })).status).toBe('pending');
});

it('refuses ads against the rules of the website, in submissions, corrections and resubmissions', async () => {
  const rules = {
    subjects: ['Gambling'],
    domains: ['https://www.Casino.example/x', 'bücher.example'],
    words: ['Über', 'free money'],
  };
  const stored = await seller.patch(`/api/websites/${website.publicId}`, { rules });
  expect([stored.status, stored.body.rules]).toEqual([
    200,
    { ...rules, domains: ['casino.example', 'xn--bcher-kva.example'] },
  ]);
  expect(
    (await seller.patch(`/api/websites/${website.id}`, { rules: { words: ['Über', 'Free  money'] } })).body
      .rules,
  ).toMatchObject({ subjects: ['Gambling'], words: ['Über', 'Free  money'] });
  for (const wrong of [
    { words: Array.from({ length: 51 }, (_, n) => `word ${n}`) },
    { subjects: ['x'.repeat(101)] },
    { domains: ['not a domain'] },
    { words: [''] },
    { words: 'x' },
  ])
    expect((await seller.patch(`/api/websites/${website.id}`, { rules: wrong })).status).toBe(400);
  expect((await buyer.get(`/api/websites/${website.publicId}`)).body.rules.subjects).toEqual(['Gambling']);

  const body = {
    adZoneId: product.adZoneId,
    productId: product.id,
    adType: 'text',
    title: 'Coffee',
    description: 'Uberall casino.example gambling',
    targetUrl: 'https://coffee.example/',
  };
  const ad = (await buyer.post('/api/ads', body)).body as Ad;
  expect(ad.status).toBe('pending');
  for (const [wrong, rule] of [
    [{ targetUrl: 'https://play.casino.example/a' }, 'casino.example'],
    [{ targetUrl: 'https://CASINO.example:8443' }, 'casino.example'],
    [{ targetUrl: 'https://bücher.example' }, 'xn--bcher-kva.example'],
    [{ title: 'Ganz ÜBER!' }, 'Über'],
    [{ description: 'get FREE\n MON\u00adEY' }, 'Free  money'],
  ] as const) {
    for (const answer of [
      await buyer.post('/api/ads', { ...body, ...wrong }),
      await buyer.patch(`/api/ads/${ad.id}`, wrong),
    ])
      expect([wrong, answer.status, answer.body]).toMatchObject([
        wrong,
        400,
        { reason: 'rule', rule, message: expect.any(String) },
      ]);
  }
  expect((await buyer.post('/api/ads', { ...body, targetUrl: 'https://notcasino.example' })).status).toBe(
    201,
  );
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
  const again = { title: 'über', description: 'x', targetUrl: body.targetUrl };
  expect((await buyer.put(`/api/ads/${ad.id}`, again)).body).toMatchObject({ reason: 'rule', rule: 'Über' });
  const created = await makeWebsite(seller, { url: 'https://third.example', rules: { words: ['a', 'a'] } });
  expect(created.rules).toEqual({ subjects: [], domains: [], words: ['a'] });
});

it('takes an image of the shape of the zone in any size from 1× on, and no other', async () => {
  const option = await makeProduct(
    seller,
    { ...(await makeZone(seller, website, { name: 'Image' })) },
    { adType: 'image' },
  );
  const submit = async (size: [number, number]) =>
    await buyer.post('/api/ads', {
      adZoneId: option.adZoneId,
      productId: option.id,
      adType: 'image',
      title: 'Coffee',
      description: 'x',
      targetUrl: 'https://coffee.example/',
      imageUrl: await upload(buyer, 'image/png', size),
    });
  for (const size of [
    [300, 250],
    [600, 500],
    [451, 376],
    [450, 375],
  ] as [number, number][])
    expect([size, (await submit(size)).status]).toEqual([size, 201]);
  const refused = {
    reason: 'shape',
    sizes: ['300x250', '600x500'],
    message: expect.stringContaining('300 × 250'),
  };
  for (const size of [
    [728, 90],
    [250, 300],
    [299, 249],
    [600, 490],
  ] as [number, number][]) {
    const answer = await submit(size);
    expect([size, answer.status, answer.body]).toMatchObject([size, 400, refused]);
  }
  const ad = (await submit([300, 250])).body as Ad;
  const imageUrl = await upload(buyer, 'image/png', [100, 100]);
  expect((await buyer.patch(`/api/ads/${ad.id}`, { imageUrl })).body).toMatchObject(refused);
  await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
  const again = { title: 'a', description: 'x', targetUrl: ad.targetUrl, imageUrl };
  expect((await buyer.put(`/api/ads/${ad.id}`, again)).body).toMatchObject(refused);
});
