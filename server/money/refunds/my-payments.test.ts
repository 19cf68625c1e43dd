import { beforeAll, expect, it } from 'vitest';
import type { BuyerPayment } from '#domain/payments/refund-contract.ts';
import { MINUTE_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { returnPoint, payAt } from '#server/testing/figures.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const server = useOwnServer();
let seller: Client;
beforeAll(async () => {
  seller = await server.signIn('seller');
});

const list = async (client: Client, query = '') => await client.get(`/api/billing/payments${query}`);

it('lists the user’s own payments with their refunds, newest first', async () => {
  const buyer = await server.signIn('buyer');
  const first = await makeLiveAd(seller, buyer, { ad: { title: 'First' } });
  server.clock.advance(MINUTE_MS);
  const second = await makeLiveAd(seller, buyer, { ad: { title: 'Second' }, product: { price: '20.00' } });
  await returnPoint(server.ctx, first.ad, { cents: 3000, commission: 450, status: 'done' });
  await returnPoint(server.ctx, first.ad, { cents: 1000, commission: 150, status: 'sent' });
  await returnPoint(server.ctx, second.ad, { cents: 2000, commission: 300, status: 'owed' });
  const refund = (amount: string, status: string) => ({
    amount,
    cancelFee: '0.00',
    status,
    reason: 'operator',
    at: expect.any(String),
    creditNote: null,
  });
  expect((await list(buyer)).body).toEqual([
    {
      adPublicId: second.ad.publicId,
      title: 'Second',
      amount: '20.00',
      currency: 'USD',
      status: 'refunded',
      paidAt: expect.any(String),
      receipt: expect.stringMatching(/^R-\d{4}-000002$/),
      refunds: [refund('20.00', 'owed')],
    },
    {
      adPublicId: first.ad.publicId,
      title: 'First',
      amount: '100.00',
      currency: 'USD',
      status: 'partly_refunded',
      paidAt: first.ad.startDate,
      receipt: expect.stringMatching(/^R-\d{4}-000001$/),
      refunds: [refund('30.00', 'done'), refund('10.00', 'sent')],
    },
  ]);
  expect((await list(seller)).body).toEqual([]);
  expect((await buyer.get(`/api/ads/${first.ad.id}`)).body.refund).toEqual({
    amount: '40.00',
    status: 'sent',
  });
});

it('pages the payments, also those of one moment, and refuses a wrong cursor', async () => {
  const buyer = await server.signIn('buyer');
  const ads = [];
  for (let n = 0; n < 5; n++) ads.push((await makeLiveAd(seller, buyer)).ad);
  for (const ad of ads.slice(1)) await payAt(server, ad, '2026-03-02T12:00:00Z');
  const seen: string[] = [];
  let next: string | undefined = '/api/billing/payments?limit=2';
  while (next !== undefined) {
    const answer = await buyer.get(next);
    seen.push(...(answer.body as BuyerPayment[]).map(({ adPublicId }) => adPublicId));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual([ads[0], ...ads.slice(1).toReversed()].map((ad) => ad?.publicId));
  for (const query of ['?cursor=x', '?limit=0', '?limit=101'])
    expect([query, (await list(buyer, query)).status]).toEqual([query, 400]);
});
