/** Tax as a liability: from the checkout to refunds, disputes, documents and the books. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { centsOf } from '#domain/money.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { DAY_MS } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { readSettings } from '#server/platform/database/settings.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { CARD, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { checkDocuments } from '../documents/check.ts';
import { checkLedger } from '../ledger/check.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { runMoneyWork } from '../books/run.ts';

const TABLE = `{"version": 2, "seller": "DE", "countries": {
  "DE": {"rate": "19.00"},
  "CH": {"rate": "8.10"},
  "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge: the recipient owes the tax."}},
  "default": {"rate": "0.00", "reason": "not_taxed", "sentence": "Not taxable in Germany."}}`;

let seller: Client;
let buyer: Client;
const server = useOwnServer({
  start: new Date('2026-03-02T00:00:00Z'),
  taxTable: TABLE,
});

beforeEach(async () => {
  await server.ctx.db.deleteFrom('settings').execute();
  await readSettings(server.ctx.db, server.ctx.config);
  server.ctx.config.taxTable = parseTaxTable(TABLE);
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
});

async function command(...words: string[]) {
  const { command: found, args } = commandOf(words);
  const options = { dryRun: false, reason: 'March' };
  return (await found.run({ ctx: server.ctx, operator: { id: null }, args, options })).json;
}
const approved = async (price: string, product: object = {}) =>
  await makeApprovedAd(seller, buyer, { product: { price, ...product } });
const begin = async (ad: Ad, receiptFor?: object | null) =>
  await buyer.post('/api/create-payment-intent', {
    amount: ad.totalAmount,
    adPublicId: ad.publicId,
    ...(receiptFor !== undefined && { receiptFor }),
  });
async function payFor(ad: Ad, receiptFor: object): Promise<void> {
  const { body, status } = await begin(ad, receiptFor);
  expect({ status, body }).toMatchObject({ status: 200 });
  await confirm(body.clientSecret);
}
async function confirm(clientSecret: string): Promise<void> {
  const paid = await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
  const { status } = await buyer.post('/api/payment-success', {
    paymentIntentId: paid.body.paymentIntentId,
  });
  expect(status).toBe(200);
}
const ledger = async (client: Client, ad: Ad) => (await client.get(`/api/ads/${ad.publicId}/ledger`)).body;
const price = async (ad: Ad, query = '') => (await buyer.get(`/api/ads/${ad.publicId}/price${query}`)).body;
async function deliver(ad: Ad): Promise<void> {
  const end = new Date(server.ctx.now().getTime() + 2 * DAY_MS);
  await sql`insert into delivery_hourly (hour, zone_id, kind, reason, n)
    select date_trunc('hour', ${new Date(ad.startDate ?? server.ctx.now())}::timestamptz) + h * interval '1 hour', ${ad.adZoneId},
        'decision', '', 1 from generate_series(0, 40) as h on conflict do nothing`.execute(server.ctx.db);
  server.clock.advance(2 * DAY_MS);
  await completeDueAds(server.ctx, end);
  await accrueDue(server.ctx, { early: true });
}
/** The balances of an ad's entries by kind of account; credits positive. */
async function bookedFor(ad: Ad): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; cents: string }>`
    select a.kind, -sum(p.amount_cents) as cents from ledger_tx t
      join ledger_postings p on p.tx_id = t.id join ledger_accounts a on a.id = p.account_id
      where t.ad_id = ${ad.id} group by 1 having sum(p.amount_cents) <> 0 order by 1`.execute(server.ctx.db);
  return Object.fromEntries(rows.map(({ kind, cents }) => [kind, Number(cents)]));
}
const documents = async (client = buyer): Promise<DocumentItem[]> =>
  (await client.get('/api/documents')).body;
async function expectSound(): Promise<void> {
  expect(await checkLedger(server.ctx.db)).toEqual([]);
  expect(await checkDocuments(server.ctx.db)).toEqual([]);
}

