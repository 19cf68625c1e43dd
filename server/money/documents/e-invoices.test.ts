/** E-invoices over HTTP: in the PDF, and as UBL. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { DocumentItem } from '#domain/payments/document-contract.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { refundAd } from '#server/operator/money/money.ts';
import type { Client } from '#server/testing/client.ts';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import { filesInPdf } from '#server/testing/pdf.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { runMoneyWork } from '../books/run.ts';
import { makeMonthlyDocuments } from './months.ts';

const TABLE = {
  version: 2,
  seller: 'DE',
  countries: {
    DE: { rate: '19.00' },
    AT: { rate: '20.00', business: 'reverse_charge', sentence: 'Reverse charge.' },
  },
  default: { rate: '0.00', reason: 'not_taxed' },
};
const AUSTRIAN = {
  company: 'Rad & Sohn GmbH',
  address: 'Gasse 2\n1010 Wien',
  country: 'AT',
  taxId: 'ATU 1234 5678',
  reference: 'PO 4711',
};

const server = useOwnServer({
  start: new Date('2026-01-10T10:00:00Z'),
  env: { SELLER_NAME: 'Slot Market GmbH', SELLER_TAX_ID: 'DE123456789' },
  taxTable: JSON.stringify(TABLE),
});
let seller: Client;
let buyer: Client;
let ad: Ad;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  ad = await makeApprovedAd(seller, buyer);
  await payFor(ad, AUSTRIAN);
});

async function payFor(bought: Ad, receiptFor: object): Promise<void> {
  const claim = { amount: bought.totalAmount, adPublicId: bought.publicId, receiptFor };
  expect((await buyer.post('/api/create-payment-intent', claim)).status).toBe(200);
  const { paymentIntentId } = await payByCard(buyer, bought);
  await buyer.post('/api/payment-success', { paymentIntentId });
}

const listed = async (client: Client): Promise<DocumentItem[]> => (await client.get('/api/documents')).body;
const facturXOf = async (client: Client, number: string) => {
  const pdf = await fetch(`${server.url}/api/documents/${number}.pdf`, {
    headers: { cookie: client.cookie },
  });
  return (await filesInPdf(await pdf.arrayBuffer()))['factur-x.xml'];
};
const ublOf = async (client: Client, number: string) => await client.get(`/api/documents/${number}.xml`);

describe('a receipt', () => {
  // Proves DOCU-15
  it('holds the same invoice in its PDF, whatever the language of its reader', async () => {
    const xml = await facturXOf(buyer, 'R-2026-000001');
    for (const part of [
      '<ram:ID schemeID="VA">DE123456789</ram:ID>',
      '<ram:ID schemeID="VA">ATU12345678</ram:ID>',
      '<ram:Name>Rad &amp; Sohn GmbH</ram:Name>',
      '<ram:BuyerReference>PO 4711</ram:BuyerReference>',
      '<ram:ExemptionReason>Reverse charge.</ram:ExemptionReason>',
      `<ram:GrandTotalAmount>${ad.totalAmount}</ram:GrandTotalAmount>`,
    ])
      expect(xml).toContain(part);
  });

  // Proves DOCU-16
  it('is UBL at its address, which its page names, for its owner only', async () => {
    const { status, headers, text } = await ublOf(buyer, 'R-2026-000001');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="R-2026-000001.xml"');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain('<cbc:EndpointID schemeID="9914">ATU12345678</cbc:EndpointID>');
    const page = (await buyer.get('/api/documents/R-2026-000001')).text;
    expect(page).toContain('href="/api/documents/R-2026-000001.xml"');
    expect(page).toContain('Germany');
    expect((await ublOf(seller, 'R-2026-000001')).status).toBe(404);
    expect((await ublOf(buyer, 'R-2026-000009')).status).toBe(404);
    const stranger = await fetch(`${server.url}/api/documents/R-2026-000001.xml`);
    expect(stranger.status).toBe(401);
  });

  // Proves DOCU-15, DOCU-16
  it('has a credit note that names its number and its day', async () => {
    server.clock.set(later(server.ctx.now(), DAY_MS));
    await refundAd(server.ctx, { id: null, dryRun: false }, { id: ad.id, amount: 100, reason: 'Agreed' });
    await runMoneyWork(server.ctx);
    expect((await ublOf(buyer, 'C-2026-000001')).text).toContain(
      '<cbc:ID>R-2026-000001</cbc:ID><cbc:IssueDate>2026-01-10</cbc:IssueDate>',
    );
    expect(await facturXOf(buyer, 'C-2026-000001')).toContain('<ram:TypeCode>381</ram:TypeCode>');
  });
});

describe('a document that is no e-invoice', () => {
  // Proves DOCU-16
  it('has neither the file nor the link', async () => {
    server.clock.set(new Date('2026-02-01T00:01:30Z'));
    await makeMonthlyDocuments(server.ctx);
    const number = (await listed(buyer)).find(({ kind }) => kind === 'statement')?.number as string;
    const { status, body } = await ublOf(buyer, number);
    expect([status, body.message]).toEqual([404, `${number} has no e-invoice. Download its PDF instead.`]);
    expect((await buyer.get(`/api/documents/${number}`)).text).not.toContain('e-invoice');
    expect(await facturXOf(buyer, number)).toBeUndefined();
  });
});
