/** The year for an accountant, read by programs that others wrote. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { AccountKind } from '#domain/payments/ledger.ts';
import type { Period } from '#domain/payments/periods.ts';
import { HOUR_MS } from '#domain/time.ts';
import { MONEY_COMMANDS } from '#server/operator/command-line/money-commands.ts';
import { refundAd } from '#server/operator/money/money.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { writeJournal } from '#server/testing/money/journal.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { outputOf, readerIsHere } from '#server/testing/programs/readers.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { playCase } from '#server/operator/rehearsal/play.ts';
import { accrueDue } from '../../ledger/accrue.ts';
import { ACCOUNT_KINDS } from './accounts.ts';
import { readBooks } from '../books.ts';
import { exportBooks } from './export.ts';
import { runMoneyWork } from '../run.ts';

const views = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '119.00' };
const OPERATOR = { id: null, dryRun: false };
const beanCheck = await readerIsHere('beanCheck');
const hledger = await readerIsHere('hledger');

let folder: string;
let seller: Client;
let buyer: Client;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-export-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const server = useOwnServer(() => ({
  // Eleven in the evening in UTC is the next year in Berlin.
  start: new Date('2026-12-31T20:00:00Z'),
  taxTable: '{"default": "0.00", "DE": "19.00"}',
}));
beforeAll(async () => {
  seller = await server.signIn('seller', { firstName: 'Pat', lastName: 'Porter' });
  buyer = await server.signIn('buyer');
  await buyer.patch('/api/user/settings', { country: 'DE' });
  await sellAndDeliver();
  server.clock.set(new Date('2026-12-31T23:30:00Z'));
  await sellAndDeliver();
  server.clock.set(new Date('2027-02-03T10:00:00Z'));
  await runMoneyWork(server.ctx);
  // An entry that is rolled back keeps its id, too.
  await sql`select nextval(pg_get_serial_sequence('ledger_tx', 'id'))`.execute(server.ctx.db);
  const canceled = await sellAndDeliver();
  await refundAd(server.ctx, OPERATOR, { id: canceled, amount: null, reason: 'Agreed' });
  await runMoneyWork(server.ctx);
});

async function sellAndDeliver(): Promise<number> {
  const { ad } = await makeLiveAd(seller, buyer, { product: views });
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 300);
  await accrueDue(server.ctx, { early: true });
  return ad.id;
}

/** The rows of a CSV file as objects. No cell of these tests contains a comma. */
function rowsOf(dir: string, file: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(path.join(dir, file), 'utf8')
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']));
  });
}
const sumBy = (rows: readonly Record<string, string>[], cell: string) =>
  rows.reduce((sum, row) => sum + centsOf(row[cell] as string), 0);

