/** Tax numbers at the checkout and in the settings, checked at a stand-in for VIES. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { openPayment } from '../checkout/open-payment.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { makeApprovedAd } from '#server/testing/money/checkout.ts';
import { startViesServer } from '#server/testing/money/vies-server.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { pay } from '#server/testing/story.ts';
import { askAgain } from './ask-again.ts';
import { forgetTaxIds, openTaxIds, ownTaxIdChecks } from './list.ts';

const vies = useStarted(startViesServer);
const server = useOwnServer(() => ({
  env: { ...vies.env, VIES: 'on', SELLER_TAX_ID: 'DE 123 456 789', OPERATOR_MAIL: 'operator@example.test' },
}));
let seller: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
});
beforeEach(() => {
  vies.asked.length = 0;
  vies.outage = null;
  vies.isSilent = false;
  vies.unknown.clear();
});

const checksOf = async (client: Client) =>
  ((await client.post('/api/user/export-data')).body as { taxIdChecks: unknown[] }).taxIdChecks;
const begin = async (client: Client, ad: { publicId: string; totalAmount: string }, receiptFor?: object) =>
  await client.post('/api/create-payment-intent', {
    amount: ad.totalAmount,
    adPublicId: ad.publicId,
    ...(receiptFor && { receiptFor }),
  });
const sold = (taxId: string, country = 'IT') => ({ company: 'Rossi S.r.l.', country, taxId });

describe('a tax number at the checkout', () => {
  // Proves OWNS-122
  it('is confirmed by VIES once, with the identifier of the question', async () => {
    const buyer = await server.signIn('buyer');
    const ad = await makeApprovedAd(seller, buyer);
    expect((await begin(buyer, ad, sold('IT 123 456 789 01'))).status).toBe(200);
    expect((await begin(buyer, ad, sold('12345678901'))).status).toBe(200);
    expect((await begin(buyer, ad)).status).toBe(200);
    expect(vies.asked).toEqual([
      '/ms/IT/vat/12345678901?requesterMemberStateCode=DE&requesterNumber=123456789',
    ]);
    expect(await checksOf(buyer)).toEqual([
      {
        taxId: 'IT12345678901',
        result: 'confirmed',
        register: 'vies',
        requestId: 'WAPI1',
        askedAt: expect.any(String),
        answeredAt: expect.any(String),
      },
    ]);
    server.clock.advance(DAY_MS + MINUTE_MS);
    expect((await begin(buyer, ad, sold('12345678901'))).status).toBe(200);
    expect(vies.asked).toHaveLength(2);
  });

  // Proves OWNS-122
  it('is refused if VIES does not know it, or if it has not the form of its country', async () => {
    const buyer = await server.signIn('buyer');
    const ad = await makeApprovedAd(seller, buyer);
    vies.unknown.add('20000000000');
    const refusal = (message: string) => ({
      status: 400,
      body: { reason: 'tax_id', message: expect.stringContaining(message) },
    });
    expect(await begin(buyer, ad, sold('20000000000'))).toMatchObject(
      refusal('doesn’t know the tax number IT2'),
    );
    expect(await begin(buyer, ad, sold('2000'))).toMatchObject(refusal('doesn’t have the form'));
    expect((await buyer.patch('/api/user/settings', { country: 'IT' })).status).toBe(200);
    const elsewhere = { company: 'Rossi S.r.l.', taxId: '20000000000' };
    expect(await begin(buyer, ad, elsewhere)).toMatchObject(refusal('doesn’t know the tax number IT2'));
    expect(vies.asked).toHaveLength(2);
    const payments = await server.ctx.db
      .selectFrom('payments')
      .innerJoin('ads', 'ads.id', 'payments.adId')
      .where('ads.publicId', '=', ad.publicId)
      .execute();
    expect(payments).toEqual([]);
  });

  // Proves OWNS-122
  it('of a country outside of the EU, or a missing one, is not sent to VIES', async () => {
    const buyer = await server.signIn('buyer');
    const ad = await makeApprovedAd(seller, buyer);
    for (const receiptFor of [sold('anything', 'US'), sold('123456789', 'GB'), sold('', 'IT'), undefined])
      expect((await begin(buyer, ad, receiptFor)).status).toBe(200);
    expect(vies.asked).toEqual([]);
  });
});

// Proves OWNS-122
it('asks VIES when a number or its country changes in the billing details', async () => {
  const buyer = await server.signIn('buyer');
  vies.unknown.add('123456789');
  expect((await buyer.patch('/api/user/settings', { taxId: '123456789' })).status).toBe(200);
  const refused = await buyer.patch('/api/user/settings', { country: 'DE' });
  expect([refused.status, refused.body.reason]).toEqual([400, 'tax_id']);
  expect((await buyer.get('/api/user/settings')).body.country).toBeNull();
  vies.unknown.clear();
  expect((await buyer.patch('/api/user/settings', { country: 'DE' })).status).toBe(200);
  expect((await buyer.patch('/api/user/settings', { description: 'x' })).status).toBe(200);
  expect(vies.asked).toHaveLength(2);
});

describe('while VIES is away', () => {
  const resultsOf = async (client: Client) =>
    (await ownTaxIdChecks(server.ctx.db, client.user.id)).map(({ result }) => result);
  const operatorMails = async () =>
    (await mailTo(server.ctx, 'operator@example.test')).filter(({ subject }) => /tax number/.test(subject));

  // Proves OWNS-123
  it('accepts a number unconfirmed, and confirms it later without a mail', async () => {
    const buyer = await server.signIn('buyer');
    const ad = await makeApprovedAd(seller, buyer);
    vies.outage = 'MS_UNAVAILABLE';
    expect((await begin(buyer, ad, sold('30000000001'))).status).toBe(200);
    expect((await begin(buyer, ad, sold('30000000001'))).status).toBe(200);
    expect(vies.asked).toHaveLength(1);
    expect(await resultsOf(buyer)).toEqual(['unconfirmed']);
    expect(await openTaxIds(server.ctx)).toMatchObject([
      { number: '30000000001', result: 'unconfirmed', ads: [] },
    ]);

    expect(await askAgain(server.ctx)).toBe(0);
    expect(vies.asked).toHaveLength(1);
    server.clock.advance(6 * MINUTE_MS);
    expect(await askAgain(server.ctx)).toBe(0);
    expect(vies.asked).toHaveLength(2);
    vies.outage = null;
    server.clock.advance(11 * MINUTE_MS);
    expect(await askAgain(server.ctx)).toBe(1);
    expect(await resultsOf(buyer)).toEqual(['confirmed']);
    expect([await openTaxIds(server.ctx), await operatorMails()]).toEqual([[], []]);
  });

  // Proves OWNS-123
  it('mails the buyer and the operator once if VIES then refuses the number of a sale', async () => {
    const buyer = await server.signIn('buyer');
    const ad = await makeApprovedAd(seller, buyer);
    vies.isSilent = true;
    expect((await begin(buyer, ad, sold('20000000002'))).status).toBe(200);
    await pay(buyer, ad);
    vies.isSilent = false;
    vies.unknown.add('20000000002');
    server.clock.advance(6 * MINUTE_MS);
    const runs = await Promise.all([askAgain(server.ctx), askAgain(server.ctx)]);
    expect(runs[0] + runs[1]).toBe(1);
    expect(await resultsOf(buyer)).toEqual(['refused']);
    const [mail, ...more] = await operatorMails();
    expect([mail?.text.includes('IT20000000002'), mail?.text.includes(ad.publicId), more]).toEqual([
      true,
      true,
      [],
    ]);
    const own = (await mailTo(server.ctx, buyer.user.email)).filter(({ subject }) =>
      /not registered/.test(subject),
    );
    expect(own).toHaveLength(1);
    const { out } = await runOpenslot(['money', 'list', '--json'], {
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.ctx.config.dataDir,
    });
    expect(JSON.parse(out).taxIds).toMatchObject([
      { number: '20000000002', result: 'refused', ads: [ad.publicId], email: buyer.user.email },
    ]);
    const { client: operator } = await makeOperator(server);
    expect((await operator.get('/api/operator/money')).body.taxIds).toContainEqual(
      expect.objectContaining({
        taxId: 'IT20000000002',
        result: 'refused',
        userId: buyer.user.id,
        email: buyer.user.email,
        ads: [{ id: ad.id, title: ad.title }],
      }),
    );
    const file = (await operator.get(`/api/operator/people/${buyer.user.id}`)).body;
    expect(file.taxIds.at(-1)).toMatchObject({ taxId: 'IT20000000002', result: 'refused' });
    expect((await begin(buyer, await makeApprovedAd(seller, buyer), sold('20000000002'))).status).toBe(400);
  });

  // Proves OWNS-123
  it('asks later about the number of a payment that begins without its advertiser', async () => {
    const buyer = await server.signIn('buyer');
    const details = { country: 'DE', taxId: '555555555' };
    expect((await buyer.patch('/api/user/settings', details)).status).toBe(200);
    server.clock.advance(2 * DAY_MS);
    const ad = await makeApprovedAd(seller, buyer);
    const asked = vies.asked.length;
    // A saved card is charged by a job, in the same way.
    await server.ctx.db
      .transaction()
      .execute((tx) =>
        openPayment(
          server.ctx,
          tx,
          { userId: buyer.user.id, network: 'x' },
          { amount: ad.totalAmount, adPublicId: ad.publicId },
        ),
      );
    expect([vies.asked.length, await resultsOf(buyer)]).toEqual([asked, ['confirmed', 'unconfirmed']]);
    expect(await askAgain(server.ctx)).toBe(1);
    expect(await resultsOf(buyer)).toEqual(['confirmed', 'confirmed']);
    const { number } = await server.ctx.db
      .selectFrom('payments')
      .innerJoin('taxIdChecks as c', 'c.id', 'payments.taxIdCheckId')
      .innerJoin('ads', 'ads.id', 'payments.adId')
      .select('c.number')
      .where('ads.publicId', '=', ad.publicId)
      .executeTakeFirstOrThrow();
    expect(number).toBe('555555555');
  });

  // Proves OWNS-123
  it('sends nothing while everything outgoing is on hold', async () => {
    const buyer = await server.signIn('buyer');
    const hold = async (since: string | null) =>
      await sql`update outbound set held_since = ${since}::timestamptz`.execute(server.owner);
    await hold('2026-01-01T00:00:00Z');
    const change = { country: 'DE', taxId: '123456788' };
    expect((await buyer.patch('/api/user/settings', change)).status).toBe(200);
    expect([vies.asked, await resultsOf(buyer)]).toEqual([[], ['unconfirmed']]);
    await hold(null);
    server.clock.advance(6 * MINUTE_MS);
    expect(await askAgain(server.ctx)).toBe(1);
  });
});

it('forgets the checks of a deleted account, apart from those of sales', async () => {
  const buyer = await server.signIn('buyer');
  expect((await buyer.patch('/api/user/settings', { country: 'DE', taxId: '111111111' })).status).toBe(200);
  const { id } = buyer.user;
  const numbers = async () =>
    (await server.ctx.db.selectFrom('taxIdChecks').select('number').where('userId', '=', id).execute()).map(
      ({ number }) => number,
    );
  expect(await numbers()).toEqual(['111111111']);
  expect((await buyer.delete('/api/user/account')).status).toBe(200);
  expect(await numbers()).toEqual([]);

  const customer = await server.signIn('buyer');
  const ad = await makeApprovedAd(seller, customer);
  for (const number of ['11111111111', '22222222222'])
    expect((await begin(customer, ad, sold(number))).status).toBe(200);
  await pay(customer, ad);
  await server.ctx.db.transaction().execute((tx) => forgetTaxIds(tx, customer.user.id));
  expect(await ownTaxIdChecks(server.ctx.db, customer.user.id)).toMatchObject([{ taxId: 'IT22222222222' }]);
});

// Proves OWNS-122
it('calls nothing and checks no form with VIES off', async () => {
  const off = await untilTestEnds(startTestServer({ env: vies.env }));
  const buyer = await off.signIn('buyer');
  expect((await buyer.patch('/api/user/settings', { country: 'DE', taxId: 'DE 99' })).status).toBe(200);
  const ad = await makeApprovedAd(await off.signIn('seller'), buyer);
  expect((await begin(buyer, ad)).status).toBe(200);
  expect(vies.asked).toEqual([]);
});

// Proves OWNS-123
it('charges tax where a job pays under a number that VIES has refused since it was given', async () => {
  const italy = { rate: '22.00', business: 'reverse_charge', sentence: 'Reverse charge' };
  const market = await untilTestEnds(
    startTestServer({
      env: { ...vies.env, VIES: 'on' },
      taxTable: JSON.stringify({ version: 2, seller: 'DE', countries: { IT: italy } }),
    }),
  );
  const [publisher, buyer] = [await market.signIn('seller'), await market.signIn('buyer')];
  const reasonOfCharge = async (): Promise<string | null> => {
    const { publicId: adPublicId, totalAmount: amount } = await makeApprovedAd(publisher, buyer);
    const { id } = await market.ctx.db
      .transaction()
      .execute((tx) =>
        openPayment(market.ctx, tx, { userId: buyer.user.id, network: 'x' }, { amount, adPublicId }),
      );
    const { taxReason } = await market.ctx.db
      .selectFrom('payments')
      .select('taxReason')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return taxReason;
  };
  vies.outage = 'MS_UNAVAILABLE';
  const details = { country: 'IT', taxId: '20000000003' };
  expect((await buyer.patch('/api/user/settings', details)).status).toBe(200);
  expect(await reasonOfCharge()).toBe('reverse_charge');
  vies.outage = null;
  vies.unknown.add('20000000003');
  market.clock.advance(6 * MINUTE_MS);
  expect(await askAgain(market.ctx)).toBe(1);
  expect(await reasonOfCharge()).toBeNull();
  const ad = await makeApprovedAd(publisher, buyer);
  const consent = await buyer.post('/api/payment-consents', { limit: '500.00', ads: [ad.publicId] });
  expect([consent.status, consent.body.reason]).toEqual([400, 'tax_id']);
});
