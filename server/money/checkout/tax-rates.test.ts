/** A rate that changes at midnight in Berlin, and payments, refunds and consents around it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import type { Client } from '#server/testing/client.ts';
import { CARD, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { runMoneyWork } from '../books/run.ts';
import { chargeConsented } from '../consents/charge.ts';
import { checkDocuments } from '../documents/check.ts';
import { checkLedger } from '../ledger/check.ts';

/** 16 % from the first day of each month to the fifteenth, so that the clock of these tests never goes back. */
const LATER: [from: string, rate: string][] = [
  ...['07', '08', '09', '10'].flatMap((month): [string, string][] => [
    [`2027-${month}-01`, '16.00'],
    [`2027-${month}-15`, '19.00'],
  ]),
  ['2027-10-31', '17.00'],
  ['2027-11-01', '16.00'],
  ['2027-11-15', '19.00'],
  ['2027-12-01', '16.00'],
  ['2027-12-15', '18.00'],
  ['2028-01-01', '20.00'],
];
const TABLE = JSON.stringify({
  version: 2,
  seller: 'DE',
  countries: {
    DE: [{ rate: '19.00' }, ...LATER.map(([from, rate]) => ({ from, rate }))],
    // Italian businesses owe the tax themselves from 21 August, and again from the 27th.
    IT: [
      { rate: '22.00' },
      { from: '2027-08-21', business: 'reverse_charge', sentence: 'Reverse charge.' },
      { from: '2027-08-25', business: 'charge', sentence: null },
      { from: '2027-08-27', business: 'reverse_charge', sentence: 'Reverse charge.' },
    ],
  },
});

const server = useOwnServer({
  start: new Date('2027-06-29T10:00:00Z'),
  env: { BUSINESS_TIME_ZONE: 'Europe/Berlin' },
  taxTable: TABLE,
});
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
});
beforeEach(async () => {
  buyer = await server.signIn('buyer');
});

