/** Tax returns from the export: the documents, ready lists, and DATEV by document. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { centsOf } from '#domain/money.ts';
import { refundAd } from '#server/operator/money/money.ts';
import type { Client } from '#server/testing/client.ts';
import { putInForce } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { runMoneyWork } from '../run.ts';
import { exportBooks } from './export.ts';

const views = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '119.00' };
const TABLE = `{"version": 2, "seller": "DE", "countries": {
  "DE": {"rate": "19.00"}, "FR": {"rate": "20.00"}, "CH": {"rate": "8.10"},
  "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge."}},
  "default": {"rate": "0.00", "reason": "not_taxed", "sentence": "Not taxable in Germany."}}`;
const FIRST = { from: '2027-01-01', to: '2027-03-31' };
const SECOND = { from: '2027-04-01', to: '2027-06-30' };

let folder: string;
let seller: Client;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-returns-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const server = useOwnServer({ start: new Date('2027-03-20T10:00:00Z'), taxTable: TABLE });
const refund = async (id: number) =>
  await refundAd(server.ctx, { id: null, dryRun: false }, { id, amount: null, reason: 'Agreed' });

// A sale to each kind of country. One is refunded in its quarter, and all others in the next, because nothing is delivered.
beforeAll(async () => {
  seller = await server.signIn('seller');
  const sell = async (settings: object) => {
    const buyer = await server.signIn('buyer');
    await buyer.patch('/api/user/settings', settings);
    const { ad } = await makeLiveAd(seller, buyer, { product: views });
    return ad.id;
  };
  const german = await sell({ country: 'DE', businessName: 'Brot GmbH' });
  await refund(await sell({ country: 'DE' }));
  const inFrance = await sell({ country: 'FR' });
  await sell({ country: 'IT', businessName: 'Pane', taxId: '12345678901' });
  await sell({ country: 'CH' });
  await sell({ country: 'US' });
  await runMoneyWork(server.ctx);
  server.clock.set(new Date('2027-04-10T10:00:00Z'));
  await refund(inFrance);
  await refund(german);
  await runMoneyWork(server.ctx);
});

type Row = Record<string, string>;

/** The rows of a CSV file. No cell of these tests contains a comma. */
function rowsOf(text: string, separator: string): Row[] {
  const [header = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  const names = header.split(separator);
  return lines.map((line) => Object.fromEntries(line.split(separator).map((cell, at) => [names[at]!, cell])));
}

async function csvOf(period: typeof FIRST): Promise<(file: string) => Row[]> {
  const dir = path.join(folder, period.from);
  await exportBooks(server.ctx, period, dir, { timeZone: 'Europe/Berlin' });
  return (file) => rowsOf(readFileSync(path.join(dir, `${file}.csv`), 'utf8'), ',');
}
const sum = (rows: readonly Row[], cell: string) =>
  rows.reduce((cents, row) => cents + centsOf(row[cell]!), 0);

async function datevOf(period: typeof FIRST, chart = 'SKR03') {
  await putInForce(server, { DATEV_CHART: chart });
  const [made] = await exportBooks(server.ctx, period, folder, {
    format: 'datev',
    timeZone: 'Europe/Berlin',
  });
  const text = readFileSync(made!.file, 'latin1');
  const head = text.slice(0, text.indexOf('\r\n'));
  return { head, rows: rowsOf(text.slice(head.length + 2), ';') };
}
/** The sum of an account: its own rows, and against it those in which it is the contra account. */
const balanceOf = (rows: readonly Row[], account: string) =>
  rows.reduce((cents, row) => {
    const amount =
      Number(row['Umsatz (ohne Soll/Haben-Kz)']!.replace(',', '')) *
      (row['Soll/Haben-Kennzeichen'] === '"S"' ? 1 : -1);
    if (row['Konto'] === account) return cents + amount;
    return row['Gegenkonto (ohne BU-Schluessel)'] === account ? cents - amount : cents;
  }, 0);

describe('the documents of a period', () => {
  // Proves BOOK-201
  it('say the party, its VAT number, the tax code with its reason, the service, and what is corrected', async () => {
    const documents = (await csvOf(FIRST))('documents');
    const receipts = documents.filter(({ kind }) => kind === 'receipt');
    expect(
      receipts.map((row) => [row['tax_code'], row['reason'], row['rate'], row['net'], row['tax']]),
    ).toEqual([
      ['domestic', '', '19.00', '100.00', '19.00'],
      ['domestic', '', '19.00', '100.00', '19.00'],
      ['oss', '', '20.00', '99.17', '19.83'],
      ['reverse_charge', 'reverse_charge', '0.00', '119.00', '0.00'],
      ['abroad', '', '8.10', '110.08', '8.92'],
      ['not_taxed', 'not_taxed', '0.00', '119.00', '0.00'],
    ]);
    expect(receipts[3]).toMatchObject({ party: 'Pane', party_country: 'IT', vat_number: 'IT12345678901' });
    expect(receipts[0]).toMatchObject({ party: 'Brot GmbH', service_from: '2027-03-20', corrects: '' });
    const note = documents.find(({ kind }) => kind === 'credit_note');
    expect(note).toMatchObject({
      corrects: receipts[1]!['number'],
      original_quarter: '2027-Q1',
      net: '-100.00',
      tax: '-19.00',
      amount: '-119.00',
    });
    const commissions = (await csvOf(SECOND))('documents').filter(({ kind }) => kind === 'commission_note');
    for (const row of commissions)
      expect(row).toMatchObject({ service_from: '2027-03-01', tax_code: 'none' });
  });

  // Proves BOOK-201
  it('have the tax that the ledger has in the same quarter', async () => {
    for (const period of [FIRST, SECOND]) {
      const { rows } = await sql<{ cents: string }>`
        select coalesce(-sum(p.amount_cents), 0) as cents
          from ledger_postings p join ledger_accounts a on a.id = p.account_id join ledger_tx t on t.id = p.tx_id
          where a.kind = 'tax_payable' and t.recorded_at >= ${period.from}::date
            and t.recorded_at < ${period.to}::date + 1`.execute(server.ctx.db);
      expect(sum((await csvOf(period))('outgoing-invoices'), 'tax')).toBe(Number(rows[0]!.cents));
    }
  });

  // Proves BOOK-201
  it('are a register of outgoing invoices with every number of its series', async () => {
    const register = [
      ...(await csvOf(FIRST))('outgoing-invoices'),
      ...(await csvOf(SECOND))('outgoing-invoices'),
    ];
    const numbers = register.map(({ number }) => number!);
    for (const [letter, count] of [
      ['R', 6],
      ['C', 6],
    ] as const)
      expect(numbers.filter((number) => number.startsWith(letter))).toEqual(
        Array.from({ length: count }, (_, at) => `${letter}-2027-${String(at + 1).padStart(6, '0')}`),
      );
    for (const row of register) expect(sum([row], 'net') + sum([row], 'tax')).toBe(sum([row], 'gross'));
  });
});

describe('the ready lists', () => {
  // Proves BOOK-202
  it('are the recapitulative statement by VAT number and month', async () => {
    expect((await csvOf(FIRST))('recapitulative-statement')).toEqual([
      {
        month: '2027-03',
        country: 'IT',
        vat_number: 'IT12345678901',
        documents: '1',
        net: '119.00',
        currency: 'USD',
      },
    ]);
  });

  // Proves BOOK-202
  it('are the OSS by country and rate, with corrections by their original quarter', async () => {
    const french = { country: 'FR', rate: '20.00', documents: '1', currency: 'USD' };
    expect((await csvOf(FIRST))('oss')).toEqual([
      { ...french, quarter: '2027-Q1', kind: 'sales', original_quarter: '', net: '99.17', tax: '19.83' },
    ]);
    expect((await csvOf(SECOND))('oss')).toEqual([
      {
        ...french,
        quarter: '2027-Q2',
        kind: 'correction',
        original_quarter: '2027-Q1',
        net: '-99.17',
        tax: '-19.83',
      },
    ]);
  });
});

describe('DATEV by document', () => {
  // Proves BOOK-203
  it('has the base of sales with a tax key under the number of the document', async () => {
    const { rows } = await datevOf(FIRST);
    const receipt = rows.filter((row) => row['Belegfeld 1'] === '"R-2027-000001"');
    expect(receipt.map((row) => Object.values(row).slice(0, 10))).toEqual([
      ['119,00', '"S"', '"USD"', '', '', '""', '1590', '8200', '"3"', '2003'],
      ['100,00', '"S"', '"USD"', '', '', '""', '8700', '1590', '""', '2003'],
      ['19,00', '"S"', '"USD"', '', '', '""', '1789', '1590', '""', '2003'],
    ]);
    // Two sales and a refund in Germany, each with its tax, which the key takes out.
    expect(balanceOf(rows, '8200')).toBe(-11_900);
    expect([balanceOf(rows, '8336'), balanceOf(rows, '8331')]).toEqual([-11_900, -9917]);
    expect(balanceOf(rows, '1590')).toBe(0);
  });

  // Proves BOOK-203
  it('takes the net sales out again, and leaves the ledger with the tax that has no key', async () => {
    for (const period of [FIRST, SECOND]) {
      const { rows } = await datevOf(period);
      const register = (await csvOf(period))('outgoing-invoices');
      expect(balanceOf(rows, '8700')).toBe(sum(register, 'net'));
      const keyed = register.filter((row) => row['tax_code'] === 'domestic');
      expect(balanceOf(rows, '1789')).toBe(-(sum(register, 'tax') - sum(keyed, 'tax')));
      expect(balanceOf(rows, '1590')).toBe(0);
    }
  });

  // Proves BOOK-203
  it('has the accounts of the chart that DATEV_CHART names', async () => {
    const { head, rows } = await datevOf(FIRST, 'SKR04, sales=4299');
    expect(head).toContain(';"04";');
    expect(balanceOf(rows, '4299')).toBe(-11_900);
    expect(balanceOf(rows, '1370')).toBe(0);
    expect(rows.some((row) => row['Konto'] === '8200')).toBe(false);
  });
});
