/** The tax of self-billing documents, cent by cent: document, ledger, books, export and payout. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import type { PublisherTax } from '#domain/payments/input-tax.ts';
import type { Statement } from '#domain/payments/statement-contract.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { openslot } from '#server/testing/money/bank.ts';
import {
  balanceOf,
  expectSound,
  intentOf,
  payOut,
  transfersOf,
} from '#server/testing/money/payout-market.ts';
import { makeEarned, onboard, waitDays } from '#server/testing/money/payouts.ts';
import { writeJournal } from '#server/testing/money/journal.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { putInForce } from '#server/testing/operator.ts';
import { textOfPdf } from '#server/testing/pdf.ts';
import { confirmOperator, makeOperator, sendAct } from '#server/testing/operator.ts';
import { outputOf, readerIsHere } from '#server/testing/programs/readers.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { IS_LONG } from '#server/testing/tier.ts';
import { readBooks } from '../books/books.ts';
import { checkMoney } from '../books/check.ts';
import { exportBooks } from '../books/export/export.ts';
import { bookTaxPaid } from '../books/pay-tax.ts';
import type { Entry } from '#domain/payments/ledger.ts';
import { post } from '../ledger/post.ts';
import { taxAccountOf } from '../ledger/tax.ts';
import { checkPayments } from '../events/check-payments.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { runPayouts } from '../payouts/run.ts';
import { makeMonthlyDocuments } from './months.ts';

const TABLE = `{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"},
  "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge."}}}`;
const address = 'Hauptstraße 5\n50667 Köln';
const german = { country: 'DE', address, agreesToSelfBilling: true };
const TAXED = { ...german, taxStatus: 'business', chargesTax: true, taxId: 'DE123456789' };
const SMALL = { ...german, taxStatus: 'small_business', chargesTax: false, taxId: '' };
const ITALIAN = { ...german, country: 'IT', taxStatus: 'business', taxId: 'IT12345678901' };

const beanCheck = await readerIsHere('beanCheck');
const hledger = await readerIsHere('hledger');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-input-tax-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const settingsOf = (publisherTax: PublisherTax) => ({
  start: new Date('2026-03-02T10:00:00Z'),
  env: { SELF_BILLING: 'on', PUBLISHER_TAX: publisherTax, SELLER_NAME: 'Slot Market GmbH' },
  taxTable: TABLE,
});

async function publisherOf(server: TestServer, settings: object): Promise<Client> {
  const client = await server.signIn('seller', { firstName: 'Pat', lastName: 'Porter' });
  expect((await client.patch('/api/user/settings', settings)).status).toBe(200);
  await onboard(server.ctx, client.user.id);
  return client;
}

async function germanBuyer(server: TestServer): Promise<Client> {
  const buyer = await server.signIn('buyer');
  await buyer.patch('/api/user/settings', { country: 'DE' });
  return buyer;
}

/** The month is over, and its documents are made. */
async function closeMonth(server: TestServer, next: string): Promise<void> {
  server.clock.set(new Date(`${next}-01T00:01:30Z`));
  await makeMonthlyDocuments(server.ctx);
}

const documentsOf = async (client: Client) =>
  ((await client.get('/api/documents?side=publisher')).body as DocumentItem[])
    .filter(({ kind }) => kind === 'self_billing')
    .map(({ amount }) => amount);

/** The cents on all accounts of each kind, of those that may change by these entries. */
async function sumsOf(server: TestServer, kinds: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; cents: string }>`
    select a.kind, sum(p.amount_cents) as cents from ledger_accounts a join ledger_postings p on p.account_id = a.id
      where a.kind = any(${kinds}) group by 1`.execute(server.ctx.db);
  return Object.fromEntries(rows.map(({ kind, cents }) => [kind, Number(cents)]));
}

async function lose(server: TestServer, ad: Ad): Promise<void> {
  const { play } = sandboxOf(server);
  await play.dispute(await intentOf(server, ad), 'dispute');
  await checkPayments(server.ctx);
  await play.closeDispute(await intentOf(server, ad), 'lost');
  await checkPayments(server.ctx);
}

const lines = (file: string) => readFileSync(file, 'utf8').replace('\uFEFF', '').trimEnd().split('\r\n');