const at = (instant: string) => server.clock.set(new Date(instant));
const approved = async () => await makeApprovedAd(seller, buyer, { product: { price: '119.00' } });
const german = { company: 'Brot & Rad', country: 'DE' };
async function begin(ad: Ad, receiptFor: object | null = german): Promise<string> {
  const { status, body } = await buyer.post('/api/create-payment-intent', {
    amount: ad.totalAmount,
    adPublicId: ad.publicId,
    receiptFor,
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.clientSecret;
}
async function charge(clientSecret: string): Promise<string> {
  const { body } = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
  return body.paymentIntentId;
}
const report = async (paymentIntentId: string) =>
  (await buyer.post('/api/payment-success', { paymentIntentId })).status;
async function payFor(ad: Ad): Promise<void> {
  expect(await report(await charge(await begin(ad)))).toBe(200);
}
const priceOf = async (ad: Ad) => (await buyer.get(`/api/ads/${ad.publicId}/price?country=DE`)).body;
const documents = async (): Promise<DocumentItem[]> => (await buyer.get('/api/documents')).body;
const pageOf = async (number: string) => (await buyer.get(`/api/documents/${number}`)).text;
async function refund(ad: Ad, amount?: string): Promise<void> {
  const { command, args } = commandOf(['money', 'refund', ad.publicId]);
  const options = { dryRun: false, reason: 'Late', ...(amount && { amount }) };
  await command.run({ ctx: server.ctx, operator: { id: null }, args, options });
  await runMoneyWork(server.ctx);
}
async function expectSound(): Promise<void> {
  expect(await checkLedger(server.ctx.db)).toEqual([]);
  expect(await checkDocuments(server.ctx.db)).toEqual([]);
}

describe('a rate that changes at midnight in Berlin', () => {
  // Proves OWNS-132
  it('is the new one for a charge in the minute after midnight, and the old one in the minute before', async () => {
    const [before, after] = [await approved(), await approved()];
    at('2027-06-30T21:59:00Z');
    await payFor(before);
    at('2027-06-30T22:00:00Z');
    expect(await priceOf(after)).toMatchObject({ price: '119.00', tax: '16.41', taxRate: '16.00' });
    await payFor(after);
    expect(await documents()).toMatchObject([
      { date: '2027-07-01', taxRate: '16.00', tax: '16.41', net: '102.59', amount: '119.00' },
      { date: '2027-06-30', taxRate: '19.00', tax: '19.00', net: '100.00', amount: '119.00' },
    ]);
    await expectSound();
  });

  // Proves OWNS-132
  it('is that of the charge for an intent that was begun before, and a partial refund reverses it', async () => {
    at('2027-07-31T12:00:00Z');
    const ad = await approved();
    const clientSecret = await begin(ad);
    expect(await priceOf(ad)).toMatchObject({ tax: '19.00', earnings: '85.00' });
    at('2027-08-01T08:00:00Z');
    expect(await report(await charge(clientSecret))).toBe(200);
    // 15 % of 102.59 are 15.39.
    expect((await buyer.get(`/api/ads/${ad.publicId}/ledger`)).body).toMatchObject({
      price: '119.00',
      tax: '16.41',
      taxRate: '16.00',
      fee: '15.39',
      earnings: '87.20',
    });
    await refund(ad, '10.00');
    const [note, receipt] = await documents();
    expect(receipt).toMatchObject({ tax: '16.41', taxRate: '16.00' });
    expect(note).toMatchObject({ amount: '-10.00', tax: '-1.38', taxRate: '16.00' });
    await expectSound();
  });

  // Proves BOOK-241
  it.each([
    ['from a charge to the reverse charge', '08-20', { rate: '0.00', tax: '0.00' }],
    ['from the reverse charge to a charge', '08-24', { rate: '22.00', tax: '21.46' }],
  ])('changes the kind, too: %s', async (_, day, { rate, tax }) => {
    at(`2027-${day}T12:00:00Z`);
    const [business, consumer] = [await approved(), await approved()];
    const number = { company: 'Pane', country: 'IT', taxId: 'IT12345678901' };
    const secrets = [await begin(business, number), await begin(consumer, { country: 'IT' })];
    server.clock.advance(12 * 3_600_000);
    for (const secret of secrets) expect(await report(await charge(secret))).toBe(200);
    const [ofConsumer, ofBusiness] = await documents();
    expect(ofConsumer).toMatchObject({ taxRate: '22.00', tax: '21.46', amount: '119.00' });
    expect(ofBusiness).toMatchObject({ taxRate: rate, tax, amount: '119.00' });
    expect((await pageOf(ofBusiness!.number)).includes('Reverse charge.')).toBe(rate === '0.00');
    await expectSound();
  });

  // Proves BOOK-241
  it('is that of everybody for a business that has removed its tax number before the charge', async () => {
    at('2027-08-27T12:00:00Z');
    const settings = async (taxId: string) =>
      await buyer.patch('/api/user/settings', { country: 'IT', taxId });
    expect((await settings('IT12345678901')).status).toBe(200);
    const ad = await approved();
    const secret = await begin(ad, null);
    expect((await settings('')).status).toBe(200);
    expect(await report(await charge(secret))).toBe(200);
    expect(await documents()).toMatchObject([{ taxRate: '22.00', tax: '21.46' }]);
    await expectSound();
  });

  // Proves OWNS-132
  it('is agreed anew, with the same intent, when the advertiser opens the checkout after the change', async () => {
    at('2027-08-31T12:00:00Z');
    const ad = await approved();
    const clientSecret = await begin(ad);
    at('2027-09-01T08:00:00Z');
    expect(await begin(ad)).toBe(clientSecret);
    const { taxCents } = await server.ctx.db
      .selectFrom('payments')
      .select('taxCents')
      .where('adId', '=', ad.id)
      .executeTakeFirstOrThrow();
    expect(taxCents).toBe(1641);
    await charge(clientSecret);
  });

  // Proves OWNS-132
  it('is the old one for a charge before midnight that the server hears of later, and the receipt has that day', async () => {
    at('2027-09-30T21:59:30Z');
    const ad = await approved();
    const intent = await charge(await begin(ad));
    at('2027-09-30T22:00:30Z');
    expect(await report(intent)).toBe(200);
    const [receipt] = await documents();
    expect(receipt).toMatchObject({ date: '2027-10-01', taxRate: '19.00' });
    expect(await pageOf(receipt!.number)).toMatch(/Issued<\/dt><dd>Oct 1, 2027.*Paid<\/dt><dd>Sep 30, 2027/s);
    await expectSound();
  });

  // Proves OWNS-132
  it('changes at midnight also on the day on which clocks change', async () => {
    const ad = await approved();
    const rates: string[] = [];
    // Berlin is two hours before UTC until 3:00 on 31 October 2027, and one hour after it.
    for (const instant of [
      '2027-10-30T21:59:30Z',
      '2027-10-30T22:00:30Z',
      '2027-10-31T22:30:00Z',
      '2027-10-31T23:00:30Z',
    ]) {
      at(instant);
      rates.push((await priceOf(ad)).taxRate);
    }
    expect(rates).toEqual(['19.00', '17.00', '17.00', '16.00']);
  });

  // Proves OWNS-132
  it('is that of the charge for money that comes too late, and all of it goes back', async () => {
    at('2027-10-31T12:00:00Z');
    const ad = await approved();
    const clientSecret = await begin(ad);
    await server.ctx.db
      .updateTable('payments')
      .set({ status: 'canceled' })
      .where('adId', '=', ad.id)
      .execute();
    at('2027-11-01T08:00:00Z');
    await report(await charge(clientSecret));
    await runMoneyWork(server.ctx);
    expect(await documents()).toMatchObject([
      { kind: 'credit_note', amount: '-119.00', tax: '-16.41', taxRate: '16.00' },
      { kind: 'receipt', amount: '119.00', tax: '16.41', taxRate: '16.00' },
    ]);
    await expectSound();
  });

  // Proves OWNS-132
  it('is that of the charge for an ad that a consent pays later', async () => {
    at('2027-11-30T12:00:00Z');
    await buyer.patch('/api/user/settings', { country: 'DE' });
    const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), {
      price: '119.00',
    });
    const ad = await makeAd(buyer, product);
    const { body } = await buyer.post('/api/payment-consents', { limit: '119.00', ads: [ad.publicId] });
    await buyer.post('/api/sandbox/confirm', { clientSecret: body.clientSecret, ...CARD });
    expect((await buyer.post(`/api/payment-consents/${body.id}/confirm`)).body.state).toBe('active');
    at('2027-12-01T08:00:00Z');
    await approve(seller, ad);
    await chargeConsented(server.ctx, ad.id);
    expect(await documents()).toMatchObject([{ kind: 'receipt', tax: '16.41', taxRate: '16.00' }]);
  });
});

