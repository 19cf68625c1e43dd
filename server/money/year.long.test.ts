/**
 * A German and a British year of trade, from one December to the next January but one. Documents, ledger, returns and payouts
 * agree by month, quarter and year. The German marketplace pays by bank transfer, and the British one through the card
 * provider. `npm run lab year` prints what they hold.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { Period } from '#domain/payments/periods.ts';
import { utcDay } from '#domain/time.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { makeFileByOperator, readStatement } from '#server/operator/money/bank.ts';
import { refundAd } from '#server/operator/money/money.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { camt, IBANS, type Line, OUR_IBAN, saveIban } from '#server/testing/money/bank.ts';
import { CARD, makeApprovedAd } from '#server/testing/money/checkout.ts';
import { schemaErrorsIn } from '#server/testing/money/factur-x-schema.ts';
import { writeJournal } from '#server/testing/money/journal.ts';
import { confirm, expectSound, intentOf } from '#server/testing/money/payout-market.ts';
import { onboard, releaseHolds } from '#server/testing/money/payouts.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { outputOf, readerIsHere } from '#server/testing/programs/readers.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { readBooks } from './books/books.ts';
import { exportBooks } from './books/export/export.ts';
import { runMoneyWork } from './books/run.ts';
import { businessDay } from './documents/business-day.ts';
import { checkDocuments } from './documents/check.ts';
import { facturX } from './documents/invoice/cii.ts';
import { eInvoiceOf } from './documents/invoice/invoice.ts';
import { listIssued } from './documents/issued.ts';
import { makeMonthlyDocuments } from './documents/months.ts';
import { checkPayments } from './events/check-payments.ts';
import { accrueDue } from './ledger/accrue.ts';
import { listBankPayouts } from './payouts/bank-file.ts';

const OPERATOR = { id: null, dryRun: false };
const beanCheck = await readerIsHere('beanCheck');
const hledger = await readerIsHere('hledger');

const PLACES = [
  {
    country: 'DE',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    rates: ['19.00', '16.00'],
    taxId: 'DE123456789',
    abroad: { country: 'IT', taxId: 'IT12345678901' },
    bank: { PAYOUTS: 'bank', BANK_IBAN: OUR_IBAN },
  },
  {
    country: 'GB',
    currency: 'GBP',
    timeZone: 'Europe/London',
    rates: ['20.00', '17.50'],
    taxId: 'GB123456789',
    abroad: { country: 'DE', taxId: 'DE123456789' },
    bank: null,
  },
];

const address = 'Market Street 1\nTown';
const MONTHS = Array.from({ length: 12 }, (_, n): Period => {
  const month = `2027-${String(n + 1).padStart(2, '0')}`;
  return { from: `${month}-01`, to: `${month}-${new Date(Date.UTC(2027, n + 1, 0)).getUTCDate()}` };
});
const QUARTERS = [0, 3, 6, 9].map((n): Period => ({ from: MONTHS[n]!.from, to: MONTHS[n + 2]!.to }));
const YEAR: Period = { from: '2027-01-01', to: '2027-12-31' };

type Row = Record<string, string>;
const sumBy = (rows: readonly Row[], cell: string): number =>
  rows.reduce((sum, row) => sum + (row[cell] === '' ? 0 : centsOf(row[cell]!)), 0);

describe.each(PLACES)('a year in $country', ({ country, currency, timeZone, rates, taxId, abroad, bank }) => {
  const server = useOwnServer(() => ({
    start: new Date('2026-12-10T10:00:00Z'),
    env: {
      CURRENCY: currency,
      BUSINESS_TIME_ZONE: timeZone,
      SELLER_NAME: 'Slot Market',
      SELLER_ADDRESS: address,
      SELLER_COUNTRY: country,
      SELLER_TAX_ID: taxId,
      SELF_BILLING: 'on',
      PUBLISHER_REPORTS: 'dac7',
      CANCEL_FEE: 'buyer',
      CANCEL_REVIEW_ABOVE: '100000.00',
      ...bank,
    },
    taxTable: JSON.stringify({
      version: 2,
      seller: country,
      countries: {
        [country]: [{ rate: rates[0] }, { from: '2027-07-01', rate: rates[1] }],
        [abroad.country]: { rate: '22.00', business: 'reverse_charge', sentence: 'Reverse charge.' },
      },
      default: { rate: '0.00', reason: 'not_taxed', sentence: 'Not taxable here.' },
    }),
  }));
  let folder: string;
  let buyer: Client;
  let publishers: Client[];
  let leaver: Client;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-year-'));
    buyer = await server.signIn('buyer');
    const business = { address, agreesToSelfBilling: true, taxStatus: 'business', country };
    publishers = [
      await publisher('Tax', { ...business, chargesTax: true, taxId }),
      await publisher('Small', { ...business, taxStatus: 'small_business', taxId: '' }),
      await publisher('Abroad', { ...business, ...abroad }),
      await publisher('Private', { taxStatus: 'private', country, address }),
    ];
    leaver = await publisher('Leaver', { ...business, chargesTax: true, taxId });
    await play();
  }, 20 * 60_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  async function publisher(lastName: string, settings: object): Promise<Client> {
    const client = await server.signIn('seller', { firstName: 'Pat', lastName });
    expect((await client.patch('/api/user/settings', settings)).status).toBe(200);
    if (bank) expect((await saveIban(client)).status).toBe(200);
    else await onboard(server.ctx, client.user.id);
    return client;
  }

  const CUSTOMERS = [{ country }, { ...abroad, name: 'Acquirer' }, { country: 'CH' }];

  async function sell(seller: Client, customer: object, price: string): Promise<Ad> {
    const product = { pricingModel: 'per_impression', duration: null, impressions: 1000, price };
    const ad = await makeApprovedAd(seller, buyer, { product });
    const asked = { amount: price, adPublicId: ad.publicId, receiptFor: customer };
    const { clientSecret } = (await buyer.post('/api/create-payment-intent', asked)).body;
    const { paymentIntentId } = (await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD })).body;
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
    await releaseHolds(server, ad);
    return ad;
  }

  async function deliver(ad: Ad, views: number): Promise<void> {
    server.clock.advance(1000);
    await countAt(server.ctx, ad, server.ctx.now().toISOString(), views);
    await accrueDue(server.ctx, { early: true });
  }

  async function cancel(ad: Ad): Promise<void> {
    const { refundAmount } = (await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
    expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
  }

  async function lose(ad: Ad): Promise<void> {
    const { play: bank } = sandboxOf(server);
    const intent = await intentOf(server, ad);
    await bank.dispute(intent, 'dispute');
    await checkPayments(server.ctx);
    await bank.closeDispute(intent, 'lost');
    await checkPayments(server.ctx);
  }

  async function openslot(...words: string[]): Promise<void> {
    const { command, args } = commandOf(words);
    await command.run({
      ctx: server.ctx,
      args,
      options: { dryRun: false, reason: 'Year' },
      operator: { id: null },
    });
  }

  /** To this instant, with all work that becomes due once a week on the way. */
  async function work(until: string): Promise<void> {
    server.clock.set(new Date(until));
    await runMoneyWork(server.ctx);
    await makeMonthlyDocuments(server.ctx);
    await runMoneyWork(server.ctx);
    if (bank) await payByBank();
  }

  /** The payments of each file, in the order of the files, and those that came back, each with its month. */
  const filed: { id: string; amount: string; day: string; month: string }[] = [];
  const returned: typeof filed = [];
  const monthNow = () => businessDay(server.ctx, server.ctx.now()).slice(0, 7);
  const readLines = async (lines: Line[]) =>
    (await readStatement(server.ctx, OPERATOR, { bytes: Buffer.from(camt(lines)) })).lines.map(
      ({ did }) => did,
    );

  /** A file of the payouts that wait, and the statement of the day on which the bank pays them. */
  async function payByBank(): Promise<void> {
    const { payouts } = await listBankPayouts(server.ctx);
    if (payouts.every(({ fileId, isHeld }) => fileId !== null || isHeld)) return;
    const { content } = await makeFileByOperator(server.ctx, OPERATOR, {});
    const day = utcDay(server.ctx.now());
    const payment = /<EndToEndId>(.*?)<.*?<InstdAmt Ccy="EUR">(.*?)</g;
    const lines = [...content.toString().matchAll(payment)].map(([, id = '', amount = '']) => ({
      id,
      amount,
      day,
    }));
    expect(await readLines(lines)).toEqual(lines.map(() => 'paid'));
    filed.push(...lines.map((line) => ({ ...line, month: monthNow() })));
  }

  /** The bank sends the last payment back, and its publisher saves the IBAN again. */
  async function comeBack(): Promise<void> {
    const line = { ...filed.at(-1)!, day: utcDay(server.ctx.now()), month: monthNow() };
    expect(await readLines([{ ...line, back: 'AC04' }])).toEqual(['returned']);
    returned.push(line);
    const { userId } = await server.ctx.db
      .selectFrom('bankPayouts as b')
      .innerJoin('payouts as p', 'p.id', 'b.payoutId')
      .select('p.userId')
      .where('b.endToEndId', '=', line.id)
      .executeTakeFirstOrThrow();
    const owner = publishers.find(({ user }) => user.id === userId)!;
    expect((await saveIban(owner, IBANS.NL)).status).toBe(200);
  }

  /** One month of sales: delivered whole and in part, canceled with a fee, and refunded by the operator. */
  async function month(n: number): Promise<Ad> {
    const sold: Ad[] = [];
    for (const [at, seller] of publishers.entries()) {
      const price = decimalOf(4_999 + 1_733 * ((n * 7 + at * 3) % 11));
      sold.push(await sell(seller, CUSTOMERS[(n + at) % CUSTOMERS.length]!, price));
    }
    const [whole, part, canceled, refunded] = sold as [Ad, Ad, Ad, Ad];
    await deliver(whole, 1000);
    await deliver(part, 333 + n);
    await deliver(canceled, 17 * n);
    await cancel(canceled);
    await deliver(refunded, 500);
    await refundAd(server.ctx, OPERATOR, {
      id: refunded.id,
      amount: n % 2 === 0 ? null : 101,
      reason: 'Year',
    });
    return whole;
  }

  async function play(): Promise<void> {
    const first = await sell(publishers[0]!, CUSTOMERS[0]!, '500.00');
    // The first sale is no alarm. [B11]
    expect((await readBooks(server.ctx)).covered.missing).toBe(0);
    await deliver(first, 250);
    // Half an hour before midnight in UTC, which is the next year in Berlin.
    await work('2026-12-31T23:30:00Z');
    await deliver(await sell(publishers[1]!, CUSTOMERS[0]!, '60.00'), 1000);
    await work('2027-01-01T09:00:00Z');
    const leaving = await sell(leaver, CUSTOMERS[0]!, '200.00');
    await deliver(leaving, 1000);
    let disputed: Ad | undefined;
    for (let n = 1; n <= 12; n++) {
      const name = `2027-${String(n).padStart(2, '0')}`;
      await work(`${name}-10T10:00:00Z`);
      const whole = await month(n);
      if (n === 2) disputed = whole;
      // After the payout, so that it is owed, and settled from later earnings.
      if (n === 5) await lose(disputed!);
      if (n === 6) await leave(leaving);
      if (bank && n === 8) await comeBack();
      if (n === 9) await openslot('money', 'write-off', String(leaver.user.id));
      await work(`${name}-25T10:00:00Z`);
    }
    await work('2028-01-02T09:00:00Z');
    await deliver(await sell(publishers[0]!, CUSTOMERS[0]!, '70.00'), 1000);
    await work('2028-02-02T09:00:00Z');
  }

  /** A publisher who was paid out loses the sale, and deletes the account with the debt. */
  async function leave(ad: Ad): Promise<void> {
    await lose(ad);
    server.clock.advance(3 * 3_600_000);
    await runMoneyWork(server.ctx);
    await confirm(leaver);
    const refused = await leaver.delete('/api/user/account');
    const [debt] = refused.body.left ?? [];
    if (debt) expect((await leaver.delete(`/api/user/account?owing=${debt.amount}`)).status).toBe(200);
    else expect(refused.status).toBe(200);
  }

  async function csvOf(of: Period): Promise<(file: string) => Row[]> {
    const dir = path.join(folder, `${of.from}-${of.to}`);
    await exportBooks(server.ctx, of, dir);
    return (file) => {
      const [header = '', ...lines] = readFileSync(path.join(dir, `${file}.csv`), 'utf8')
        .replace('\uFEFF', '')
        .trimEnd()
        .split('\r\n');
      const names = header.split(',');
      return lines.filter(Boolean).map((line) => {
        const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell);
        return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
      });
    };
  }

  // Proves BOOK-209
  it('agrees with the provider, and its books and documents hold', async () => {
    await expectSound(server);
    expect(await checkDocuments(server.ctx.db)).toEqual([]);
  });

  // Proves BOOK-209
  it('has the same sums by month, by quarter and by year', async () => {
    const year = await csvOf(YEAR);
    const parts = async (periods: Period[]) => await Promise.all(periods.map(csvOf));
    const months = await parts(MONTHS);
    const quarters = await parts(QUARTERS);
    for (const file of ['documents', 'outgoing-invoices', 'postings'])
      for (const some of [months, quarters]) expect(some.flatMap((read) => read(file))).toEqual(year(file));
    for (const some of [months, quarters])
      for (const column of ['output_tax', 'input_tax', 'owed'])
        expect(some.reduce((sum, read) => sum + sumBy(read('tax-return'), column), 0)).toBe(
          sumBy(year('tax-return'), column),
        );
    // The tax of documents is that of the ledger, month by month.
    for (const read of months) {
      const outgoing = sumBy(read('outgoing-invoices'), 'tax');
      expect(outgoing).toBe(-sumBy(postingsOf(read, 'tax_payable'), 'amount'));
      const incoming = read('documents').filter(({ kind }) => kind === 'self_billing');
      expect(sumBy(incoming, 'tax')).toBe(sumBy(postingsOf(read, 'input_tax'), 'amount'));
    }
  });

  const postingsOf = (read: (file: string) => Row[], kind: string) =>
    read('postings').filter(({ account }) => account!.split(':')[0] === kind);

  // Proves BOOK-209
  it('taxes each sale by its day, and what goes back by the rate of its receipt', async () => {
    const documents = (await csvOf(YEAR))('documents').filter((row) => row['country'] === country);
    const receipts = new Map<string, string>();
    for (const { kind, number, date, rate, corrects } of documents) {
      if (kind === 'receipt' && corrects === '') {
        receipts.set(number!, rate!);
        expect([number, rate]).toEqual([number, date! < '2027-07-01' ? rates[0] : rates[1]]);
      }
      if (kind === 'credit_note' && receipts.has(corrects!)) expect(rate).toBe(receipts.get(corrects!));
    }
    expect(new Set(receipts.values())).toEqual(new Set(rates));
  });

  // Proves BOOK-209
  it('ties each publisher to earnings, tax and payouts, and names them all', async () => {
    const read = await csvOf(YEAR);
    for (const row of read('publishers')) {
      const owner = (account = '') =>
        ['publisher_payable', 'publisher_receivable'].some(
          (kind) => account === `${kind}:${row['publisher_id']}`,
        );
      const own = read('postings').filter(({ account }) => owner(account));
      const other = own.filter(({ kind }) => /^debt_|^earnings_waived$/.test(kind!));
      const earned = centsOf(row['gross']!) - centsOf(row['fees']!) + centsOf(row['tax']!);
      const moved = earned - centsOf(row['paid_out']!) - sumBy(other, 'amount');
      expect([row['publisher'], moved]).toEqual([row['publisher'], 0 - sumBy(own, 'amount')]);
    }
    const parties = read('documents').map(({ party }) => party);
    expect(parties).not.toContain('Deleted account');
    expect(read('publisher-reports').map(({ name }) => name)).toContain('Pat Leaver');
  });

  // Proves BOOK-243
  it('agrees with the files of the bank, and with what came back, by month and year', async () => {
    const sumOf = (lines: typeof filed, month: string) =>
      sumBy(
        lines.filter((line) => line.month === month),
        'amount',
      );
    const movedOn = (account: string, read: (file: string) => Row[], entry: string) =>
      sumBy(
        postingsOf(read, account).filter(({ kind }) => kind === entry),
        'amount',
      );
    for (const of of MONTHS) {
      const [read, month] = [await csvOf(of), of.from.slice(0, 7)];
      const booked = [month, movedOn('bank', read, 'transfer'), movedOn('bank', read, 'reversal')];
      expect(booked).toEqual([month, 0 - sumOf(filed, month), sumOf(returned, month)]);
    }
    const year = await csvOf(YEAR);
    const moved = ['bank', 'provider_balance'].flatMap((account) =>
      ['transfer', 'reversal'].map((entry) => movedOn(account, year, entry)),
    );
    expect(sumBy(year('publishers'), 'paid_out')).toBe(0 - moved.reduce((sum, cents) => sum + cents, 0));
    expect(new Set(filed.map(({ id }) => id)).size).toBe(filed.length);
    expect([filed.length > 12, returned.length]).toEqual(bank ? [true, 1] : [false, 0]);
  });

  // Proves BOOK-209
  it.runIf(hledger.here)(`is accepted by hledger in each period${hledger.note}`, async () => {
    for (const of of [...MONTHS, ...QUARTERS, YEAR]) {
      const read = await csvOf(of);
      const journal = path.join(folder, `${of.from}-${of.to}.journal`);
      writeJournal(journal, of.from, { opening: read('opening'), postings: read('postings') });
      await expect(outputOf('hledger', ['-f', journal, 'check'])).resolves.toBe('');
    }
  });

  // Proves BOOK-209
  it('has the income of its own days only, which bean-check accepts', async () => {
    const incomeOf = async (of: Period) => {
      const [made] = await exportBooks(server.ctx, of, path.join(folder, `bean-${of.from}-${of.to}`), {
        format: 'beancount',
      });
      if (beanCheck.here) await outputOf('bean-check', [made!.file]);
      const text = readFileSync(made!.file, 'utf8');
      const amounts = [...text.matchAll(/^ {2}Income:Commission {2}(\S+) /gm)].map(([, amount]) => amount!);
      return amounts.reduce((sum, amount) => sum + centsOf(amount), 0);
    };
    const year = await incomeOf(YEAR);
    for (const periods of [MONTHS, QUARTERS]) {
      let sum = 0;
      for (const each of periods) sum += await incomeOf(each);
      expect(sum).toBe(year);
    }
    const next = await incomeOf({ from: '2028-01-01', to: '2028-01-31' });
    expect(Math.abs(next)).toBeLessThan(2_000);
  });

  // Proves BOOK-209
  it('has an e-invoice of each receipt, credit note and self-billing document that needs one, valid and with its amounts', async () => {
    const window = {
      book: server.ctx.payments.book,
      period: { from: '2026-01-01', to: '2028-12-31' },
    };
    const issued = await listIssued(server.ctx.db, window, { after: null, limit: 1000 });
    const files: string[] = [];
    for (const document of issued) {
      const invoice = eInvoiceOf(document);
      if (invoice === null) continue;
      files.push(facturX(invoice));
      const lines = invoice.lines.reduce((sum, { quantity, priceCents }) => sum + quantity * priceCents, 0);
      expect([document.number, lines]).toEqual([document.number, invoice.netCents]);
      expect(invoice.netCents + invoice.taxCents).toBe(Math.abs(document.amountCents));
    }
    const needed = issued.filter(
      ({ content, customer, seller }) =>
        ['receipt', 'credit_note', 'self_billing'].includes(content.kind) && customer.country && seller.taxId,
    );
    expect(files).toHaveLength(needed.length);
    expect(await schemaErrorsIn(...files)).toEqual([]);
    await print(issued.length, files.length);
  });

  async function print(documents: number, invoices: number): Promise<void> {
    const read = await csvOf(YEAR);
    const { owed, covered } = await readBooks(server.ctx);
    const shown = {
      documents,
      'e-invoices': invoices,
      postings: read('postings').length,
      'receipts less credit notes': decimalOf(sumBy(read('outgoing-invoices'), 'gross')),
      'output tax': decimalOf(sumBy(read('tax-return'), 'output_tax')),
      'input tax': decimalOf(sumBy(read('tax-return'), 'input_tax')),
      commission: decimalOf(-sumBy(postingsOf(read, 'commission'), 'amount')),
      'written off': decimalOf(sumBy(postingsOf(read, 'bad_debt'), 'amount')),
      'paid out': decimalOf(sumBy(read('publishers'), 'paid_out')),
      ...(bank && { 'payments by bank': filed.length, 'came back': returned.length }),
      'owed at the end': decimalOf(owed.total),
      'not covered': decimalOf(covered.missing),
    };
    console.log(
      [
        `${country}, ${currency}`,
        ...Object.entries(shown).map(([name, value]) => `${name.padEnd(28)} ${value}`),
      ].join('\n  '),
    );
  }
});
