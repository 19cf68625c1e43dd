/** The self-billing document of a publisher who agrees to it, over HTTP. */
import { beforeAll, expect, it } from 'vitest';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import { HOUR_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { makeEarned } from '#server/testing/money/payouts.ts';
import { textOfPdf } from '#server/testing/pdf.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { checkMoney } from '../books/check.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { makeMonthlyDocuments } from './months.ts';

const views = { pricingModel: 'per_impression', duration: null, impressions: 1000 };
const address = 'Hauptstraße 5\n50667 Köln';
const billing = { country: 'DE', address, agreesToSelfBilling: true };

const server = useOwnServer({
  start: new Date('2026-03-20T10:00:00Z'),
  env: {
    SELF_BILLING: 'on',
    SELLER_NAME: 'Slot Market GmbH',
    SELLER_LEGAL: 'HRB 4711',
  },
  taxTable: '{"default": "0.00", "DE": "19.00"}',
});
let buyer: Client;
beforeAll(async () => {
  buyer = await server.signIn('buyer');
  await buyer.patch('/api/user/settings', { country: 'US' });
});

const publisher = async (settings: object): Promise<Client> => {
  const client = await server.signIn('seller', { firstName: 'Pat', lastName: 'Porter' });
  expect((await client.patch('/api/user/settings', settings)).status).toBe(200);
  const { ad } = await makeLiveAd(client, buyer, { product: views });
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 300);
  return client;
};
const monthly = async (client: Client) =>
  ((await client.get('/api/documents?side=publisher')).body as DocumentItem[]).filter(
    ({ kind }) => kind !== 'statement',
  );
async function textsOf(client: Client, number: string, url = server.url): Promise<string[]> {
  const pdf = await fetch(`${url}/api/documents/${number}.pdf`, {
    headers: { cookie: client.cookie },
  });
  expect(pdf.status).toBe(200);
  const page = (await client.get(`/api/documents/${number}`)).text.replaceAll(/<[^>]*>/g, ' ');
  return [page, await textOfPdf(await pdf.arrayBuffer())].map((text) => text.replaceAll(/\s+/g, ' '));
}

// Proves OWNS-126, DOCU-05
it('takes the place of the commission note, once and with numbers of its own, where both sides agree', async () => {
  const taxed = await publisher({
    ...billing,
    taxStatus: 'business',
    chargesTax: true,
    taxId: 'DE123456789',
  });
  const small = await publisher({ ...billing, taxStatus: 'small_business' });
  const unwilling = await publisher({ country: 'DE', address, taxStatus: 'business' });
  server.clock.advance(2 * HOUR_MS);
  await accrueDue(server.ctx, { early: true });
  server.clock.set(new Date('2026-04-01T00:01:30Z'));
  await Promise.all([makeMonthlyDocuments(server.ctx), makeMonthlyDocuments(server.ctx)]);
  expect(await makeMonthlyDocuments(server.ctx)).toBe(0);

  const listed = await Promise.all([taxed, small, unwilling].map(monthly));
  // 300 of 1000 views of 100.00, of which the publisher earns 85 %.
  expect(listed).toMatchObject([
    [{ kind: 'self_billing', number: 'B-2026-000001', amount: '30.35' }],
    [{ kind: 'self_billing', number: 'B-2026-000002', amount: '25.50' }],
    [{ kind: 'commission_note', number: 'N-2026-000001', amount: '4.50' }],
  ]);
  for (const text of await textsOf(taxed, 'B-2026-000001')) {
    expect(text).toContain('Self-billing invoice B-2026-000001');
    expect(text).toContain('Self-billing (Gutschrift)');
    // 25.50 × 19 % = 4.85.
    for (const part of ['Net amount', '25.50', 'Tax (19%)', '4.85', 'Total earned with tax', '30.35'])
      expect(text).toContain(part);
    for (const part of ['Tax ID: DE123456789', 'HRB 4711']) expect(text).toContain(part);
    expect(text.indexOf('Pat Porter')).toBeLessThan(text.indexOf('Slot Market GmbH'));
    expect(text).not.toContain('charges no tax');
  }
  for (const text of await textsOf(small, 'B-2026-000002')) {
    expect(text).toContain('small business that charges no tax');
    expect(text).not.toContain('Net amount');
  }
  expect((await checkMoney(server.ctx)).differences).toEqual([]);
  expect((await buyer.get('/api/documents/B-2026-000001')).status).toBe(404);
});

// Proves OWNS-126
it('is not made while the operator does not offer it', async () => {
  const off = await untilTestEnds(startTestServer({ start: new Date('2026-03-30T10:00:00Z') }));
  const [client, payer] = [await off.signIn('seller'), await off.signIn('buyer')];
  const settings = await client.patch('/api/user/settings', { ...billing, taxStatus: 'small_business' });
  expect(settings).toMatchObject({ status: 200, body: { isSelfBillingOffered: false } });
  const { ad } = await makeLiveAd(client, payer, { product: views });
  await countAt(off.ctx, ad, off.ctx.now().toISOString(), 300);
  off.clock.advance(2 * HOUR_MS);
  await accrueDue(off.ctx, { early: true });
  off.clock.set(new Date('2026-04-01T00:01:30Z'));
  await makeMonthlyDocuments(off.ctx);
  expect(await monthly(client)).toMatchObject([{ kind: 'commission_note' }]);
});