describe('a sale', () => {
  // Proves OWNS-65, OWNS-67, OWNS-68
  it('in Germany of 119.00 owes 19.00 to the state, and earns 85.00 and 15.00', async () => {
    const ad = await approved('119.00');
    expect(await price(ad, '?country=DE')).toEqual({
      price: '119.00',
      net: '100.00',
      tax: '19.00',
      taxRate: '19.00',
      taxCountry: 'DE',
      taxReason: null,
      sentence: null,
      fee: '15.00',
      commissionPercent: 15,
      earnings: '85.00',
      cancelFee: '0.00',
      cancelSentence: null,
    });
    await payFor(ad, { company: 'Brot & Rad', country: 'DE', taxId: 'DE123456789' });
    expect(await bookedFor(ad)).toMatchObject({
      deferred_publisher: 8500,
      deferred_commission: 3400,
      tax_deferred: -1900,
      tax_payable: 1900,
    });
    const mail = (await mailTo(server.ctx, seller.user.email)).find(({ text }) => text.includes('You earn'));
    expect(mail?.text).toContain('You earn $85.00.');
    expect(mail?.text).toContain('minus the tax of $19.00 and our 15% fee');

    await deliver(ad);
    expect(await bookedFor(ad)).toMatchObject({
      publisher_payable: 8500,
      commission: 1500,
      tax_payable: 1900,
    });
    expect(await bookedFor(ad)).not.toHaveProperty('tax_deferred');
    const parts = {
      price: '119.00',
      net: '100.00',
      tax: '19.00',
      taxRate: '19.00',
      fee: '15.00',
      earnings: '85.00',
    };
    expect(await ledger(buyer, ad)).toMatchObject({ ...parts, total: '119.00', earned: '119.00' });
    const sold = await ledger(seller, ad);
    expect(sold).toMatchObject({ ...parts, total: '85.00', earned: '85.00' });
    expect(sold.entries[0]).toMatchObject({ kind: 'paid', formula: '119.00 − 19.00 − 15.00' });
    expect((await buyer.get(`/api/ads/${ad.publicId}/details`)).body).toMatchObject({
      commissionAmount: '15.00',
    });
    expect(await price(ad, '?country=IT')).toMatchObject({ tax: '19.00', taxCountry: 'DE' });
    expect(await documents()).toMatchObject([
      { amount: '119.00', net: '100.00', tax: '19.00', taxRate: '19.00', country: 'DE', taxReason: null },
    ]);
    await expectSound();
  });

  // Proves OWNS-64, OWNS-68
  it('to an Italian business is reverse charge, and to the United States not taxed', async () => {
    const italian = await approved('119.00');
    const query = '?country=IT&taxId=IT12345678901';
    const reversed = {
      net: '119.00',
      tax: '0.00',
      taxRate: '0.00',
      taxReason: 'reverse_charge',
      fee: '17.85',
      earnings: '101.15',
    };
    expect(await price(italian, query)).toMatchObject({
      ...reversed,
      sentence: 'Reverse charge: the recipient owes the tax.',
    });
    expect(await price(italian, '?country=IT')).toMatchObject({
      tax: '21.46',
      net: '97.54',
      taxReason: null,
    });
    await payFor(italian, { company: 'Pane', country: 'IT', taxId: 'IT12345678901' });
    expect(await bookedFor(italian)).toMatchObject({ deferred_publisher: 10_115, deferred_commission: 1785 });
    const [receipt] = await documents();
    expect(receipt).toMatchObject({ tax: '0.00', net: '119.00', country: 'IT', taxReason: 'reverse_charge' });
    expect((await buyer.get(`/api/documents/${receipt!.number}`)).text).toContain(
      'Reverse charge: the recipient owes the tax.',
    );
    const american = await approved('119.00');
    await payFor(american, { country: 'US' });
    expect(await ledger(buyer, american)).toMatchObject({
      tax: '0.00',
      net: '119.00',
      fee: '17.85',
      earnings: '101.15',
    });
    expect((await documents())[0]).toMatchObject({ country: 'US', taxReason: 'not_taxed', tax: '0.00' });
    await expectSound();
  });

  // Proves OWNS-65
  it('with the split gross pays the tax out of the fee', async () => {
    await command('settings', 'set', 'TAX_SPLIT', 'gross');
    const ad = await approved('119.00');
    await payFor(ad, { country: 'DE' });
    await deliver(ad);
    expect(await ledger(buyer, ad)).toMatchObject({
      net: '100.00',
      tax: '19.00',
      fee: '17.85',
      earnings: '101.15',
    });
    // The marketplace bears 1.15.
    expect(await bookedFor(ad)).toMatchObject({
      publisher_payable: 10_115,
      commission: -115,
      tax_payable: 1900,
    });
    await expectSound();
  });
});

