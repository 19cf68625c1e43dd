/** The days, years and months of papers in the time zone of the marketplace, also if the operator changes it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import { readCsv } from '#domain/read-csv.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { textOfPdf } from '#server/testing/pdf.ts';
import type { TestServer } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { checkMoney } from '../books/check.ts';
import { exportBooks } from '../books/export/export.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { makeMonthlyDocuments } from './months.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-days-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function moveTo({ ctx }: TestServer, timeZone: string): Promise<void> {
  const { command, args } = commandOf(['settings', 'set', 'BUSINESS_TIME_ZONE', timeZone]);
  await command.run({ ctx, operator: { id: null }, args, options: { dryRun: false, reason: 'We moved' } });
}
const documents = async (client: Client, query = ''): Promise<DocumentItem[]> =>
  (await client.get(`/api/documents${query}`)).body;

describe('at the end of a year', () => {
  const server = useOwnServer({ start: new Date('2026-12-31T22:50:00Z') });
  let seller: Client;
  let buyer: Client;
  beforeAll(async () => {
    await moveTo(server, 'Europe/Berlin');
    seller = await server.signIn('seller');
    buyer = await server.signIn('buyer');
  });
  const receipts = async () =>
    (await documents(buyer)).map(({ number, date }) => [number, date]).toReversed();
  const pageOf = async (number: string) => (await buyer.get(`/api/documents/${number}`)).text;
  async function exported(year: string, timeZone?: string): Promise<string[][]> {
    await exportBooks(server.ctx, { from: `${year}-01-01`, to: `${year}-12-31` }, folder, { timeZone });
    const [, ...rows] = readCsv(readFileSync(path.join(folder, 'documents.csv'), 'utf8'));
    return rows.map((row) => row.slice(0, 3));
  }

  // Proves DOCU-17
  it('paper, list and export have the day and the year of Berlin', async () => {
    await makeLiveAd(seller, buyer);
    server.clock.set(new Date('2026-12-31T23:30:00Z'));
    await makeLiveAd(seller, buyer);
    expect(await receipts()).toEqual([
      ['R-2026-000001', '2026-12-31'],
      ['R-2027-000001', '2027-01-01'],
    ]);
    expect(await pageOf('R-2027-000001')).toMatch(/Issued<\/dt><dd>Jan 1, 2027.*Paid<\/dt><dd>Jan 1, 2027/s);
    expect(await exported('2026')).toEqual([['R-2026-000001', 'receipt', '2026-12-31']]);
    expect(await exported('2027')).toEqual([['R-2027-000001', 'receipt', '2027-01-01']]);
    // Another time zone of the entries is none of the papers.
    expect(await exported('2026', 'UTC')).toEqual([['R-2026-000001', 'receipt', '2026-12-31']]);
  });

  // Proves DOCU-18
  it('another time zone takes neither numbers nor days back, and changes no paper', async () => {
    const page = await pageOf('R-2027-000001');
    const pdf = await (
      await fetch(`${server.url}/api/documents/R-2027-000001.pdf`, { headers: { cookie: buyer.cookie } })
    ).arrayBuffer();
    await moveTo(server, 'UTC');
    await makeLiveAd(seller, buyer);
    await moveTo(server, 'America/New_York');
    server.clock.set(new Date('2027-01-01T04:30:00Z'));
    await makeLiveAd(seller, buyer);
    await moveTo(server, 'Pacific/Kiritimati');
    server.clock.set(new Date('2027-01-01T10:30:00Z'));
    await makeLiveAd(seller, buyer);
    expect(await receipts()).toEqual([
      ['R-2026-000001', '2026-12-31'],
      ['R-2027-000001', '2027-01-01'],
      ['R-2027-000002', '2027-01-01'],
      ['R-2027-000003', '2027-01-01'],
      ['R-2027-000004', '2027-01-02'],
    ]);
    expect(await pageOf('R-2027-000001')).toBe(page);
    expect(await textOfPdf(pdf)).toContain('Jan 1, 2027');
    expect((await exported('2026')).map(([number]) => number)).toEqual(['R-2026-000001']);
    expect((await exported('2027')).length).toBe(4);
    expect((await checkMoney(server.ctx)).differences).toEqual([]);
  });

  // Proves DOCU-18
  it('papers that are made at once around a change have one series without gaps', async () => {
    const days = ['2027-12-31', '2028-01-01', null];
    const made = Array.from({ length: 18 }, async (_each, at) => {
      await server.ctx.db.transaction().execute(async (tx) => {
        await tx
          .insertInto('documents')
          .values({
            book: 'sandbox',
            kind: 'statement',
            userId: seller.user.id,
            issuedAt: new Date('2027-12-31T23:30:00Z'),
            issuedOn: days[at % 3] ?? null,
            month: `20${10 + at}-01-01`,
            side: 'buyer',
            amountCents: 0,
            currency: 'USD',
            seller: '{}',
            customer: '{}',
            content: '{}',
          })
          .execute();
        if (at % 5 === 4) throw new Error('changed my mind');
      });
    });
    await Promise.allSettled(made);
    const { rows } = await sql<{ year: number; serial: number; day: string }>`
      select year, serial, issued_on as day from documents where kind = 'statement' order by year, serial`.execute(
      server.ctx.db,
    );
    expect(rows).toHaveLength(15);
    expect(rows.map(({ day }) => day)).toEqual(rows.map(({ day }) => day).toSorted());
    for (const year of [2027, 2028]) {
      const serials = rows.filter((row) => row.year === year).map(({ serial }) => serial);
      expect(serials).toEqual(serials.map((_serial, at) => at + 1));
    }
    for (const { year, day } of rows) expect(day.slice(0, 4)).toBe(String(year));
  });

  // Proves DOCU-18
  it('papers of an earlier release keep the day in UTC that they print', async () => {
    await server.owner.transaction().execute(async (tx) => {
      await sql`alter table documents disable trigger user`.execute(tx);
      await sql`update documents set issued_on = null where number = 'R-2027-000001'`.execute(tx);
      await sql`alter table documents enable trigger user`.execute(tx);
    });
    expect((await receipts()).find(([number]) => number === 'R-2027-000001')?.[1]).toBe('2026-12-31');
    expect((await exported('2026')).map(([number]) => number)).toEqual(['R-2026-000001', 'R-2027-000001']);
  });
});

describe.each([
  // The month ends two hours before UTC, and four hours after it.
  { timeZone: 'Europe/Berlin', inMarch: '2027-03-31T21:30:00Z', inApril: '2027-03-31T22:30:00Z' },
  { timeZone: 'America/New_York', inMarch: '2027-04-01T03:30:00Z', inApril: '2027-04-01T04:30:00Z' },
])('a month of commission in $timeZone', ({ timeZone, inMarch, inApril }) => {
  const server = useOwnServer({ start: new Date('2027-03-10T10:00:00Z') });
  beforeAll(async () => await moveTo(server, timeZone));
  const noteOf = async (client: Client, month: string) =>
    (await documents(client)).find((each) => each.kind === 'commission_note' && each.month === month)?.amount;
  async function earn(ad: Ad, instant: string, views: number): Promise<void> {
    server.clock.set(new Date(instant));
    await countAt(server.ctx, ad, instant, views);
    await accrueDue(server.ctx, { early: true });
  }

  // Proves DOCU-19
  it('ends at midnight there, and what is earned later is in the next one, once', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const product = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };
    const { ad } = await makeLiveAd(seller, buyer, { product });
    await earn(ad, inMarch, 100);
    expect(await makeMonthlyDocuments(server.ctx)).toBe(0);
    await earn(ad, inApril, 200);
    server.clock.set(new Date('2027-04-01T05:00:00Z'));
    await makeMonthlyDocuments(server.ctx);
    expect(await noteOf(seller, '2027-03')).toBe('1.50');
    expect(await noteOf(seller, '2027-04')).toBeUndefined();
    // The next month ends in another time zone.
    await moveTo(server, 'UTC');
    await earn(ad, '2027-04-30T23:30:00Z', 400);
    server.clock.set(new Date('2027-05-01T05:00:00Z'));
    await makeMonthlyDocuments(server.ctx);
    expect(await noteOf(seller, '2027-04')).toBe('9.00');
    expect((await checkMoney(server.ctx)).differences).toEqual([]);
  });

  // Proves DOCU-19
  it('statements stay in UTC', async () => {
    const statements = await server.ctx.db
      .selectFrom('documents')
      .select(['month', 'side', 'amountCents'])
      .where('kind', '=', 'statement')
      .where('side', '=', 'publisher')
      .orderBy('month')
      .execute();
    const march = timeZone === 'Europe/Berlin' ? [8_50 + 17_00] : [];
    expect(statements.map(({ amountCents }) => amountCents)).toEqual([...march, 59_50]);
  });
});
