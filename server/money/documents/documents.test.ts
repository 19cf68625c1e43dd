/** Receipts, credit notes, commission notes and statements over HTTP, as pages and as PDF. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import type { Statement } from '#domain/payments/statement-contract.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { refundAd } from '#server/operator/money/money.ts';
import { playCase } from '#server/operator/rehearsal/play.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { textOfPdf } from '#server/testing/pdf.ts';
import { PASSWORD } from '#server/testing/accounts/sign-in.ts';
import { sandboxOf } from '#server/testing/money/sandbox.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, pay } from '#server/testing/story.ts';
import { checkMoney } from '../books/check.ts';
import { exportBooks } from '../books/export/export.ts';
import { runMoneyWork } from '../books/run.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { sendDueRefunds } from '../refunds/send.ts';
import { issueReceipt } from './issue.ts';
import { makeMonthlyDocuments } from './months.ts';
import { mailMonths } from './tell-months.ts';

const START = new Date('2026-01-10T10:00:00Z');
const OPERATOR = { id: null, dryRun: false };

let folder: string;
let seller: Client;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'openslot-documents-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const server = useOwnServer(() => ({
  start: START,
  env: {
    SELLER_NAME: 'Slot Market GmbH',
    SELLER_ADDRESS: 'Marktstraße 1\\n10115 Berlin',
    SELLER_TAX_ID: 'DE811',
    SELLER_LEGAL: 'HRB 4711\\nAmtsgericht Berlin',
  },
  taxTable: '{"default": "0.00", "DE": "19.00", "CH": "8.1"}',
}));
beforeAll(async () => {
  seller = await server.signIn('seller', { firstName: 'Pat', lastName: 'Porter' });
});

const documentsOf = async (client: Client, query = ''): Promise<DocumentItem[]> =>
  (await client.get(`/api/documents${query}`)).body;
const ofKind = (items: DocumentItem[], kind: DocumentItem['kind']) =>
  items.filter((each) => each.kind === kind);
const receiptOf = async (client: Client, ad: Ad) =>
  ofKind(await documentsOf(client), 'receipt').find(({ adPublicId }) => adPublicId === ad.publicId)
    ?.number as string;
const pageOf = async (client: Client, number: string) => (await client.get(`/api/documents/${number}`)).text;
async function pdfOf(client: Client, number: string): Promise<string> {
  const answer = await fetch(`${server.url}/api/documents/${number}.pdf`, {
    headers: { cookie: client.cookie },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  return await textOfPdf(await answer.arrayBuffer());
}
/** The text of a page without its markup. */
const readable = (page: string) =>
  page
    .slice(page.indexOf('<article'), page.indexOf('</article>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const amountsIn = (text: string) => text.match(/-?\$[\d,]+\.\d\d/g)?.toSorted() ?? [];
const german = { address: 'Hauptstraße 5\n50667 Köln', country: 'DE', taxId: 'DE 123456789' };

async function enterBuyer(
  settings: Record<string, unknown> = { country: 'US' },
  email?: string,
): Promise<Client> {
  const buyer = await server.signIn('buyer', { firstName: 'Ada', lastName: 'Øst', ...(email && { email }) });
  expect((await buyer.patch('/api/user/settings', settings)).status).toBe(200);
  return buyer;
}

describe('a receipt for another company', () => {
  const claimOf = (ad: Ad) => ({ amount: ad.totalAmount, adPublicId: ad.publicId });
  const receiptFor = {
    company: 'Øst & <Söhne> AG',
    name: 'Ada Øst',
    address: 'Bahnhofstrasse 1\n8001 Zürich',
    country: 'CH',
    taxId: 'CHE-123.456.789',
    reference: 'PO 4711',
  };

  // Proves CONS-11
  it('names what the checkout was told, with its tax and reference, and so do its credit notes', async () => {
    const buyer = await enterBuyer(german);
    const ad = await makeApprovedAd(seller, buyer);
    const begun = await buyer.post('/api/create-payment-intent', { ...claimOf(ad), receiptFor });
    expect(begun.status).toBe(200);
    const { paymentIntentId } = await payByCard(buyer, ad);
    await buyer.post('/api/payment-success', { paymentIntentId });
    const number = await receiptOf(buyer, ad);
    const [page, pdf] = [readable(await pageOf(buyer, number)), await pdfOf(buyer, number)];
    for (const text of [page, pdf]) {
      for (const part of [
        'Øst & <Söhne> AG',
        'Ada Øst',
        'Bahnhofstrasse 1',
        'Switzerland',
        'CHE-123.456.789',
        'PO 4711',
      ])
        expect(text).toContain(part);
      expect(text).toContain('8.1%');
      expect(text).not.toContain('50667 Köln');
    }
    expect((await documentsOf(buyer))[0]).toMatchObject({ reference: 'PO 4711' });
    await refundAd(server.ctx, OPERATOR, { id: ad.id, amount: 1000, reason: 'Sorry' });
    await sendDueRefunds(server.ctx);
    const [note] = ofKind(await documentsOf(buyer), 'credit_note');
    expect(readable(await pageOf(buyer, note!.number))).toContain('Bahnhofstrasse 1');
  });

  // Proves CONS-11
  it('can be taken back before the payment, and is refused with line breaks, markup of countries or length', async () => {
    const buyer = await enterBuyer(german);
    const ad = await makeApprovedAd(seller, buyer);
    await buyer.post('/api/create-payment-intent', { ...claimOf(ad), receiptFor });
    expect(
      (await buyer.post('/api/create-payment-intent', { ...claimOf(ad), receiptFor: null })).status,
    ).toBe(200);
    for (const wrong of [{ company: 'A\nB' }, { country: 'Germany' }, { reference: 'x'.repeat(101) }, 'me'])
      expect(
        (await buyer.post('/api/create-payment-intent', { ...claimOf(ad), receiptFor: wrong })).status,
      ).toBe(400);
    const { paymentIntentId } = await payByCard(buyer, ad);
    await buyer.post('/api/payment-success', { paymentIntentId });
    const page = readable(await pageOf(buyer, await receiptOf(buyer, ad)));
    expect(page).toContain('50667 Köln');
    expect(page).not.toContain('Zürich');
  });
});

describe('a receipt', () => {
  // Proves DOCU-01, DOCU-06, OWNS-108
  it('is made with the payment, keeps the facts of that moment as a page and as PDF, and is linked from the mail', async () => {
    const buyer = await enterBuyer(german, 'ada-receipt@example.test');
    const { ad } = await makeLiveAd(seller, buyer);
    const [item] = await documentsOf(buyer);
    expect(item).toEqual({
      number: expect.stringMatching(/^R-2026-\d{6}$/),
      kind: 'receipt',
      date: '2026-01-10',
      amount: '100.00',
      net: '84.03',
      tax: '15.97',
      taxRate: '19.00',
      country: 'DE',
      taxReason: null,
      currency: 'USD',
      adPublicId: ad.publicId,
      title: ad.title,
      month: null,
      // The ad runs one day from the payment on, which was at 10:00.
      periodFrom: '2026-01-10',
      periodTo: '2026-01-11',
      reference: null,
      side: null,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { number } = item as DocumentItem;
    const mails = await mailTo(server.ctx, buyer.user.email);
    expect(mails.find(({ kind }) => kind === 'ad-live')?.text).toContain(
      `Receipt ${number}:\n${server.url}/api/documents/${number}`,
    );
    const before = await pageOf(buyer, number);
    await buyer.patch('/api/user/settings', {
      address: 'Elsewhere',
      country: 'CH',
      taxId: '',
      businessName: 'New',
    });
    await buyer.patch('/api/user/profile', { lastName: 'West' });
    expect(await pageOf(buyer, number)).toBe(before);
    const pdf = await pdfOf(buyer, number);
    for (const text of [readable(before), pdf]) {
      for (const each of [
        'Slot Market GmbH',
        'Marktstraße 1',
        'HRB 4711',
        'Amtsgericht Berlin',
        '10115 Berlin',
        'Tax ID: DE811',
        'Ada Øst',
        '50667 Köln',
        'Germany',
        'Tax ID: DE 123456789',
        ad.title,
        'Tax included (19%)',
        '$15.97',
        '$84.03',
        'TEST: no money moved',
        // A narrow column of the PDF breaks the period after its first day.
        'Jan 10, 2026 –',
        'Jan 11, 2026',
      ])
        expect(text).toContain(each);
    }
    expect(amountsIn(pdf)).toEqual(amountsIn(readable(before)));
    expect(before).not.toContain('<script');
  });

  it('keeps markup, formulas and letters of every script as text, and refuses a wrong tax number, address or country', async () => {
    const address = '<b>1 Street</b>\n=HYPERLINK("x")\nул. Ленина 5, Łódź';
    const buyer = await enterBuyer({
      businessName: 'Ωmega <script>alert(1)</script> 日本 😀',
      address,
      country: 'GR',
    });
    const number = await receiptOf(buyer, (await makeLiveAd(seller, buyer)).ad);
    const page = await pageOf(buyer, number);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<b>');
    expect(readable(page)).toContain('Ωmega <script>alert(1)</script> 日本 😀');
    const pdf = await pdfOf(buyer, number);
    for (const each of [
      'Ωmega <script>alert(1)</script> 日本',
      '=HYPERLINK("x")',
      'ул. Ленина 5, Łódź',
      'Greece',
    ])
      expect(pdf).toContain(each);
    expect(amountsIn(pdf)).toEqual(amountsIn(readable(page)));
    expect(readable(page)).toContain('Tax included (0%)');
    for (const change of [
      { country: 'XX' },
      { country: 'de' },
      { address: 'a\u0007b' },
      { taxId: 'a\nb' },
      { address: 'x'.repeat(501) },
    ])
      expect([change, (await buyer.patch('/api/user/settings', change)).status]).toEqual([change, 400]);
    expect((await buyer.patch('/api/user/settings', { country: '' })).body.country).toBeNull();
  });

  // Proves DOCU-07
  it('is listed in pages and shown to its owner only', async () => {
    const buyer = await enterBuyer();
    for (let n = 0; n < 3; n++) await makeLiveAd(seller, buyer);
    const first = await buyer.get('/api/documents?limit=2');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] as string;
    const all = [...(first.body as DocumentItem[]), ...((await buyer.get(next)).body as DocumentItem[])];
    expect(all).toEqual(await documentsOf(buyer));
    expect(all.map(({ number }) => number)).toEqual(
      all
        .map(({ number }) => number)
        .toSorted()
        .toReversed(),
    );
    const number = all[0]?.number as string;
    for (const wrong of [number.replace('R', 'C'), 'R-2026-999999', 'R-2026-1', 'x', "R-2026-000001'"]) {
      const answer = await buyer.get(`/api/documents/${encodeURIComponent(wrong)}`);
      expect([wrong, answer.status]).toEqual([wrong, 404]);
    }
    for (const address of [`/api/documents/${number}`, `/api/documents/${number}.pdf`]) {
      expect((await seller.get(address)).status).toBe(404);
      expect((await server.anyone().get(address)).status).toBe(401);
      expect((await buyer.get(address)).headers.get('cache-control')).toBe('no-store');
    }
    expect((await buyer.get('/api/documents?cursor=x')).status).toBe(400);
    expect((await buyer.get('/api/documents?limit=0')).status).toBe(400);
  });

  it('is printed once, and a person prints at most 200 others an hour', async () => {
    const buyer = await enterBuyer();
    for (let n = 0; n < 2; n++) await makeLiveAd(seller, buyer);
    const [printed, other] = await documentsOf(buyer);
    await pdfOf(buyer, printed!.number);
    // The limits of tests are higher.
    const { numUpdatedRows } = await server.ctx.db
      .updateTable('rateLimits')
      .set({ points: 1_000_000 })
      .where('key', '=', `printed-documents:${buyer.user.id}`)
      .executeTakeFirst();
    expect(numUpdatedRows).toBe(1n);
    await pdfOf(buyer, printed!.number);
    expect((await buyer.get(`/api/documents/${other!.number}.pdf`)).status).toBe(429);
  });

  // Proves DOCU-05
  it('has the next number of its series, also when twenty are paid at once and transactions fail', async () => {
    const buyers = await Promise.all(Array.from({ length: 20 }, () => enterBuyer()));
    const ads = await Promise.all(buyers.map((buyer) => makeApprovedAd(seller, buyer)));
    const failed = ads.slice(0, 5).map(async (_ad, at) => {
      await server.ctx.db.transaction().execute(async (tx) => {
        const { id } = await tx
          .selectFrom('payments')
          .select('id')
          .where('status', '=', 'succeeded')
          .offset(at % 3)
          .limit(1)
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('documents')
          .values({
            book: 'sandbox',
            kind: 'statement',
            userId: seller.user.id,
            issuedAt: server.ctx.now(),
            month: '2025-01-01',
            side: 'buyer',
            amountCents: 0,
            currency: 'USD',
            seller: '{}',
            customer: '{}',
            content: '{}',
          })
          .execute();
        await issueReceipt(server.ctx, tx, { paymentId: id, chargedAt: null });
        throw new Error('changed my mind');
      });
    });
    const paid = ads.map(async (ad, at) => await pay(buyers[at] as Client, ad));
    await Promise.allSettled([...failed, ...paid]);
    for (const each of await Promise.all(paid)) expect(each.status).toBe('active');
    const { rows } = await sql<{ serial: number }>`
      select serial from documents where kind = 'receipt' and book = 'sandbox' and year = 2026 order by serial`.execute(
      server.ctx.db,
    );
    expect(rows.map(({ serial }) => serial)).toEqual(rows.map((_row, at) => at + 1));
    expect(rows.length).toBeGreaterThanOrEqual(20);
    expect((await checkMoney(server.ctx)).differences).toEqual([]);
  });

  // Proves DOCU-05
  it('can be neither changed nor removed', async () => {
    for (const statement of [
      'update documents set amount_cents = 1',
      'delete from documents',
      'truncate documents cascade',
      'delete from document_series',
      'delete from closed_months',
    ])
      await expect(sql.raw(statement).execute(server.owner)).rejects.toThrow('append-only');
  });
});

describe('a credit note', () => {
  // Proves DOCU-01, DOCU-04, OWNS-108
  it('reverses the tax of its receipt in proportion, and all of it once everything is refunded', async () => {
    const buyer = await enterBuyer(german, 'ada-credit@example.test');
    const { ad } = await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' },
    });
    for (const amount of [3333, 3333, null]) {
      await refundAd(server.ctx, OPERATOR, { id: ad.id, amount, reason: 'Agreed with Ada' });
      await runMoneyWork(server.ctx);
    }
    const notes = ofKind(await documentsOf(buyer), 'credit_note').toReversed();
    expect(notes.map(({ amount }) => amount)).toEqual(['-33.33', '-33.33', '-33.34']);
    for (const { amount, net, tax, periodFrom } of notes) {
      expect(centsOf(net!) + centsOf(tax!)).toBe(centsOf(amount));
      expect(periodFrom).toBe('2026-01-10');
    }
    expect(new Set(notes.map(({ hash }) => hash)).size).toBe(3);
    const texts = await Promise.all(notes.map(async ({ number }) => readable(await pageOf(buyer, number))));
    const taxes = texts.map((text) => /Tax included \(19%\)\s+-\$([\d.]+)/.exec(text)?.[1] as string);
    expect(taxes).toEqual(['5.32', '5.32', '5.33']);
    expect(decimalOf(taxes.reduce((sum, tax) => sum + centsOf(tax), 0))).toBe('15.97');
    const receipt = await receiptOf(buyer, ad);
    for (const [at, { number }] of notes.entries()) {
      expect(texts[at]).toContain(receipt);
      expect(amountsIn(await pdfOf(buyer, number))).toEqual(amountsIn(texts[at] as string));
    }
    const refunds = (await mailTo(server.ctx, buyer.user.email)).filter(
      ({ kind }) => kind === 'payment-refunded',
    );
    expect(refunds.at(0)?.text).toContain('/api/documents/C-2026-');
    const { lines } = (await buyer.get('/api/statements/2026-01?side=buyer')).body as Statement;
    const documents = lines.map(({ kind, document }) => [kind, document]);
    expect(documents).toContainEqual(['paid', receipt]);
    expect(documents.filter(([kind]) => kind === 'refund').map(([, number]) => number)).toEqual(
      notes.map(({ number }) => number),
    );
    expect((await checkMoney(server.ctx)).differences).toEqual([]);
  });

  // Proves DOCU-14, DOCU-04, OWNS-109
  it('reverses the loss of a dispute, and a receipt follows when the bank returns the money', async () => {
    const buyer = await enterBuyer(german, 'ada-dispute@example.test');
    const { ad } = await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' },
    });
    await countAt(server.ctx, ad, server.ctx.now().toISOString(), 300);
    await refundAd(server.ctx, OPERATOR, { id: ad.id, amount: 3333, reason: 'Agreed with Ada' });
    await runMoneyWork(server.ctx);
    const play = async (name: 'dispute' | 'dispute_lost' | 'appeal' | 'dispute_won') => {
      await playCase(server.ctx, sandboxOf(server), { play: name, ad: ad.id });
      await runMoneyWork(server.ctx);
      expect((await checkMoney(server.ctx)).differences).toEqual([]);
      return (await documentsOf(buyer)).map(({ number, kind, amount }) =>
        [number[0], kind, amount].join(' '),
      );
    };
    const paid = ['C credit_note -33.33', 'R receipt 100.00'];
    expect(await play('dispute')).toEqual(paid);
    const lost = ['C credit_note -66.67', ...paid];
    expect(await play('dispute_lost')).toEqual(lost);
    const receipt = await receiptOf(buyer, ad);
    const note = (await documentsOf(buyer))[0]?.number as string;
    const refunded = { amount: '33.33', status: 'done', reason: 'operator' };
    expect((await buyer.get('/api/billing/payments')).body).toMatchObject([
      {
        status: 'refunded',
        refunds: [refunded, { amount: '66.67', status: 'done', reason: 'chargeback', creditNote: note }],
      },
    ]);
    const january = (await buyer.get('/api/statements/2026-01?side=buyer')).body as Statement;
    expect(january.lines.reduce((sum, { amount }) => sum + centsOf(amount), centsOf(january.opening))).toBe(
      0,
    );
    expect(january.closing).toBe('0.00');
    const text = readable(await pageOf(buyer, note));
    expect(text).toContain(
      `took this amount back from the payment of receipt ${receipt}, because it was disputed`,
    );
    // The tax of the receipt is 15.97, of which the refund has reversed 5.32.
    expect(amountsIn(text)).toEqual(['-$10.65', '-$56.02', '-$66.67', '-$66.67']);
    expect(amountsIn(await pdfOf(buyer, note))).toEqual(amountsIn(text));
    const mail = (await mailTo(server.ctx, buyer.user.email)).find(({ kind }) => kind === 'dispute-lost');
    expect(mail?.text).toContain(`/api/documents/${note}`);

    expect(await play('appeal')).toEqual(lost);
    const returned = await play('dispute_won');
    expect(returned.slice(-4)).toEqual(['R receipt 66.67', ...lost]);
    const again = (await documentsOf(buyer)).at(-4)?.number as string;
    expect(readable(await pageOf(buyer, again))).toContain(note);
    expect(amountsIn(await pdfOf(buyer, again))).toEqual(amountsIn(text.replaceAll('-$', '$')));
    await runMoneyWork(server.ctx);
    expect((await checkMoney(server.ctx)).differences).toEqual([]);
    const { lines } = (await buyer.get('/api/statements/2026-01?side=buyer')).body as Statement;
    const documentsAbout = (kind: string) =>
      new Set(lines.filter((line) => line.kind === kind).map(({ document }) => document));
    expect(documentsAbout('paid')).toEqual(new Set([receipt]));
    expect(documentsAbout('dispute_lost')).toEqual(new Set([note]));
    expect(documentsAbout('dispute_recovered')).toEqual(new Set([again]));
    const { body: payments } = await buyer.get('/api/billing/payments');
    expect(payments).toMatchObject([{ amount: '100.00', receipt }]);
    expect(payments[0].refunds.map(({ reason }: { reason: string }) => reason)).not.toContain('chargeback');
  });

  // Proves DOCU-01
  it('follows the receipt of a payment that came too late', async () => {
    const buyer = await enterBuyer();
    const ad = await makeApprovedAd(seller, buyer);
    const { paymentIntentId } = await payByCard(buyer, ad);
    await server.ctx.db
      .updateTable('ads')
      .set({ status: 'rejected', rejectionReason: 'Too late' })
      .where('id', '=', ad.id)
      .execute();
    expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(409);
    await runMoneyWork(server.ctx);
    expect((await documentsOf(buyer)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['credit_note', '-100.00'],
      ['receipt', '100.00'],
    ]);
    // The law requires documents to be kept for years, so they outlive the account.
    expect((await buyer.delete('/api/user/account')).status).toBe(200);
    const { rows } = await sql<{ name: string }>`
      select customer ->> 'name' as name from documents where user_id = ${buyer.user.id}`.execute(
      server.ctx.db,
    );
    expect(rows).toEqual([{ name: 'Ada Øst' }, { name: 'Ada Øst' }]);
  });
});