// Proves OWNS-132
it('stays that of the receipt on a credit note of the next year, whatever rate and name there are now', async () => {
  at('2027-12-31T22:30:00Z');
  expect((await buyer.patch('/api/user/settings', { country: 'DE', businessName: 'Old Name' })).status).toBe(
    200,
  );
  const ad = await approved();
  expect(await report(await charge(await begin(ad, null)))).toBe(200);
  at('2027-12-31T23:30:00Z');
  expect((await buyer.patch('/api/user/settings', { businessName: 'New Name' })).status).toBe(200);
  await refund(ad);
  const [note, receipt] = await documents();
  expect(receipt).toMatchObject({ date: '2027-12-31', taxRate: '18.00', tax: '18.15' });
  expect(receipt!.number).toMatch(/^R-2027-/);
  expect(note).toMatchObject({ date: '2028-01-01', taxRate: '18.00', tax: '-18.15', amount: '-119.00' });
  expect(note!.number).toBe('C-2028-000001');
  const page = await pageOf(note!.number);
  expect(page).toContain(receipt!.number);
  expect(page).toMatch(/Paid<\/dt><dd>Dec 31, 2027/);
  expect(page).toContain('New Name');
  expect(await pageOf(receipt!.number)).toContain('Old Name');
  expect(await priceOf(await approved())).toMatchObject({ taxRate: '20.00' });
  await expectSound();
});