describe('the checkout', () => {
  // Proves OWNS-64, OWNS-122
  it('requires the country and a number of its form', async () => {
    const ad = await approved('10.00');
    expect(await begin(ad)).toMatchObject({ status: 400, body: { reason: 'country' } });
    expect(await begin(ad, { company: 'A' })).toMatchObject({ status: 400, body: { reason: 'country' } });
    expect(await price(ad)).toMatchObject({ reason: 'country' });
    for (const taxId of ['DE12', 'IT12345678901'])
      expect(await begin(ad, { country: 'DE', taxId })).toMatchObject({
        status: 400,
        body: { reason: 'tax_id' },
      });
    expect(await buyer.patch('/api/user/settings', { country: 'DE', taxId: 'DE12' })).toMatchObject({
      status: 400,
      body: { reason: 'tax_id' },
    });
    expect((await buyer.patch('/api/user/settings', { country: 'DE', taxId: 'DE 123 456 789' })).status).toBe(
      200,
    );
    expect((await begin(ad)).status).toBe(200);
    expect(await price(ad)).toMatchObject({ taxCountry: 'DE' });
    expect(
      (await (await server.signIn('buyer')).get(`/api/ads/${ad.publicId}/price?country=DE`)).status,
    ).toBe(404);
    expect((await seller.get(`/api/ads/${ad.publicId}/price?country=DE`)).body).toMatchObject({
      tax: '1.60',
    });
  });

  // Proves OWNS-65
  it('keeps the rate of the charge, also if the table changes before the refund', async () => {
    const ad = await approved('119.00');
    const { body } = await begin(ad, { country: 'DE' });
    server.ctx.config.taxTable = parseTaxTable(TABLE.replace('19.00', '7.00'));
    expect((await begin(ad, { country: 'DE' })).body.clientSecret).toBe(body.clientSecret);
    server.ctx.config.taxTable = parseTaxTable(TABLE);
    await confirm(body.clientSecret);
    expect(await ledger(buyer, ad)).toMatchObject({ tax: '19.00', taxRate: '19.00' });
    server.ctx.config.taxTable = null;
    await command('money', 'refund', ad.publicId);
    await runMoneyWork(server.ctx);
    expect(await documents()).toMatchObject([
      { tax: expect.stringMatching(/^-?19\.00$/), taxRate: '19.00' },
      { tax: '19.00' },
    ]);
    expect(await bookedFor(ad)).not.toHaveProperty('tax_payable');
    await expectSound();
  });

  // Proves OWNS-65
  it('agrees another tax with the same intent when the advertiser gives another country', async () => {
    const ad = await approved('119.00');
    const { body } = await begin(ad, { country: 'DE' });
    expect((await begin(ad, { country: 'IT', taxId: '12345678901' })).body.clientSecret).toBe(
      body.clientSecret,
    );
    await confirm(body.clientSecret);
    expect(await ledger(buyer, ad)).toMatchObject({ tax: '0.00', earnings: '101.15' });
    await expect(
      sql`update payments set tax_cents = 1 where ad_id = ${ad.id}`.execute(server.owner),
    ).rejects.toThrow('what a payment is for is fixed');
  });
});

