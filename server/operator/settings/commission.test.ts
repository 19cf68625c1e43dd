/** The commission and the lowest price of the marketplace, and the commission of one publisher. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { confirmOperator, makeOperator, sendAct } from '#server/testing/operator.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { commandOf } from '../command-line/commands.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let zone: AdZone;
let product: Product;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
});
beforeEach(async () => {
  seller = await server.signIn('seller');
  zone = await makeZone(seller, await makeWebsite(seller));
  product = await makeProduct(seller, zone, { price: '9.99' });
});
afterEach(async () => {
  await server.ctx.db.deleteFrom('settings').execute();
  await readSettings(server.ctx.db, server.ctx.config);
});

async function command(...words: string[]) {
  const { command: found, args } = commandOf(words);
  const options = { dryRun: false, reason: 'Agreed by mail' };
  return await found.run({ ctx: server.ctx, operator: { id: null }, args, options });
}
const feeOf = ({ commissionPercent, commissionAmount }: Ad) => [commissionPercent, commissionAmount];

describe('the commission of the marketplace', () => {
  // Proves OWNS-60
  it('is fixed into an ad when it is submitted', async () => {
    const before = await makeAd(buyer, product);
    expect(feeOf(before)).toEqual([15, '1.50']);
    await command('settings', 'set', 'COMMISSION', '7.25');
    const after = await makeAd(buyer, product);
    expect(feeOf(after)).toEqual([7.25, '0.72']);

    // The change stands between the submission and the approval of the first ad.
    expect(feeOf(await approve(seller, before))).toEqual([15, '1.50']);
    await pay(buyer, before);
    const { commissionCents } = await server.ctx.db
      .selectFrom('payments')
      .select('commissionCents')
      .where('adId', '=', before.id)
      .executeTakeFirstOrThrow();
    expect(commissionCents).toBe(150);
    const earned = await seller.get('/api/analytics/earnings');
    expect(earned.body).toMatchObject({ totalEarnings: '8.49' });
    await expect(
      server.owner.updateTable('ads').set({ commissionPercent: '1' }).where('id', '=', before.id).execute(),
    ).rejects.toThrow('the price and plan of an ad are fixed');
  });

  it('stands in every text that names it', async () => {
    const page = async () => (await server.anyone().get('/')).text;
    expect(await page()).toContain('"commissionPercent":15');
    await command('settings', 'set', 'COMMISSION', '10');
    const text = await page();
    expect(text).toContain('"commissionPercent":10');
    // The landing page is there only if the web application is built.
    if (text.includes('of every sale')) {
      expect(text).toContain('keep 90% of every sale');
      expect(text).not.toContain('85%');
      expect(text).not.toContain('%EARNED');
    }
    expect((await server.anyone().get('/api/marketplace')).body).toMatchObject({ commissionPercent: 10 });
    const ad = await approve(seller, await makeAd(buyer, product));
    await pay(buyer, ad);
    const mail = (await mailTo(server.ctx, seller.user.email)).find(({ text: body }) =>
      body.includes('You earn'),
    );
    expect(mail?.text).toContain('You earn $8.99.');
    expect(mail?.text).toContain('minus our 10% fee');
  });
});

describe('the commission of a publisher', () => {
  // Proves OWNS-60
  it('is agreed by a command, is an act, and ends with the word default', async () => {
    const { email } = seller.user;
    const env = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.ctx.config.dataDir };
    const set = await runOpenslot(
      ['publisher', 'commission', email, '5', '--reason', 'A large site', '--json'],
      env,
    );
    expect([set.code, JSON.parse(set.out)]).toEqual([
      0,
      { id: seller.user.id, name: email, commissionPercent: 5, source: 'publisher', dryRun: false },
    ]);
    expect(feeOf(await makeAd(buyer, product))).toEqual([5, '0.50']);
    expect((await seller.get('/api/payouts')).body).toMatchObject({ commissionPercent: 5 });
    // It stays when the marketplace changes, and other publishers have the marketplace's.
    await command('settings', 'set', 'COMMISSION', '20');
    expect(feeOf(await makeAd(buyer, product))).toEqual([5, '0.50']);
    const other = await server.signIn('seller');
    const elsewhere = await makeProduct(other, await makeZone(other, await makeWebsite(other)));
    expect(feeOf(await makeAd(buyer, elsewhere))).toEqual([20, '20.00']);

    const { lines } = await command('publisher', 'commission', email, 'default');
    expect(lines).toEqual([`New ads on the websites of ${email} have a commission of 20%, the default.`]);
    expect(feeOf(await makeAd(buyer, product))).toEqual([20, '2.00']);
    const acts = await server.ctx.db
      .selectFrom('operatorActs')
      .select(['reason', 'affectedId'])
      .where('act', '=', 'set-commission')
      .where('subjectId', '=', seller.user.id)
      .orderBy('id')
      .execute();
    expect(acts).toEqual([
      { reason: 'From 15% to 5%. A large site', affectedId: seller.user.id },
      { reason: 'From 5% to 20%. Agreed by mail', affectedId: seller.user.id },
    ]);
  });

  // Proves OWNS-60
  it('is refused if it is no percent, if nothing changes, or if there is no such account', async () => {
    const { email } = seller.user;
    for (const percent of ['50.01', '-1', 'all', ''])
      await expect(command('publisher', 'commission', email, percent)).rejects.toThrow(
        '--percent: Please enter a percentage from 0 to 50, such as 12.5, or the word default.',
      );
    await expect(command('publisher', 'commission', email, 'default')).rejects.toThrow(
      'This person has the default already.',
    );
    await expect(command('publisher', 'commission', 'nobody@x.test', '5')).rejects.toThrow('There is no');
  });

  // Proves OWNS-60
  it('is agreed on the page of the person', async () => {
    const operator = await makeOperator(server);
    await confirmOperator(server, operator);
    const path = `/operator/people/${seller.user.id}`;
    const commission = async () => (await operator.client.get(`/api${path}`)).body.commission;
    expect(await commission()).toEqual({ percent: 15, isOwn: false });
    const wrong = await sendAct(operator.client, `${path}/commission`, { percent: '60', reason: 'No' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Please enter a percentage'), issues: [{ path: 'percent' }] },
    });
    const saved = await sendAct(operator.client, `${path}/commission`, { percent: '8,5', reason: 'Yes' });
    expect(saved).toMatchObject({
      status: 200,
      body: { said: expect.stringContaining('a commission of 8.5%.'), next: null },
    });
    expect(await commission()).toEqual({ percent: 8.5, isOwn: true });
  });
});

describe('the lowest price', () => {
  const option = (more: object) => ({
    adZoneId: zone.id,
    adType: 'text',
    pricingModel: 'per_day',
    duration: 1,
    ...more,
  });
  const offered = async (more: object) => await seller.post('/api/ad-zone-products', option(more));

  // Proves OWNS-63
  it('is checked when an option is created or changed, and not when it is withdrawn', async () => {
    expect(await offered({ price: '0.49' })).toMatchObject({
      status: 400,
      body: { message: 'The price must be at least 0.50.' },
    });
    await command('settings', 'set', 'MINIMUM_PRICE', '12');
    expect((await server.anyone().get('/')).text).toContain('"minimumPriceCents":1200');
    expect(await offered({ price: '11.99' })).toMatchObject({
      status: 400,
      body: { message: 'The price must be at least 12.00.' },
    });
    expect(await offered({ price: '12.00' })).toMatchObject({ status: 201 });
    const volumePrices = [{ fromQuantity: 2, price: '11.99' }];
    expect(await offered({ price: '15.00', maxQuantity: 3, volumePrices })).toMatchObject({
      status: 400,
      body: { message: 'A lower price must be at least 12.00.' },
    });
    // The option of 9.99 was offered before.
    const change = async (body: object) => await seller.patch(`/api/ad-zone-products/${product.id}`, body);
    expect((await change({ price: '9.50' })).status).toBe(400);
    expect((await makeAd(buyer, product)).totalAmount).toBe('9.99');
    expect((await change({ isActive: false })).status).toBe(200);
    expect((await change({ isActive: true })).status).toBe(400);
    expect((await change({ isActive: true, price: '12.00' })).status).toBe(200);
  });

  // Proves OWNS-63
  it('has its counterpart in the largest charge of the card provider', async () => {
    const message = 'The largest purchase is above what can be charged to a card.';
    expect(await offered({ price: '999999.99' })).toMatchObject({ status: 201 });
    expect(await offered({ price: '1000000.00' })).toMatchObject({ status: 400, body: { message } });
    expect(await offered({ price: '500000.00', maxQuantity: 2 })).toMatchObject({
      status: 400,
      body: { message },
    });
  });
});