const views = { pricingModel: 'per_impression', duration: null, impressions: 1000 };

describe('a month', () => {
  const market = useOwnServer({ start: new Date('2026-03-30T10:00:00Z') });
  let publisher: Client;
  let buyer: Client;
  beforeAll(async () => {
    publisher = await market.signIn('seller');
    buyer = await market.signIn('buyer');
  });

  const deliver = async (ad: Ad, count: number) => {
    await countAt(market.ctx, ad, market.ctx.now().toISOString(), count);
    market.clock.advance(2 * HOUR_MS);
    await accrueDue(market.ctx, { early: true });
  };
  const listOf = async (client: Client) =>
    (await documentsOf(client)).map(({ kind, month, side, amount }) => [kind, month, side, amount]);

  // Proves DOCU-03
  it('that is over has one statement for each side and one commission note, made once by two instances', async () => {
    const { ad } = await makeLiveAd(publisher, buyer, { product: views });
    await deliver(ad, 300);
    expect(await makeMonthlyDocuments(market.ctx)).toBe(0);
    market.clock.set(new Date('2026-04-01T00:01:30Z'));
    const made = await Promise.all([makeMonthlyDocuments(market.ctx), makeMonthlyDocuments(market.ctx)]);
    expect(made[0] + made[1]).toBe(3);
    expect(await listOf(publisher)).toEqual([
      ['statement', '2026-03', 'publisher', '25.50'],
      ['commission_note', '2026-03', null, '4.50'],
    ]);
    expect((await listOf(buyer))[0]).toEqual(['statement', '2026-03', 'buyer', '70.00']);
    for (const client of [publisher, buyer])
      for (const { number } of await documentsOf(client)) {
        const page = await pageOf(client, number);
        const answer = await fetch(`${market.url}/api/documents/${number}.pdf`, {
          headers: { cookie: client.cookie },
        });
        const pdf = await textOfPdf(await answer.arrayBuffer());
        expect(amountsIn(pdf)).toEqual(amountsIn(readable(page)));
        if (!number.startsWith('S')) continue;
        const ends = client === buyer ? 'Paid, not delivered yet' : 'Balance at the end';
        for (const text of [pdf, readable(page)]) {
          expect(text).toContain(ends);
          expect(text.includes('Balance at the end')).toBe(client === publisher);
        }
      }
    expect(await makeMonthlyDocuments(market.ctx)).toBe(0);
  });

  // Proves DOCU-03
  it('that is closed never changes: a late entry and a refund of the next month stand in the next', async () => {
    const { ad } = await makeLiveAd(publisher, buyer, { product: views });
    await deliver(ad, 100);
    market.clock.set(new Date('2026-04-30T23:59:30Z'));
    const slow = { ...market.ctx, now: () => new Date('2026-04-30T23:59:59.900Z') };
    // The refund is owed in April, and the card provider takes it in May.
    await refundAd(market.ctx, OPERATOR, { id: ad.id, amount: 1000, reason: 'Agreed' });
    market.clock.set(new Date('2026-05-01T00:02:00Z'));
    await makeMonthlyDocuments(market.ctx);
    const april = (await buyer.get('/api/statements/2026-04?side=buyer')).body as Statement;
    const documents = await documentsOf(buyer);
    // The clock of this instance is two minutes slow.
    await countAt(market.ctx, ad, '2026-04-30T12:00:00Z', 50);
    await accrueDue(slow, { early: true });
    await sendDueRefunds(market.ctx);
    expect((await buyer.get('/api/statements/2026-04?side=buyer')).body).toEqual(april);
    const may = (await buyer.get('/api/statements/2026-05?side=buyer')).body as Statement;
    expect(may.opening).toBe(april.closing);
    expect(new Set(may.lines.map(({ kind }) => kind))).toEqual(new Set(['accrual', 'refund']));
    const after = await documentsOf(buyer);
    expect(after.slice(1)).toEqual(documents);
    expect(after[0]).toMatchObject({ kind: 'credit_note', amount: '-10.00', date: '2026-05-01' });
    expect(may.lines.find(({ kind }) => kind === 'refund')?.document).toBe(after[0]?.number);
    expect((await checkMoney(market.ctx)).differences).toEqual([]);
  });
});

