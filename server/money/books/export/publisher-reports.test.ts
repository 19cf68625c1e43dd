/** The yearly report of publishers, and what publishers are asked for it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { centsOf } from '#domain/money.ts';
import type { PublisherReport } from '#domain/payments/publisher-reports.ts';
import { makeMonthlyDocuments } from '#server/money/documents/months.ts';
import { commandOf } from '#server/operator/command-line/commands.ts';
import { refundAd } from '#server/operator/money/money.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { confirm } from '#server/testing/money/payout-market.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { accrueDue } from '../../ledger/accrue.ts';
import { exportBooks } from './export.ts';

const server = useOwnServer({ start: new Date('2027-02-10T10:00:00Z') });
let folder: string;
let buyer: Client;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-reports-'));
  buyer = await server.signIn('buyer');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function report(kind: PublisherReport): Promise<void> {
  const { command, args } = commandOf(['settings', 'set', 'PUBLISHER_REPORTS', kind]);
  await command.run({
    ctx: server.ctx,
    args,
    options: { dryRun: false, reason: 'Law' },
    operator: { id: null },
  });
}

/** Sells an ad of this price, of which these percents are delivered. */
async function sell(seller: Client, price: string, percent: number): Promise<number> {
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100, price };
  const { ad } = await makeLiveAd(seller, buyer, { product });
  await countAt(server.ctx, ad, server.ctx.now().toISOString(), percent);
  await accrueDue(server.ctx, { early: true });
  return ad.id;
}

async function files(): Promise<Map<string, Record<string, string>[]>> {
  const period = { from: '2027-01-01', to: '2027-12-31' };
  const made = await exportBooks(server.ctx, period, folder, { timeZone: 'UTC' });
  return new Map(
    made.map(({ file }) => {
      const [header = '', ...lines] = readFileSync(file, 'utf8')
        .replace('\uFEFF', '')
        .trimEnd()
        .split('\r\n');
      const names = header.split(',');
      const rows = lines.map((line) =>
        Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])),
      );
      return [path.basename(file, '.csv'), rows];
    }),
  );
}

// Proves BOOK-231
it('asks for a date of birth or a registration number only where a report needs it', async () => {
  const seller = await server.signIn('seller');
  const change = async (details: object) => {
    const { status, body } = await seller.patch('/api/user/settings', details);
    return status === 200 ? 200 : [status, body.message];
  };
  const notAsked = [400, 'This marketplace doesn’t ask for this.'];
  for (const kind of ['off', '1099-k'] as const) {
    await report(kind);
    expect((await seller.get('/api/user/settings')).body.isReportAsked).toBe(false);
    expect(await change({ birthDate: '1990-12-31' })).toEqual(notAsked);
    expect(await change({ registrationNumber: 'HRB 1' })).toEqual(notAsked);
  }
  await report('dac7');
  expect((await seller.get('/api/user/settings')).body.isReportAsked).toBe(true);
  for (const birthDate of ['1899-12-31', '2027-02-10', '2990-01-01'])
    expect(await change({ birthDate })).toEqual([400, 'Enter your date of birth.']);
  for (const birthDate of ['1990-02-30', '31.12.1990'])
    expect(await change({ birthDate })).toEqual([400, expect.any(String)]);
  expect(await change({ birthDate: '1990-12-31', registrationNumber: 'HRB 1' })).toBe(200);
  expect((await seller.get('/api/user/settings')).body).toMatchObject({ birthDate: '1990-12-31' });
  expect(await change({ birthDate: '' })).toBe(200);
  expect((await seller.get('/api/user/settings')).body.birthDate).toBeNull();
});

// Proves BOOK-230
it('is a row for each publisher, which ties to the earnings, and names what is missing', async () => {
  await report('dac7');
  const seller = await server.signIn('seller', { firstName: 'Pat', lastName: 'Porter' });
  await seller.patch('/api/user/settings', { taxId: 'X1', address: 'Weg 1', birthDate: '1990-12-31' });
  const company = await server.signIn('seller');
  await company.patch('/api/user/settings', { businessName: 'Slots Ltd', taxStatus: 'business' });
  await sell(seller, '100.00', 100);
  const canceled = await sell(seller, '50.00', 40);
  await refundAd(server.ctx, { id: null, dryRun: false }, { id: canceled, amount: null, reason: 'Agreed' });
  await sell(company, '10.00', 50);
  server.clock.set(new Date('2027-05-20T10:00:00Z'));
  await sell(seller, '20.00', 100);

  const all = await files();
  const rows = all.get('publisher-reports')!;
  expect(rows.find(({ publisher_id: id }) => id === String(seller.user.id))).toMatchObject({
    name: 'Pat Porter',
    birth_date: '1990-12-31',
    missing: '',
    q1_gross: '120.00',
    q1_fees: '18.00',
    q1_sales: '2',
    q2_gross: '20.00',
    q2_fees: '3.00',
    q2_sales: '1',
    q3_gross: '0.00',
    m02_charged: '150.00',
    m05_charged: '20.00',
    charged: '170.00',
    sales: '3',
    currency: 'USD',
  });
  expect(rows.find(({ name }) => name === 'Slots Ltd')).toMatchObject({
    status: 'business',
    missing: 'address tax_id registration_number',
  });
  for (const { publisher_id: id, gross, fees } of all.get('publishers')!) {
    const row = rows.find((each) => each['publisher_id'] === id)!;
    const sum = (of: string) => [1, 2, 3, 4].reduce((cents, n) => cents + centsOf(row[`q${n}_${of}`]!), 0);
    expect([sum('gross'), sum('fees')]).toEqual([centsOf(gross!), centsOf(fees!)]);
  }
  await report('off');
  expect((await files()).has('publisher-reports')).toBe(false);
});

// Proves BOOK-230
it('names a publisher who deleted the account until the report of that year was due', async () => {
  await report('dac7');
  const seller = await server.signIn('seller', { firstName: 'Lea', lastName: 'Ving' });
  await seller.patch('/api/user/settings', { birthDate: '1980-01-01', address: 'Weg 2', taxId: 'X2' });
  await sell(seller, '10.00', 100);
  await confirm(seller);
  expect((await seller.delete('/api/user/account?waive=8.50')).status).toBe(200);
  server.clock.set(new Date('2028-11-20T10:00:00Z'));
  await makeMonthlyDocuments(server.ctx);
  const row = (await files())
    .get('publisher-reports')!
    .find(({ publisher_id: id }) => id === String(seller.user.id));
  expect(row).toMatchObject({
    name: 'Lea Ving',
    birth_date: '1980-01-01',
    tax_id: 'X2',
    missing: '',
    email: '',
  });
  server.clock.set(new Date('2029-02-20T10:00:00Z'));
  await makeMonthlyDocuments(server.ctx);
  const kept = server.ctx.db
    .selectFrom('closingParties')
    .select('userId')
    .where('userId', '=', seller.user.id);
  expect(await kept.execute()).toEqual([]);
});
