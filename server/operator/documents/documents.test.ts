/** Documents at hand: the operator finds, reads, prints and exports the documents of all people. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refundAd } from '#server/operator/money/money.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import type { Client } from '#server/testing/client.ts';
import { makeOperator, putInForce } from '#server/testing/operator.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { DOCUMENT_COMMANDS } from '../command-line/document-commands.ts';

const COMMAND_LINE = { id: null, dryRun: false };
const RECEIPT = 'R-2026-000001';
const NOTE = 'C-2026-000001';
const views = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '119.00' };

const server = useOwnServer({
  start: new Date('2026-05-31T22:30:00Z'),
  env: { SELLER_COUNTRY: 'DE', SELLER_TAX_ID: '27/123/45678' },
});
let folder: string;
let desk: Client;
let deskId: number;
let buyer: Client;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-papers-'));
  const operator = await makeOperator(server);
  [desk, deskId] = [operator.client, operator.client.user.id];
  buyer = await server.signIn('buyer');
  await buyer.patch('/api/user/settings', {
    businessName: 'Brot & Söhne',
    country: 'DE',
    taxId: 'DE123456789',
  });
  const { ad } = await makeLiveAd(await server.signIn('seller'), buyer, { product: views });
  await refundAd(server.ctx, COMMAND_LINE, { id: ad.id, amount: null, reason: 'Agreed' });
  await runMoneyWork(server.ctx);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function run(name: keyof typeof DOCUMENT_COMMANDS, options: object, ...args: string[]) {
  const input = { ctx: server.ctx, operator: COMMAND_LINE, args, options: { dryRun: false, ...options } };
  return await DOCUMENT_COMMANDS[name]!.run(input);
}

const readings = async () =>
  await server.ctx.db
    .selectFrom('operatorActs')
    .select(['operatorId', 'subjectName', 'affectedId'])
    .where('act', '=', 'read-document')
    .orderBy('id')
    .execute();

async function found(words: string): Promise<string[]> {
  const query = new URLSearchParams({ q: words }).toString();
  const { status, body } = await desk.get(`/api/operator/find/document?${query}`);
  expect(status).toBe(200);
  return (body as { path: string }[]).map(({ path: at }) => at.slice('/operator/documents/'.length));
}

describe('a document in the console', () => {
  // Proves BOOK-204
  it.each([
    ['its number', RECEIPT, [RECEIPT]],
    ['its number in small letters', RECEIPT.toLowerCase(), [RECEIPT]],
    ['its amount', '119.00', [NOTE, RECEIPT]],
    ['an amount below zero', '-119,00', [NOTE, RECEIPT]],
    ['a part of the name', 'söhne', [NOTE, RECEIPT]],
    ['the VAT number', 'DE123456789', [NOTE, RECEIPT]],
    ['nothing', '', [NOTE, RECEIPT]],
    ['an amount that no document has', '118.99', []],
    ['a wildcard', '%', []],
    ['a number of no document', 'R-2026-000009', []],
  ])('is found by %s', async (_by, words, numbers) => {
    expect(await found(words)).toEqual(numbers);
  });

  // Proves BOOK-204, BOOK-205, DOCU-16
  it('is a page, a PDF and an e-invoice, and each reading is an act that the person does not see', async () => {
    const before = (await readings()).length;
    const page = await desk.get(`/api/operator/documents/${NOTE}`);
    expect(page).toMatchObject({
      status: 200,
      body: { title: `Credit note ${NOTE}`, personId: buyer.user.id, pdf: `/operator/documents/${NOTE}.pdf` },
    });
    for (const words of ['Brot & Söhne', '-$119.00', RECEIPT]) expect(page.text).toContain(words);
    const pdf = await desk.get(`/operator/documents/${NOTE}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const act = { operatorId: deskId, subjectName: NOTE, affectedId: null };
    expect((await readings()).slice(before)).toEqual([act, act]);
    const invoice = `/operator/documents/${NOTE}.xml`;
    expect(page.body.xml).toBe(invoice);
    const ubl = await desk.get(invoice);
    expect([ubl.status, ubl.headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(ubl.text).toContain(`<cbc:ID>${NOTE}</cbc:ID>`);
    expect((await readings()).slice(before)).toEqual([act, act, act]);
    expect((await desk.get('/api/operator/audit')).body[0]).toMatchObject({
      text: `Read the document “${NOTE}”`,
      by: desk.user.email,
      path: `/operator/documents/${NOTE}`,
    });
  });

  it.each(['R-2026-000009', 'R-2026-1', 'nonsense', "R-2026-000001'--"])('is 404 for %s', async (number) => {
    const before = (await readings()).length;
    expect((await desk.get(`/api/operator/documents/${encodeURIComponent(number)}`)).status).toBe(404);
    for (const end of ['pdf', 'xml'])
      expect((await desk.get(`/operator/documents/${encodeURIComponent(number)}.${end}`)).status).toBe(404);
    expect(await readings()).toHaveLength(before);
  });

  it('is for operators only', async () => {
    expect((await buyer.get(`/api/operator/documents/${RECEIPT}`)).status).toBe(404);
    expect((await buyer.get(`/operator/documents/${RECEIPT}.pdf`)).status).toBe(404);
    expect((await buyer.get(`/operator/documents/${RECEIPT}.xml`)).status).toBe(404);
  });
});

describe('openslot documents', () => {
  // Proves BOOK-204
  it('lists the documents of days, as they print them', async () => {
    const may = { from: '2026-05-01', to: '2026-05-31' };
    expect((await run('documents list', may)).lines).toEqual([
      `${RECEIPT}  receipt  2026-05-31  119.00 USD  Brot & Söhne  DE123456789`,
      `${NOTE}  credit_note  2026-05-31  -119.00 USD  Brot & Söhne  DE123456789`,
    ]);
    expect((await run('documents list', { ...may, to: '2026-05-30' })).lines).toEqual([
      'There is no document of these days.',
    ]);
    await expect(run('documents list', { ...may, timeZone: 'Europe/Berlin' })).rejects.toThrow('--time-zone');
  });

  // Proves BOOK-204, BOOK-205, DOCU-16
  it('shows one, and writes the PDF and the e-invoice of each with an index', async () => {
    const before = (await readings()).length;
    expect((await run('documents show', {}, RECEIPT)).lines).toContain('Number: R-2026-000001');
    const toDir = path.join(folder, 'papers');
    const { lines, refused } = await run('documents export', { year: '2026', toDir });
    expect([lines, refused]).toEqual([[`${path.join(toDir, 'documents.csv')}  2 PDFs`], false]);
    expect(readdirSync(toDir).toSorted()).toEqual(
      [NOTE, RECEIPT].flatMap((number) => [`${number}.pdf`, `${number}.xml`]).concat('documents.csv'),
    );
    expect(readFileSync(path.join(toDir, `${NOTE}.xml`), 'utf8')).toContain('<CreditNote xmlns=');
    expect(readFileSync(path.join(toDir, `${NOTE}.pdf`), 'latin1')).toMatch(/^%PDF-/);
    const [header, ...rows] = readFileSync(path.join(toDir, 'documents.csv'), 'utf8').trimEnd().split('\r\n');
    expect(header).toMatch(/^\uFEFFnumber,kind,date,.*,original_quarter,file,e_invoice$/);
    expect(rows.map((row) => row.split(',').slice(-2))).toEqual(
      [RECEIPT, NOTE].map((number) => [`${number}.pdf`, `${number}.xml`]),
    );
    expect((await readings()).slice(before).map(({ subjectName }) => subjectName)).toEqual([
      RECEIPT,
      RECEIPT,
      NOTE,
    ]);
  });

  it.each([
    ['documents list', { from: '2026-05-31', to: '2026-05-01' }, [], '--to: it is before'],
    ['documents list', { from: '2026-05-01', to: '2026-06-30' }, [], '--to: this day has not come'],
    ['documents list', {}, [], '--year'],
    ['documents show', {}, [], 'Name a document'],
    ['documents show', {}, ['R-2026-000009'], 'There is no document'],
    ['documents export', { year: '2026' }, [], '--to-dir'],
    ['documents export', { year: '2026', toDir: '/dev/null/papers' }, [], 'Cannot write'],
  ] as const)('refuses %s with %j %j', async (name, options, args, says) => {
    await expect(run(name, options, ...args)).rejects.toThrow(says);
  });
});

describe('the documents of a deleted account', () => {
  // Proves BOOK-205
  it('can be read until the end of DOCUMENT_YEARS years after the year of their issue', async () => {
    await server.ctx.db
      .updateTable('users')
      .set({ deletedAt: server.ctx.now() })
      .where('id', '=', buyer.user.id)
      .execute();
    server.clock.set(new Date('2036-12-31T23:00:00Z'));
    expect((await run('documents show', {}, RECEIPT)).lines[0]).toBe(`Receipt ${RECEIPT}`);
    server.clock.set(new Date('2037-01-01T01:00:00Z'));
    await expect(run('documents show', {}, RECEIPT)).rejects.toThrow('There is no document');
    expect((await run('documents list', { year: '2026' })).lines).toEqual([
      'There is no document of these days.',
    ]);
    const toDir = path.join(folder, 'late');
    await run('documents export', { year: '2026', toDir });
    expect(existsSync(path.join(toDir, `${RECEIPT}.pdf`))).toBe(false);
    await putInForce(server, { DOCUMENT_YEARS: '11' });
    expect((await run('documents show', {}, RECEIPT)).lines[0]).toBe(`Receipt ${RECEIPT}`);
    await putInForce(server, { DOCUMENT_YEARS: '10' });
  });
});