describe('the mail about the documents of a month', () => {
  const market = useOwnServer({ start: new Date('2026-03-30T10:00:00Z') });

  const mailsTo = async (client: Client) =>
    (await mailTo(market.ctx, client.user.email)).filter(({ kind }) => kind === 'month-documents');
  const turnOff = async (client: Client, setting: string) =>
    expect((await client.patch('/api/user/settings', { [setting]: false })).status).toBe(200);

  it('says once to each person what they have, by two instances, as their switches allow', async () => {
    const [publisher, buyer, both] = [
      await market.signIn('seller'),
      await market.signIn('buyer'),
      await market.signIn('both'),
    ];
    const [noMail, noMoney, gone] = [
      await market.signIn('buyer'),
      await market.signIn('buyer'),
      await market.signIn('buyer'),
    ];
    await turnOff(noMail, 'emailNotifications');
    await turnOff(noMoney, 'paymentAlerts');
    const ads: Ad[] = [];
    for (const each of [buyer, buyer, both, noMail, noMoney, gone])
      ads.push((await makeLiveAd(publisher, each, { product: views })).ad);
    const { ad: sold } = await makeLiveAd(both, buyer, { product: views });
    await refundAd(market.ctx, OPERATOR, { id: ads[0]!.id, amount: 1000, reason: 'Agreed' });
    await refundAd(market.ctx, OPERATOR, { id: ads[5]!.id, amount: null, reason: 'Agreed' });
    await runMoneyWork(market.ctx);
    for (const ad of [...ads.slice(1, 5), sold])
      await countAt(market.ctx, ad, market.ctx.now().toISOString(), 300);
    market.clock.advance(2 * HOUR_MS);
    await accrueDue(market.ctx, { early: true });
    await gone.post('/api/user/reauthenticate', { password: PASSWORD });
    expect((await gone.delete('/api/user/account')).status).toBe(200);
    await mailMonths(market.ctx);
    market.clock.set(new Date('2026-04-01T00:01:30Z'));
    // The month is not mailed before its statements are made.
    await mailMonths(market.ctx);
    expect(await mailsTo(publisher)).toEqual([]);
    await makeMonthlyDocuments(market.ctx);
    await Promise.all([mailMonths(market.ctx), mailMonths(market.ctx)]);
    await mailMonths(market.ctx);

    const [mail, ...more] = await mailsTo(buyer);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Your documents for March 2026');
    expect(mail?.text).toContain('TEST: payments run in the sandbox');
    expect(mail?.text).toContain('You have 5 documents for March 2026.');
    expect(mail?.text).toContain(
      'As an advertiser: 3 receipts ($300.00 in total), 1 credit note (-$10.00) and 1 statement.',
    );
    expect(mail?.text).toContain(`${market.ctx.config.publicUrl}/billing`);
    expect(mail?.text).not.toContain('As a publisher');
    expect((await mailsTo(publisher)).map(({ text }) => text)).toEqual([
      expect.stringContaining('As a publisher: 1 commission note ($18.00) and 1 statement.'),
    ]);
    const [two, ...others] = await mailsTo(both);
    expect(others).toEqual([]);
    expect(two?.text).toContain('As an advertiser: 1 receipt ($100.00) and 1 statement.');
    expect(two?.text).toContain('As a publisher: 1 commission note ($4.50) and 1 statement.');
    for (const path of ['/billing', '/earnings'])
      expect(two?.text).toContain(`${market.ctx.config.publicUrl}${path}`);
    for (const silent of [noMail, noMoney, gone]) expect(await mailsTo(silent)).toEqual([]);

    // A month without documents is over without a mail, and the next one has its own.
    market.clock.set(new Date('2026-05-01T00:02:00Z'));
    await makeMonthlyDocuments(market.ctx);
    await mailMonths(market.ctx);
    expect(await mailsTo(buyer)).toHaveLength(1);
    const open = await sql`select from closed_months where mailed_at is null`.execute(market.ctx.db);
    expect(open.rows).toEqual([]);
  });

  it('goes on after the last account that it has reached', async () => {
    const [publisher, first, second] = [
      await market.signIn('seller'),
      await market.signIn('buyer'),
      await market.signIn('buyer'),
    ];
    for (const each of [first, second]) await makeLiveAd(publisher, each, { product: views });
    market.clock.set(new Date('2026-06-01T00:02:00Z'));
    await makeMonthlyDocuments(market.ctx);
    await sql`update closed_months set mailed_through = ${first.user.id} where month = '2026-05-01'`.execute(
      market.ctx.db,
    );
    await mailMonths(market.ctx);
    expect([(await mailsTo(first)).length, (await mailsTo(second)).length]).toEqual([0, 1]);
  });
});