const yearOf = (year: number): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` });
const csvOf = async (year: number, timeZone = 'UTC') => await csvFrom(yearOf(year), timeZone);

async function csvFrom(period: Period, timeZone = 'UTC') {
  const dir = path.join(folder, `${period.from}-${period.to}-${timeZone.replace('/', '-')}`);
  await exportBooks(server.ctx, period, dir, { timeZone });
  return (file: string) => rowsOf(dir, `${file}.csv`);
}

describe('the year as CSV', () => {
  // Proves OWNS-100
  it('ties: opening balances and postings are the balances of the books', async () => {
    const before = await csvOf(2026);
    expect(before('opening')).toEqual([]);
    const read = await csvOf(2027);
    expect(sumBy(read('opening'), 'amount')).toBe(0);
    const balances = new Map<string, number>();
    for (const { account, amount } of [...read('opening'), ...read('postings')]) {
      const kind = (account as string).split(':')[0] as string;
      balances.set(kind, (balances.get(kind) ?? 0) + centsOf(amount as string));
    }
    const { owed, covered, taxOwed } = await readBooks(server.ctx);
    expect(-(balances.get('publisher_payable') ?? 0)).toBe(owed.publishers);
    expect(-(balances.get('tax_payable') ?? 0)).toBe(owed.tax);
    expect(taxOwed.map(({ amountCents }) => amountCents)).toEqual([owed.tax]);
    expect(balances.get('provider_balance')).toBe(covered.providerBalance);
    const named = read('accounts');
    for (const { account } of read('postings'))
      expect(named.map((each) => each['account'])).toContain(account);
    expect(named.find(({ kind }) => kind === 'publisher_payable')?.['name']).toMatch(
      /^Owed to a publisher: Pat Porter </,
    );
    expect(named.find(({ kind }) => kind === 'tax_payable')?.['name']).toBe('Owed to a state: DE 19 %');
  });

  // Proves BOOK-200
  it('gives a posting the same entry number in every period and time zone', async () => {
    const numbersIn = (read: Awaited<ReturnType<typeof csvFrom>>) =>
      new Map(
        read('postings').map(({ entry, account, amount, at }) => [
          `${entry} ${account}`,
          `${at} ${account} ${amount}`,
        ]),
      );
    const whole = new Map([
      ...numbersIn(await csvFrom(yearOf(2026), 'Europe/Berlin')),
      ...numbersIn(await csvFrom(yearOf(2027), 'Europe/Berlin')),
    ]);
    const others = [
      await csvOf(2026),
      await csvFrom({ from: '2026-12-31', to: '2027-02-03' }, 'America/New_York'),
      await csvFrom({ from: '2027-01-01', to: '2027-03-31' }),
    ];
    for (const other of others) {
      const numbers = numbersIn(other);
      expect(numbers.size).toBeGreaterThan(5);
      for (const [number, posting] of numbers) expect(whole.get(number)).toBe(posting);
    }
  });

  // Proves BOOK-200
  it('has each posting in one of the months of a quarter', async () => {
    const postingsOf = async (from: string, to: string) => (await csvFrom({ from, to }))('postings');
    const months = [
      ...(await postingsOf('2027-01-01', '2027-01-31')),
      ...(await postingsOf('2027-02-01', '2027-02-28')),
      ...(await postingsOf('2027-03-01', '2027-03-31')),
    ];
    expect(months).toEqual(await postingsOf('2027-01-01', '2027-03-31'));
    // The last day is inside.
    expect(await postingsOf('2027-02-03', '2027-02-03')).not.toEqual([]);
    expect(await postingsOf('2027-02-03', '2027-02-02')).toEqual([]);
  });

  // Proves OWNS-100
  it('lists documents with their tax, credit notes below zero, and ties them to the tax owed', async () => {
    const documents = [...(await csvOf(2026))('documents'), ...(await csvOf(2027))('documents')];
    const taxed = documents.filter(({ kind }) => kind === 'receipt' || kind === 'credit_note');
    // All three sales end with a part that was not delivered.
    const notes = taxed.filter(({ kind }) => kind === 'credit_note');
    expect([taxed.length, notes.length]).toEqual([6, 3]);
    for (const { net, tax, amount } of taxed)
      expect(centsOf(net as string) + centsOf(tax as string)).toBe(centsOf(amount as string));
    expect(taxed[0]).toMatchObject({ country: 'DE', rate: '19.00', net: '100.00', tax: '19.00' });
    for (const { amount } of notes) expect(centsOf(amount as string)).toBeLessThan(0);
    expect(sumBy(taxed, 'tax')).toBe((await readBooks(server.ctx)).owed.tax);
  });

  // Proves OWNS-100
  it('says what each publisher was paid out, and how many ads were sold', async () => {
    const [row] = (await csvOf(2027))('publishers');
    expect(row).toMatchObject({ publisher_id: String(seller.user.id), sales: '1', paid_out: '0.00' });
  });

  it('has the days of BUSINESS_TIME_ZONE, unless --time-zone names another', async () => {
    const config = { ...server.ctx.config, businessTimeZone: 'Europe/Berlin' };
    const run = async (options: object) => {
      const dir = path.join(folder, 'business');
      const { lines } = await MONEY_COMMANDS['money export']!.run({
        ctx: { ...server.ctx, config },
        operator: OPERATOR,
        args: [],
        options: { from: '2027-01-01', to: '2027-01-01', dir, dryRun: false, ...options },
      });
      return lines.find((line) => line.includes('postings'));
    };
    expect(await run({})).not.toMatch(/ 0 rows$/);
    expect(await run({ timeZone: 'UTC' })).toMatch(/ 0 rows$/);
  });

  // Proves DOCU-17
  it('begins the year of entries where its time zone says, and has the documents whose day is in the year', async () => {
    const rows = async (file: string, kind: string, timeZone: string) => {
      const of = async (year: number) =>
        new Set(
          (await csvOf(year, timeZone))(file)
            .filter((row) => row['kind'] === kind)
            .map((row) => row['ad']),
        ).size;
      return [await of(2026), await of(2027)];
    };
    expect(await rows('postings', 'paid', 'UTC')).toEqual([2, 1]);
    expect(await rows('postings', 'paid', 'Europe/Berlin')).toEqual([1, 2]);
    expect(await rows('documents', 'receipt', 'UTC')).toEqual([2, 1]);
    expect(await rows('documents', 'receipt', 'Europe/Berlin')).toEqual([2, 1]);
  });

  it.each(['Asia/Calcutta', 'GMT', 'europe/berlin', 'Etc/GMT+3'])(
    'accepts --time-zone %s',
    async (timeZone) => {
      const options = { year: '2026', dir: path.join(folder, 'zones'), dryRun: false, timeZone };
      const running = MONEY_COMMANDS['money export']!.run({
        ctx: server.ctx,
        operator: OPERATOR,
        args: [],
        options,
      });
      expect((await running).lines[0]).toMatch(/postings\.csv/);
    },
  );

  it.each([
    ['--format', { format: 'xml' }],
    ['--time-zone', { timeZone: 'Mars/Base' }],
    ['--year', { year: '26' }],
    ['--to', { year: undefined, from: '2027-01-31', to: '2027-01-01' }],
    ['--to', { year: undefined, from: '2027-01-01', to: '2027-02-04' }],
    ['--from', { year: undefined, from: '2026-02-30', to: '2027-01-01' }],
    ['--to', { year: undefined, from: '2026-12-01', to: '2027-01-31', format: 'datev' }],
  ])('refuses a wrong %s by name', async (name, wrong) => {
    const options = { year: '2026', dir: folder, dryRun: false, ...wrong };
    const running = MONEY_COMMANDS['money export']!.run({
      ctx: server.ctx,
      operator: OPERATOR,
      args: [],
      options,
    });
    await expect(running).rejects.toThrow(name);
  });
});

// Proves OWNS-100
it('ties the yearly sums of each publisher to their balance, also if the bank returns a lost dispute', async () => {
  const other = await server.signIn('seller');
  const { ad } = await makeLiveAd(other, buyer, { product: views });
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), 400);
  await accrueDue(server.ctx, { early: true });
  for (const play of ['dispute', 'dispute_lost', 'appeal', 'dispute_won'] as const) {
    await playCase(server.ctx, sandboxOf(server), { play, ad: ad.id });
    await runMoneyWork(server.ctx);
  }
  const { rows } = await sql<{ id: number; cents: string }>`
    select owner_id as id, -sum(p.amount_cents) as cents
      from ledger_postings p join ledger_accounts a on a.id = p.account_id join ledger_tx t on t.id = p.tx_id
      where a.kind in ('publisher_payable', 'publisher_receivable') and t.recorded_at >= '2027-01-01' group by 1`.execute(
    server.ctx.db,
  );
  const published = (await csvOf(2027))('publishers').map(({ publisher_id: id, gross, fees }) => ({
    id: Number(id),
    cents: String(centsOf(gross as string) - centsOf(fees as string)),
  }));
  expect(published).toEqual(expect.arrayContaining(rows));
  expect(rows.find(({ id }) => id === other.user.id)?.cents).not.toBe('0');
});

describe('the year for other programs', () => {
  // Proves OWNS-101
  it.runIf(beanCheck.here)(`is accepted by bean-check, with its balances${beanCheck.note}`, async () => {
    for (const year of [2026, 2027]) {
      const [file] = await exportBooks(server.ctx, yearOf(year), path.join(folder, `b${year}`), {
        format: 'beancount',
      });
      await outputOf('bean-check', [file!.file]);
    }
    const [made] = await exportBooks(server.ctx, yearOf(2027), folder, { format: 'beancount' });
    const { file } = made!;
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/(Liabilities:PublisherPayable:\d+ {2}-?\d+)\.(\d\d)/, '$1.99'));
    await expect(outputOf('bean-check', [file])).rejects.toThrow(/balance/i);
  });

  // Proves OWNS-101
  it.runIf(hledger.here)(
    `is read by hledger, which finds the balances of the books${hledger.note}`,
    async () => {
      const read = await csvOf(2027);
      const journal = path.join(folder, 'postings.journal');
      writeJournal(journal, '2027-01-01', { opening: read('opening'), postings: read('postings') });
      const balance = await outputOf('hledger', [
        '-f',
        journal,
        'balance',
        'publisher_payable',
        'tax_payable',
        '-O',
        'csv',
      ]);
      const { owed } = await readBooks(server.ctx);
      expect(balance).toContain(`"-${decimalOf(owed.publishers + owed.tax)} USD"`);
    },
  );

  // Proves OWNS-101
  it('is a batch for DATEV whose transit account ends at zero', async () => {
    const [made] = await exportBooks(server.ctx, yearOf(2027), folder, { format: 'datev' });
    expect(path.basename(made!.file)).toBe('EXTF_bookings.csv');
    const [head, columns, ...rows] = readFileSync(made!.file, 'latin1').trimEnd().split('\r\n');
    expect(head).toMatch(/^"EXTF";700;21;"Buchungsstapel";13;\d{17};/);
    expect(head).toContain(';20270101;4;20270101;20271231;');
    const width = columns!.split(';').length;
    const cents = rows.map((row) => {
      const cells = row.split(';');
      expect(cells).toHaveLength(width);
      // A sale is booked from the transit account, so that its tax key is about the sales.
      expect([cells[6], cells[7]]).toContain('1590');
      return Number(cells[0]!.replace(',', '')) * ((cells[1] === '"S"') === (cells[6] === '1590') ? 1 : -1);
    });
    expect(cents.length).toBeGreaterThan(10);
    expect(cents.reduce((sum, each) => sum + each, 0)).toBe(0);
  });

  // Proves OWNS-101
  it('has the result of its own month or quarter alone, which bean-check accepts', async () => {
    const period = { from: '2027-02-01', to: '2027-02-28' };
    const [made] = await exportBooks(server.ctx, period, folder, { format: 'beancount' });
    if (beanCheck.here) await outputOf('bean-check', [made!.file]);
    const text = readFileSync(made!.file, 'utf8');
    const earned = [...text.matchAll(/^ {2}Income:Commission {2}(\S+) USD$/gm)].map(([, amount]) => amount!);
    const booked = (await csvFrom(period))('postings').filter(({ account }) => account === 'commission');
    expect(earned.length).toBeGreaterThan(0);
    expect(earned).toEqual(booked.map(({ amount }) => amount));
    expect(text).toMatch(/^2027-02-01 open Equity:EarlierResults$/m);
    expect(text).toMatch(/^2027-03-01 balance Income:Commission {2}/m);
  });

  // Proves OWNS-101
  it('opens the accounts of DATEV with the first batch of a year alone', async () => {
    const rowsIn = async (period: Period) => {
      const [made] = await exportBooks(server.ctx, period, folder, { format: 'datev' });
      return readFileSync(made!.file, 'latin1').trimEnd().split('\r\n');
    };
    const january = await rowsIn({ from: '2027-01-01', to: '2027-01-31' });
    expect(january.some((row) => row.includes('Opening'))).toBe(true);
    const february = await rowsIn({ from: '2027-02-01', to: '2027-02-28' });
    expect(february[0]).toContain(';20270101;4;20270201;20270228;"Ad space 20270201-20270228";');
    expect(february.some((row) => row.includes('Opening'))).toBe(false);
    expect([...january, ...february.slice(2)]).toHaveLength((await rowsIn(yearOf(2027))).length);
  });

  // Proves OWNS-101
  it('begins with no income or expense of earlier years, which are one account of equity', async () => {
    const read = await csvOf(2028);
    const kinds = read('accounts').filter(({ kind }) =>
      ['Income', 'Expenses'].includes(ACCOUNT_KINDS[kind as AccountKind].root),
    );
    const earlier = sumBy(
      read('opening').filter(({ account }) => kinds.some((each) => each['account'] === account)),
      'amount',
    );
    expect(earlier).toBeLessThan(0);
    const [beancount] = await exportBooks(server.ctx, yearOf(2028), folder, { format: 'beancount' });
    const text = readFileSync(beancount!.file, 'utf8');
    expect(text).toContain(`\n  Equity:EarlierResults  ${decimalOf(earlier)} USD\n`);
    expect(text).not.toMatch(/^ {2}(?:Income|Expenses):/m);
    if (beanCheck.here) await outputOf('bean-check', [beancount!.file]);
    const [datev] = await exportBooks(server.ctx, yearOf(2028), folder, { format: 'datev' });
    const rows = readFileSync(datev!.file, 'latin1').split('\r\n').slice(2);
    expect(rows.filter((row) => row.split(';')[6] === '8510')).toEqual([]);
    expect(rows.filter((row) => row.split(';')[6] === '860')).toHaveLength(1);
  });

  // Proves OWNS-100
  it.runIf(beanCheck.here)(`is one snapshot while a refund is made${beanCheck.note}`, async () => {
    const id = await sellAndDeliver();
    server.clock.advance(HOUR_MS);
    const [made] = await Promise.all([
      exportBooks(server.ctx, yearOf(2027), path.join(folder, 'during'), { format: 'beancount' }),
      refundAd(server.ctx, OPERATOR, { id, amount: null, reason: 'Agreed' }),
    ]);
    await expect(outputOf('bean-check', [made[0]!.file])).resolves.toBe('');
  });
});