describe.each([
  {
    paid: 'on_top' as const,
    gross: '101.15',
    net: '85.00',
    tax: '16.15',
    sums: { input_tax: 1615, publisher_payable: -27_115, tax_payable: -5700, commission: -4500 },
    owed: { publishers: 27_115, tax: 4085 },
    added: '16.15',
    returned: '2026-04,DE,19.00,0.00,0.00,85.00,16.15,-16.15,USD',
  },
  {
    paid: 'included' as const,
    gross: '85.00',
    net: '71.43',
    tax: '13.57',
    sums: { input_tax: 1357, publisher_payable: -25_500, tax_payable: -5700, commission: -5857 },
    owed: { publishers: 25_500, tax: 4343 },
    added: '0.00',
    returned: '2026-04,DE,19.00,0.00,0.00,71.43,13.57,-13.57,USD',
  },
])('a German sale of 119.00 with the tax $paid', ({ paid, gross, net, tax, sums, owed, added, returned }) => {
  const server = useOwnServer(() => settingsOf(paid));
  let taxed: Client, small: Client, italian: Client;
  beforeAll(async () => {
    const buyer = await germanBuyer(server);
    taxed = await publisherOf(server, TAXED);
    small = await publisherOf(server, SMALL);
    italian = await publisherOf(server, ITALIAN);
    for (const seller of [taxed, small, italian])
      await makeEarned(server, seller, buyer, { price: '119.00' });
    await closeMonth(server, '2026-04');
  });

  // Proves BOOK-206
  it('has a document with net, tax and gross, and books the tax with it', async () => {
    expect(await Promise.all([taxed, small, italian].map(documentsOf))).toEqual([
      [gross],
      ['85.00'],
      ['85.00'],
    ]);
    const pdf = await fetch(`${server.url}/api/documents/B-2026-000001.pdf`, {
      headers: { cookie: taxed.cookie },
    });
    const page = (await taxed.get('/api/documents/B-2026-000001')).text.replaceAll(/<[^>]*>/g, ' ');
    for (const text of [page, await textOfPdf(await pdf.arrayBuffer())])
      for (const part of ['Delivered', '$100.00', 'Commission', '$15.00', net, '19%', tax, gross])
        expect(text).toContain(part);
    // Deliveries contain no tax.
    expect(page).not.toMatch(/116\.15|113\.57/);
    expect(await sumsOf(server, Object.keys(sums))).toEqual(sums);
    expect((await checkMoney(server.ctx, { all: true })).differences).toEqual([]);
    await makeMonthlyDocuments(server.ctx);
    expect(await sumsOf(server, Object.keys(sums))).toEqual(sums);
  });

  // Proves BOOK-206
  it('shows the publisher the tax, where it comes from, and the sum of all', async () => {
    const { tax: shown, pending, available, held, paidOut } = await balanceOf(taxed);
    expect(shown).toBe(added);
    expect([pending, available, held, paidOut].reduce((sum, each) => sum + Number(each), 0)).toBeCloseTo(
      85 + Number(added),
    );
    expect((await balanceOf(small)).tax).toBe('0.00');
    const { lines: april, closing } = (await taxed.get('/api/statements/2026-04?side=publisher'))
      .body as Statement;
    expect(closing).toBe(paid === 'on_top' ? '101.15' : '85.00');
    expect(april).toMatchObject(
      paid === 'on_top'
        ? [{ kind: 'input_tax', amount: '16.15', formula: '85.00 × 19%', document: 'B-2026-000001' }]
        : [],
    );
  });

  // Proves BOOK-207
  it('is deducted in the books and in the return, and other programs accept the year', async () => {
    const books = await readBooks(server.ctx);
    expect(books.owed).toMatchObject(owed);
    expect(books.taxOwed).toMatchObject([
      { country: 'DE', rate: 19_000, outputCents: 5700, inputCents: sums.input_tax, amountCents: owed.tax },
    ]);
    const year = { from: '2026-01-01', to: '2026-12-31' };
    await exportBooks(server.ctx, year, folder, { timeZone: 'UTC' });
    expect(lines(path.join(folder, 'tax-return.csv')).slice(1)).toEqual([
      '2026-03,DE,19.00,300.00,57.00,0.00,0.00,57.00,USD',
      returned,
    ]);
    expect(lines(path.join(folder, 'publishers.csv'))[1]?.split(',').at(-1)).toBe(added);
    const [beancount] = await exportBooks(server.ctx, year, folder, { format: 'beancount' });
    const text = readFileSync(beancount!.file, 'utf8');
    expect(text).toMatch(new RegExp(`Assets:InputTax:\\d+ {2}${tax} USD`));
    if (beanCheck.here) await outputOf('bean-check', [beancount!.file]);
    if (hledger.here) {
      const journal = path.join(folder, 'books.journal');
      const [header = '', ...rows] = lines(path.join(folder, 'postings.csv'));
      const names = header.split(',');
      const postings = rows.map((row) =>
        Object.fromEntries(row.split(',').map((cell, at) => [names[at] ?? '', cell])),
      );
      writeJournal(journal, '2026-01-01', { opening: [], postings });
      const read = await outputOf('hledger', ['-f', journal, 'balance', 'input_tax', '-O', 'csv']);
      expect(read).toContain(`"${tax} USD"`);
    }
    const [datev] = await exportBooks(server.ctx, year, folder, { format: 'datev' });
    expect(lines(datev!.file).filter((line) => line.includes(';1576;'))).toEqual([
      expect.stringContaining(`${tax.replace('.', ',')};"S"`),
    ]);
  });

  // Proves BOOK-207
  it('is used up by a payment at one rate while tax at another is owed, and the rest is what can still be paid', async () => {
    const { ctx } = server;
    const of = { book: ctx.payments.book, currency: ctx.config.currency };
    const at = ctx.now();
    const undone = ctx.db.transaction().execute(async (tx) => {
      const rate16 = await taxAccountOf(tx, { country: 'DE', rate: 16_000 });
      const entries: Entry[] = [
        { account: { kind: 'tax_payable', ownerId: rate16 }, amountCents: -2000 },
        { account: { kind: 'bank', ownerId: null }, amountCents: 2000 },
      ];
      const entry = { kind: 'other', externalRef: randomUUID(), adId: null, entries } as const;
      await post(tx, { ...entry, ...of, occurredAt: at, recordedAt: at });
      const pay = (cents: number) =>
        bookTaxPaid(ctx, tx, { country: 'DE', rate: 19_000, paid: cents, day: null });
      const left = await pay(1000);
      await expect(pay(left + 1)).rejects.toThrow(/of tax is owed to DE/);
      expect(await pay(left)).toBe(0);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  });

  // Proves BOOK-207
  it('is used up by a payment of tax, at most what is owed', async () => {
    const pay = async (cents: number) =>
      await server.ctx.db
        .transaction()
        .execute(
          async (tx) =>
            await bookTaxPaid(server.ctx, tx, { country: 'DE', rate: 19_000, paid: cents, day: null }),
        );
    await expect(pay(owed.tax + 1)).rejects.toThrow(/of tax is owed to DE/);
    expect(await pay(1000)).toBe(owed.tax - 1000);
    expect((await readBooks(server.ctx)).taxOwed).toMatchObject([
      { outputCents: owed.tax - 1000, inputCents: 0 },
    ]);
    expect(await pay(owed.tax - 1000)).toBe(0);
    expect(await readBooks(server.ctx)).toMatchObject({ taxOwed: [], owed: { tax: 0 } });
    expect((await checkMoney(server.ctx, { all: true })).differences).toEqual([]);
  });

  // Proves BOOK-206
  it('is paid out with the earnings, the tax without a charge, and goes back with them', async () => {
    await waitDays(server, 31);
    for (const seller of [taxed, small, italian]) expect((await payOut(seller)).status).toBe(201);
    await runPayouts(server.ctx);
    expect(await balanceOf(taxed)).toMatchObject({ paidOut: gross, available: '0.00', pending: '0.00' });
    expect(await balanceOf(small)).toMatchObject({ paidOut: '85.00', available: '0.00' });
    const sent = (await transfersOf(server, taxed)).map((each) => [each.amountCents, each.chargeId !== null]);
    expect(sent).toEqual(
      expect.arrayContaining(
        paid === 'on_top'
          ? [
              [8500, true],
              [1615, false],
            ]
          : [[8500, true]],
      ),
    );
    expect(sent).toHaveLength(paid === 'on_top' ? 2 : 1);
    await expectSound(server);
    expect((await checkMoney(server.ctx, { all: true })).differences).toEqual([]);
    // A direct statement cannot send the tax again.
    const again = sql`insert into payout_transfers (payout_id, amount_cents, began_at)
      select id, 1, now() from payouts where user_id = ${small.user.id}`;
    await expect(again.execute(server.ctx.db)).rejects.toThrow(/transfers of tax .* would exceed/);

    const { adId } = (await transfersOf(server, taxed)).find((each) => each.adId !== null)!;
    await waitDays(server, 3);
    await lose(server, { id: adId } as Ad);
    server.clock.set(new Date('2026-06-01T00:01:30Z'));
    await makeMonthlyDocuments(server.ctx);
    expect(await documentsOf(taxed)).toEqual([`-${gross}`, gross]);
    expect(await sumsOf(server, ['publisher_receivable'])).toEqual({
      publisher_receivable: paid === 'on_top' ? 10_115 : 8500,
    });
    const { owed: back, tax: left } = await balanceOf(taxed);
    expect([back, left]).toEqual([gross, '0.00']);
    await expectSound(server);
  });
});

describe('a publisher who', () => {
  const server = useOwnServer(() => settingsOf('on_top'));
  let buyer: Client;
  beforeAll(async () => {
    buyer = await germanBuyer(server);
  });
  const change = async (client: Client, settings: object) => {
    expect((await client.patch('/api/user/settings', settings)).status).toBe(200);
  };

  // Proves BOOK-206
  it('begins or ceases to charge tax in a month has it as they are when the month is over', async () => {
    const [starts, stops] = [await publisherOf(server, SMALL), await publisherOf(server, TAXED)];
    const ads = [
      await makeEarned(server, starts, buyer, { price: '119.00' }),
      await makeEarned(server, stops, buyer, { price: '119.00' }),
    ];
    await closeMonth(server, '2026-04');
    expect([await documentsOf(starts), await documentsOf(stops)]).toEqual([['85.00'], ['101.15']]);
    await change(starts, TAXED);
    await change(stops, SMALL);
    for (const ad of ads) await lose(server, ad);
    await closeMonth(server, '2026-05');
    // A month below zero takes back what the last one above zero gave.
    expect([await documentsOf(starts), await documentsOf(stops)]).toEqual([
      ['-85.00', '85.00'],
      ['-101.15', '101.15'],
    ]);
    expect((await sumsOf(server, ['input_tax']))['input_tax']).toBe(0);
    for (const seller of [starts, stops]) await makeEarned(server, seller, buyer, { price: '119.00' });
    await closeMonth(server, '2026-06');
    expect([(await documentsOf(starts))[0], (await documentsOf(stops))[0]]).toEqual(['101.15', '85.00']);
    await expectSound(server);
  });

  // Proves BOOK-206
  // Each line takes some milliseconds, so `npm test` plays a tenth of them.
  const lines = IS_LONG ? 1000 : 100;
  it(`earns ${lines} lines of 0.01 has the tax of their sum`, async () => {
    const seller = await publisherOf(server, TAXED);
    // 14.00 less 2.24 of tax and 1.76 of commission is 10.00.
    const product = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '14.00' };
    const { ad } = await makeLiveAd(seller, buyer, { product });
    for (let view = 0; view < lines; view++) {
      await countAt(server.ctx, ad, server.ctx.now().toISOString(), 1);
      await accrueDue(server.ctx, { early: true });
    }
    await closeMonth(server, '2026-07');
    expect(await documentsOf(seller)).toEqual([IS_LONG ? '11.90' : '1.19']);
    expect((await balanceOf(seller)).tax).toBe(IS_LONG ? '1.90' : '0.19');
  }, 300_000);

  // Proves BOOK-206
  it('has an ad on hold has the tax of its earnings on hold, too', async () => {
    const seller = await publisherOf(server, TAXED);
    const ad = await makeEarned(server, seller, buyer, { price: '119.00' });
    await makeEarned(server, seller, buyer, { price: '119.00' });
    await closeMonth(server, '2026-08');
    await server.ctx.db
      .insertInto('holds')
      .values({ userId: seller.user.id, adId: ad.id, reason: 'operator', madeAt: server.ctx.now() })
      .execute();
    await waitDays(server, 31);
    expect(await balanceOf(seller)).toMatchObject({
      tax: '32.30',
      held: '101.15',
      available: '101.15',
      holds: [{ amount: '101.15', reason: 'operator' }],
    });
  });

  // Proves BOOK-206
  it('pays no commission has a document and its tax', async () => {
    const seller = await publisherOf(server, TAXED);
    await putInForce(server, { COMMISSION: '0' });
    // Without tax of the sale, nothing is booked as commission.
    const abroad = await server.signIn('buyer');
    await abroad.patch('/api/user/settings', { country: 'US' });
    await makeEarned(server, seller, abroad, { price: '100.00' });
    await putInForce(server, { COMMISSION: '15' });
    await closeMonth(server, '2026-10');
    expect(await documentsOf(seller)).toEqual(['119.00']);
    expect((await balanceOf(seller)).tax).toBe('19.00');
  });

  // Proves BOOK-206
  it('has documents from before there was input tax gets and gives back nothing for them', async () => {
    const seller = await publisherOf(server, TAXED);
    const ad = await makeEarned(server, seller, buyer, { price: '119.00' });
    await putInForce(server, { PUBLISHER_TAX: 'included' });
    const before = await sumsOf(server, ['input_tax', 'publisher_payable']);
    // As the release before made it: without the mark and the entry.
    await sql`insert into documents (book, kind, user_id, month, amount_cents, currency, tax_rate, tax_cents, tax_country,
        seller, customer, content, issued_at)
      select 'sandbox', 'self_billing', ${seller.user.id}, date_trunc('month', ${server.ctx.now()}::timestamptz)::date, 8500,
        'USD', 19000, 1357, 'DE', '{"name": "Pat"}', '{"name": "Market"}', ${JSON.stringify({
          kind: 'self_billing',
          rows: [{ adPublicId: ad.publicId, title: 'Ad', earnedCents: 8500, commissionCents: 1500 }],
          commissionCents: 1500,
          taxStatus: 'business',
          text: 'Self-billing',
        })}::jsonb, ${server.ctx.now()}`.execute(server.ctx.db);
    await closeMonth(server, '2026-11');
    expect(await sumsOf(server, ['input_tax', 'publisher_payable'])).toEqual(before);
    await lose(server, ad);
    await closeMonth(server, '2026-12');
    expect(await documentsOf(seller)).toEqual(['-85.00', '85.00']);
    expect((await balanceOf(seller)).tax).toBe('0.00');
    expect((await sumsOf(server, ['input_tax']))['input_tax']).toBe(before['input_tax']);
    expect((await checkMoney(server.ctx, { all: true })).differences).toEqual([]);
  });
});

// Proves BOOK-206
it('a publisher who agrees to self-billing no more gives back the tax of a document that is corrected', async () => {
  const server = await untilTestEnds(startTestServer(settingsOf('on_top')));
  const buyer = await germanBuyer(server);
  const seller = await publisherOf(server, TAXED);
  const ad = await makeEarned(server, seller, buyer, { price: '119.00' });
  await closeMonth(server, '2026-04');
  expect((await seller.patch('/api/user/settings', { agreesToSelfBilling: false })).status).toBe(200);
  await lose(server, ad);
  await closeMonth(server, '2026-05');
  expect(await documentsOf(seller)).toEqual(['-101.15', '101.15']);
  expect(await sumsOf(server, ['input_tax', 'publisher_payable', 'publisher_receivable'])).toEqual({
    input_tax: 0,
    publisher_payable: 0,
  });
  expect((await checkMoney(server.ctx, { all: true })).differences).toEqual([]);
});

describe('a state that owes input tax', () => {
  const server = useOwnServer(() => settingsOf('on_top'));
  const reason = 'The notice of April';
  const owed = async () => (await readBooks(server.ctx)).taxOwed;
  beforeAll(async () => {
    const abroad = await server.signIn('buyer');
    await abroad.patch('/api/user/settings', { country: 'US' });
    await makeEarned(server, await publisherOf(server, TAXED), abroad, { price: '100.00' });
    await closeMonth(server, '2026-04');
  });

  // Proves BOOK-240
  it('pays it back, at most what it owes', async () => {
    expect(await owed()).toMatchObject([{ outputCents: 0, inputCents: 1615, amountCents: -1615 }]);
    const refund = async (amount: string) =>
      (await openslot(server, `money tax-refunded DE 19.00 ${amount} 2026-03-31`, { reason })).json;
    await expect(refund('16.16')).rejects.toThrow('DE owes you only 16.15 USD of tax.');
    await expect(openslot(server, 'money tax-paid DE 19.00 1.00', { reason })).rejects.toThrow(
      'Only 0.00 USD',
    );
    expect(await refund('6.15')).toMatchObject({ country: 'DE', amount: '6.15', left: '10.00' });
    expect(await owed()).toMatchObject([{ inputCents: 1000, amountCents: -1000 }]);
    expect(await sumsOf(server, ['bank', 'input_tax'])).toEqual({ bank: 615, input_tax: 1000 });
  });

  // Proves BOOK-240
  it('pays what the form of the console says once, and the return keeps what was deducted', async () => {
    const operator = await makeOperator(server);
    await confirmOperator(server, operator);
    const { body } = await operator.client.get('/api/operator/books');
    expect(body.taxOwed).toMatchObject([
      {
        amount: '-10.00',
        acts: [{ button: 'Book a refund', fields: [{ name: 'paid', value: '10.00' }, {}] }],
      },
    ]);
    const form = { country: 'DE', rate: '19.00', paid: '10.00', day: '', reason, ref: randomUUID() };
    const send = async () => await sendAct(operator.client, '/operator/books/tax-refunded', form);
    const answers = await Promise.all([send(), send()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await owed()).toEqual([]);
    const acts = server.ctx.db.selectFrom('operatorActs').select(['subjectName', 'reason']);
    expect(await acts.where('act', '=', 'refund-tax').orderBy('id').execute()).toEqual([
      { subjectName: 'DE 19.00%', reason: `6.15 USD on 2026-03-31. ${reason}` },
      { subjectName: 'DE 19.00%', reason: `10.00 USD. ${reason}` },
    ]);
    const dir = path.join(folder, 'refunded');
    await exportBooks(server.ctx, { from: '2026-01-01', to: '2026-12-31' }, dir);
    expect(lines(path.join(dir, 'tax-return.csv')).slice(1)).toEqual([
      '2026-04,DE,19.00,0.00,0.00,85.00,16.15,-16.15,USD',
    ]);
    const booked = lines(path.join(dir, 'postings.csv')).filter((line) => line.includes('tax_refunded'));
    expect(booked).toHaveLength(4);
    expect((await checkMoney(server.ctx, { all: true })).differences).toEqual([]);
  });
});

// Proves BOOK-240
it('a state pays back the tax of a sale that was refunded after it was paid', async () => {
  const server = await untilTestEnds(startTestServer(settingsOf('on_top')));
  const reason = 'The notice of May';
  const [buyer, seller] = [await germanBuyer(server), await publisherOf(server, TAXED)];
  const ad = await makeEarned(server, seller, buyer, { price: '119.00' });
  await openslot(server, 'money tax-paid DE 19.00 19.00', { reason });
  await closeMonth(server, '2026-04');
  await lose(server, ad);
  const owed = async () => (await readBooks(server.ctx)).taxOwed;
  // The tax of the sale, and that of the publisher's document, which its correction takes back a month later.
  expect(await owed()).toMatchObject([{ outputCents: -1900, inputCents: 1615 }]);
  const refund = async (amount: string) =>
    (await openslot(server, `money tax-refunded DE 19.00 ${amount}`, { reason })).json;
  expect(await refund('10.00')).toMatchObject({ left: '25.15' });
  expect(await owed()).toMatchObject([{ outputCents: -900, inputCents: 1615 }]);
  expect(await refund('25.15')).toMatchObject({ left: '0.00' });
  expect(await owed()).toEqual([]);
  expect((await checkMoney(server.ctx, { all: true })).differences).toEqual([]);
});