describe('a year', () => {
  // Proves OWNS-100, DOCU-11
  it('adds up: in every month the statements and commission notes are the payments less the refunds', async () => {
    const market = await untilTestEnds(startTestServer({ start: new Date('2025-12-20T10:00:00Z') }));
    const publishers = [await market.signIn('seller', { firstName: '=Eve' }), await market.signIn('both')];
    const buyers = [await market.signIn('buyer'), publishers[1] as Client];
    await publishers[0]?.patch('/api/user/settings', { taxId: '+49', country: 'US' });
    const live: Ad[] = [];
    for (let month = 0; month < 6; month++) {
      for (const [at, publisher] of publishers.entries()) {
        const { ad } = await makeLiveAd(publisher, buyers[(at + month) % 2] as Client, {
          product: { ...views, price: `${17 + month * 3}.${(month * 7) % 10}3` },
          website: { url: `https://site-${month}-${at}.example` },
        });
        live.push(ad);
      }
      for (const [at, ad] of live.entries()) {
        await countAt(market.ctx, ad, market.ctx.now().toISOString(), (at * 37 + month * 11) % 140);
      }
      market.clock.advance(3 * HOUR_MS);
      await accrueDue(market.ctx, { early: true });
      const canceled = month % 3 === 2 ? live.pop() : undefined;
      if (canceled) await refundAd(market.ctx, OPERATOR, { id: canceled.id, amount: null, reason: 'Agreed' });
      await runMoneyWork(market.ctx);
      // Each month ends while campaigns run and money is on its way.
      const ends = new Date(Date.UTC(2026, month));
      market.clock.set(later(ends, 2 * MINUTE_MS));
      await makeMonthlyDocuments(market.ctx);
      market.clock.set(later(ends, 9 * DAY_MS));
    }
    const people = [...new Set([...publishers, ...buyers])];
    const lists = await Promise.all(people.map((each) => documentsOf(each, '?limit=100')));
    const all = lists.flat();
    const sum = (items: DocumentItem[]) => items.reduce((total, { amount }) => total + centsOf(amount), 0);
    let paid = 0;
    let refunded = 0;
    let commission = 0;
    const balances = new Map<string, number>();
    for (let at = 0; at < 6; at++) {
      const month = new Date(Date.UTC(2025, 11 + at)).toISOString().slice(0, 7);
      const ofMonth = all.filter((each) => (each.month ?? each.date.slice(0, 7)) === month);
      paid += sum(ofKind(ofMonth, 'receipt'));
      refunded -= sum(ofKind(ofMonth, 'credit_note'));
      commission += sum(ofKind(ofMonth, 'commission_note'));
      for (const [person, list] of lists.entries())
        for (const statement of ofKind(list, 'statement'))
          if (statement.month === month)
            balances.set(`${person} ${statement.side}`, centsOf(statement.amount));
      const owed = [...balances.values()].reduce((total, cents) => total + cents, 0);
      expect([month, decimalOf(owed + commission)]).toEqual([month, decimalOf(paid - refunded)]);
      expect(ofKind(ofMonth, 'statement').length).toBeGreaterThan(2);
    }
    expect(refunded).toBeGreaterThan(0);
    expect((await checkMoney(market.ctx)).differences).toEqual([]);

    const files = await exportBooks(market.ctx, { from: '2026-01-01', to: '2026-12-31' }, folder);
    const read = (name: string) =>
      readFileSync(path.join(folder, name), 'utf8').replace('\uFEFF', '').trimEnd().split('\r\n');
    const postings = read('postings.csv');
    expect(postings[0]).toBe('entry,at,recorded_at,kind,account,ad,amount,currency');
    expect(postings.length - 1).toBe(files[0]?.rows);
    expect(postings.slice(1).reduce((total, row) => total + centsOf(row.split(',')[6] as string), 0)).toBe(0);
    const [header, ...rows] = read('publishers.csv');
    expect(header).toBe('publisher,tax_id,country,q1,q2,q3,q4,gross,fees,publisher_id,paid_out,sales,tax');
    expect(rows[0]).toMatch(/^'=Eve Bell <[^>]+>,'\+49,US,/);
    const cells = rows.map(
      (row) => row.split(',').slice(3, 9).map(centsOf) as [number, number, number, number, number, number],
    );
    for (const [q1, q2, q3, q4, gross] of cells) expect(q1 + q2 + q3 + q4).toBe(gross);
    const notes = ofKind(all, 'commission_note').filter(({ month }) => month?.startsWith('2026'));
    expect(cells.reduce((total, [, , , , , fees]) => total + fees, 0)).toBe(sum(notes));
    // It plays half a year.
  }, 600_000);
});
