/** What documents can't print is refused where it is entered, before anything of it has a number. */
import { beforeAll, expect, it } from 'vitest';
import { changeSettings } from '#server/operator/settings/settings.ts';
import type { Client } from '#server/testing/client.ts';
import { beginPayment, makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import { textOfPdf } from '#server/testing/pdf.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { sendDueRefunds } from '../refunds/send.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const UNPRINTABLE = 'Store தமிழ்';
const REFUSAL = 'Receipts and other documents can’t print “த”. Please write it without.';

const server = useServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer', { firstName: 'अनीता', lastName: 'พร' });
});

const countDocuments = async () =>
  Number(
    (
      await server.ctx.db
        .selectFrom('documents')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('userId', '=', buyer.user.id)
        .executeTakeFirstOrThrow()
    ).count,
  );

const renameWebsitesOfEarlierRelease = async () =>
  await server.ctx.db
    .updateTable('websites')
    .set({ name: UNPRINTABLE })
    .where('userId', '=', seller.user.id)
    .execute();

it('refuses letters that no font has in each field that documents print', async () => {
  const website = await makeWebsite(seller);
  const zone = await makeZone(seller, website);
  const ad = await makeAd(buyer, await makeProduct(seller, zone));
  const approved = await makeApprovedAd(seller, buyer);
  const payment = { amount: approved.totalAmount, adPublicId: approved.publicId };
  const calls: [client: Client, method: 'post' | 'patch', path: string, body: Record<string, unknown>][] = [
    [seller, 'patch', `/api/websites/${website.id}`, { name: UNPRINTABLE }],
    [seller, 'patch', `/api/ad-zones/${zone.id}`, { name: UNPRINTABLE }],
    [buyer, 'patch', `/api/ads/${ad.id}`, { title: UNPRINTABLE }],
    [buyer, 'patch', '/api/user/profile', { firstName: UNPRINTABLE }],
    [buyer, 'patch', '/api/user/settings', { businessName: UNPRINTABLE }],
    [buyer, 'patch', '/api/user/settings', { address: `1 Street\n${UNPRINTABLE}` }],
    [buyer, 'post', '/api/create-payment-intent', { ...payment, receiptFor: { company: UNPRINTABLE } }],
    [buyer, 'post', '/api/create-payment-intent', { ...payment, receiptFor: { reference: UNPRINTABLE } }],
  ];
  for (const [client, method, path, body] of calls) {
    const { status, body: answer } = await client[method](path, body);
    expect([path, status, answer.message]).toEqual([path, 400, REFUSAL]);
  }
  // A description is on no document.
  expect((await buyer.patch(`/api/ads/${ad.id}`, { description: UNPRINTABLE })).status).toBe(200);
  const set = { changes: [{ name: 'SELLER_NAME', value: UNPRINTABLE } as const], reason: 'A test' };
  await expect(changeSettings(server.ctx, { id: null, dryRun: false }, set)).rejects.toThrow(REFUSAL);
});

it('refuses the payment of an ad on a website of an earlier release before its receipt has a number', async () => {
  const ad = await makeApprovedAd(seller, buyer);
  await renameWebsitesOfEarlierRelease();
  const before = await countDocuments();
  const begun = await beginPayment(buyer, ad);
  expect([begun.status, begun.body.message]).toEqual([400, REFUSAL]);
  expect(await server.ctx.db.selectFrom('payments').select('id').where('adId', '=', ad.id).execute()).toEqual(
    [],
  );
  expect(await countDocuments()).toBe(before);
});

it('prints every other name, in the formats of the reader, and names of an earlier release on the page only', async () => {
  const ad = await makeApprovedAd(seller, buyer, {
    website: { name: '자전거 신문' },
    ad: { title: 'إعلانات 🚲 上海' },
  });
  const { paymentIntentId } = await payByCard(buyer, ad);
  await buyer.post('/api/payment-success', { paymentIntentId });
  const [receipt] = (await buyer.get('/api/documents')).body;
  const get = (number: string, language = '') =>
    fetch(`${server.url}/api/documents/${number}`, {
      headers: { cookie: buyer.cookie, 'accept-language': language },
    });
  const german = 'de-DE,en;q=0.5';
  const pdf = await textOfPdf(await (await get(`${receipt.number}.pdf`, german)).arrayBuffer());
  for (const text of ['अनीता พร', '上海', '자전거 신문', '100,00 $'])
    expect(pdf.replaceAll('\u00a0', ' ')).toContain(text);
  expect(await (await get(receipt.number, german)).text()).toContain('100,00\u00a0$');
  // Unknown and misspelt languages are passed over.
  for (const language of ['*', 'tlh', 'de-de-de', 'de;q=0', ''])
    expect(await (await get(receipt.number, language)).text()).toContain('$100.00');

  await renameWebsitesOfEarlierRelease();
  const { refundAmount } = (await buyer.get(`/api/ads/${ad.publicId}/refund-quote`)).body;
  expect((await buyer.post(`/api/ads/${ad.publicId}/cancel`, { refundAmount })).status).toBe(200);
  await sendDueRefunds(server.ctx);
  const [note] = (await buyer.get('/api/documents')).body;
  expect(note.kind).toBe('credit_note');
  const refused = await get(`${note.number}.pdf`);
  expect([refused.status, await refused.json()]).toEqual([
    409,
    {
      message: `This document has “த”, which no font of PDFs has. Its page shows all of it: /api/documents/${note.number}`,
    },
  ]);
  expect(await (await get(note.number)).text()).toContain(UNPRINTABLE);
});