// Proves OWNS-126
it('of a business in another country has no tax, and the sentence of the table about the reverse charge', async () => {
  const sentence = 'Reverse charge: the recipient owes the tax.';
  const abroad = await untilTestEnds(
    startTestServer({
      start: new Date('2026-03-20T10:00:00Z'),
      env: { SELF_BILLING: 'on', VIES: 'on', SELLER_NAME: 'Slot Market GmbH' },
      taxTable: JSON.stringify({
        version: 2,
        seller: 'DE',
        countries: { DE: { rate: '19.00' }, IT: { rate: '22.00', business: 'reverse_charge', sentence } },
        default: { rate: '0.00', reason: 'not_taxed', sentence: 'Not taxable in Germany.' },
      }),
    }),
  );
  const payer = await abroad.signIn('buyer');
  await payer.patch('/api/user/settings', { country: 'DE' });
  const supplier = async (settings: object): Promise<Client> => {
    const client = await abroad.signIn('seller', { firstName: 'Pat', lastName: 'Porter' });
    const stated = { address, agreesToSelfBilling: true, taxStatus: 'business', ...settings };
    expect(await client.patch('/api/user/settings', stated)).toMatchObject({ status: 200 });
    const { ad } = await makeLiveAd(client, payer, { product: views });
    await countAt(abroad.ctx, ad, abroad.ctx.now().toISOString(), 300);
    return client;
  };
  const italian = { country: 'IT', taxId: 'IT12345678901' };
  const suppliers = {
    charging: await supplier({ ...italian, chargesTax: true }),
    notCharging: await supplier(italian),
    refused: await supplier({ ...italian, taxId: 'IT30012345678' }),
    unnumbered: await supplier({ country: 'IT' }),
    small: await supplier({ country: 'IT', taxStatus: 'small_business' }),
    overseas: await supplier({ country: 'US', taxId: '12-3456789', chargesTax: true }),
    domestic: await supplier({ country: 'DE', taxId: 'DE123456789', chargesTax: true }),
  };
  // VIES was away, and refuses the number when it is asked again.
  await abroad.ctx.db
    .updateTable('taxIdChecks')
    .set({ result: 'refused', answeredAt: abroad.ctx.now(), nextTryAt: null })
    .where('number', '=', '30012345678')
    .execute();
  abroad.clock.advance(2 * HOUR_MS);
  await accrueDue(abroad.ctx, { early: true });
  abroad.clock.set(new Date('2026-04-01T00:01:30Z'));
  await makeMonthlyDocuments(abroad.ctx);

  const noTax = 'No tax is shown on this document.';
  const expected: Record<keyof typeof suppliers, { has: string[]; hasNot: string[] }> = {
    charging: { has: [sentence, '(0%)', 'Tax ID: IT12345678901'], hasNot: [noTax, '(22%)'] },
    notCharging: { has: [sentence, '(0%)'], hasNot: [noTax, 'charge no tax'] },
    refused: { has: [noTax], hasNot: [sentence, '(0%)'] },
    unnumbered: { has: [noTax], hasNot: [sentence] },
    small: { has: ['small business that charges no tax'], hasNot: [sentence, noTax] },
    overseas: { has: [noTax], hasNot: [sentence, 'Not taxable'] },
    domestic: { has: ['(19%)'], hasNot: [sentence, noTax] },
  };
  for (const [name, { has, hasNot }] of Object.entries(expected)) {
    const client = suppliers[name as keyof typeof suppliers];
    const [item] = await monthly(client);
    expect([name, item?.kind]).toEqual([name, 'self_billing']);
    for (const text of await textsOf(client, item?.number ?? '', abroad.url)) {
      for (const part of has) expect([name, text]).toEqual([name, expect.stringContaining(part)]);
      for (const part of hasNot) expect([name, text]).toEqual([name, expect.not.stringContaining(part)]);
    }
  }
  expect((await checkMoney(abroad.ctx)).differences).toEqual([]);
});

// Proves WARD-128
it('names and taxes a publisher who deletes the account before the month is over, and is then forgotten', async () => {
  server.clock.set(new Date('2026-05-10T10:00:00Z'));
  const client = await server.signIn('seller', { firstName: 'Lena', lastName: 'Weber' });
  const settings = { ...billing, taxStatus: 'business', chargesTax: true, taxId: 'DE123456789' };
  expect((await client.patch('/api/user/settings', settings)).status).toBe(200);
  await makeEarned(server, client, buyer, { price: '100.00' });
  expect((await client.delete('/api/user/account?waive=85.00')).status).toBe(200);
  const kept = async () =>
    await server.ctx.db
      .selectFrom('closingParties')
      .select('userId')
      .where('userId', '=', client.user.id)
      .execute();
  expect(await kept()).toHaveLength(1);
  server.clock.set(new Date('2026-06-01T00:01:30Z'));
  await makeMonthlyDocuments(server.ctx);
  const documents = await server.ctx.db
    .selectFrom('documents')
    .select(['kind', 'seller', 'taxCents', 'amountCents'])
    .where('userId', '=', client.user.id)
    .where('kind', '=', 'self_billing')
    .execute();
  expect(documents).toMatchObject([
    {
      seller: { name: 'Lena Weber', taxId: 'DE123456789', address, country: 'DE' },
      taxCents: 1357,
      amountCents: 8500,
    },
  ]);
  expect(await kept()).toEqual([]);
  expect((await checkMoney(server.ctx)).differences).toEqual([]);
});