describe('a refund', () => {
  // Proves OWNS-67
  it('gives back the tax inside the refunded sum, in any number of parts', async () => {
    const ad = await approved('10.01', { duration: 7 });
    await payFor(ad, { country: 'CH' });
    let back = 0;
    for (const amount of ['0.01', '1.11', '0.05', '2.22', '3.33']) {
      const { command: found, args } = commandOf(['money', 'refund', ad.publicId]);
      const options = { dryRun: false, reason: 'Late', amount };
      await found.run({ ctx: server.ctx, operator: { id: null }, args, options });
      back += centsOf(amount);
      await runMoneyWork(server.ctx);
      const owed = (await bookedFor(ad))['tax_payable'];
      expect(owed).toBe(75 - Math.round((back * 8.1) / 108.1));
      const sum = (await documents()).reduce(
        (total, each) =>
          total +
          (each.kind === 'credit_note' ? -1 : 1) * Math.abs(centsOf((each.tax ?? '0').replace('-', ''))),
        0,
      );
      expect(sum).toBe(owed);
      await expectSound();
    }
    const { refundAmount } = (await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
    expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
    await runMoneyWork(server.ctx);
    expect(await bookedFor(ad)).not.toHaveProperty('tax_payable');
    expect(await bookedFor(ad)).not.toHaveProperty('tax_deferred');
    await expectSound();
  });

  // Proves OWNS-80
  it('of a canceled campaign stays owed for the fee that is kept, and no more of it', async () => {
    await command('settings', 'set', 'CANCEL_FEE', 'buyer');
    const ad = await approved('119.00');
    await payFor(ad, { country: 'DE' });
    const { refundAmount } = (await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
    // The sandbox takes 2.9 % of the price with tax, and 30 cents.
    expect(refundAmount).toBe('115.25');
    expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
    await runMoneyWork(server.ctx);
    const booked = await bookedFor(ad);
    // 19 % inside 3.75 are 0.60, which the operator owes out of what was kept.
    expect(booked).toMatchObject({ cancel_fees: 375, tax_payable: 60, commission: -60 });
    expect(booked).not.toHaveProperty('tax_deferred');
    expect(booked).not.toHaveProperty('deferred_publisher');
    expect(booked).not.toHaveProperty('deferred_commission');
    await expectSound();
  });
});

describe('the books', () => {
  // Proves OWNS-69
  it('show the tax that is owed by country and rate, and what was paid of it', async () => {
    const ad = await approved('119.00');
    await payFor(ad, { country: 'DE' });
    type Owed = { country: string; rate: string; amount: string };
    const owedTo = async (country: string) =>
      ((await command('money', 'books')) as { taxOwed: Owed[] }).taxOwed.find(
        (each) => each.country === country,
      );
    const before = await owedTo('DE');
    expect(before?.rate).toBe('19.00');
    const amount = centsOf(before!.amount);
    expect(amount).toBeGreaterThanOrEqual(1900);
    await expect(command('money', 'tax-paid', 'DE', '19.00', '999999.00')).rejects.toThrow(
      'of tax is owed to DE',
    );
    for (const wrong of [
      ['XX', '19.00', '1.00'],
      ['DE', 'x', '1.00'],
      ['DE', '19.00', '0'],
      ['DE', '19.00'],
    ])
      await expect(command('money', 'tax-paid', ...wrong)).rejects.toThrow('Please');
    expect(await command('money', 'tax-paid', 'DE', '19', '10.00')).toMatchObject({
      country: 'DE',
      rate: '19.00',
      amount: '10.00',
    });
    expect(centsOf((await owedTo('DE'))!.amount)).toBe(amount - 1000);
    const overview = (await command('overview')) as { taxOwed: string };
    const { taxOwed } = (await command('money', 'books')) as { taxOwed: Owed[] };
    expect(centsOf(overview.taxOwed)).toBe(taxOwed.reduce((sum, each) => sum + centsOf(each.amount), 0));
    const acts = await server.ctx.db
      .selectFrom('operatorActs')
      .select(['act', 'subjectName', 'reason'])
      .where('act', '=', 'pay-tax')
      .execute();
    expect(acts).toEqual([{ act: 'pay-tax', subjectName: 'DE 19.00%', reason: '10.00 USD. March' }]);
    await expectSound();
  });
});
