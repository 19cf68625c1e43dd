/** Random and concurrent actions: an ad's status changes only as the state table allows, and the ledger stays balanced. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { AD_STATUSES, type AdStatus } from '#domain/ads/status.ts';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { DAY_MS } from '#domain/time.ts';
import { ledgerImbalances } from '#server/money/ledger/check.ts';
import { beginPayment, CARD } from '#server/testing/money/checkout.ts';
import type { Answer, Client } from '#server/testing/client.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { IS_LONG } from '#server/testing/tier.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { completeDueAds } from './complete.ts';
import { expireUnpaidAds } from '#server/money/checkout/expire-unpaid.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let stranger: Client;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  stranger = await server.signIn('both');
  product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
});

/** The new status for each status in which an action is allowed. In all other statuses it must be refused. */
const TABLE = {
  approve: { pending: 'approved' },
  reject: { pending: 'rejected' },
  resubmit: { rejected: 'pending' },
  pay: { approved: 'active' },
  expire: { approved: 'rejected' },
  complete: { active: 'completed' },
  strangers: {},
} as const satisfies Record<string, Partial<Record<AdStatus, AdStatus>>>;
type Action = keyof typeof TABLE;
const ACTIONS = Object.keys(TABLE) as Action[];

let titles = 0;
async function act(action: Action, ad: Ad): Promise<Answer[]> {
  const content = { title: `Title ${++titles}`, description: ad.description, targetUrl: ad.targetUrl };
  switch (action) {
    case 'approve':
      return [await seller.put(`/api/ads/${ad.id}/approve`)];
    case 'reject':
      return [await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' })];
    case 'resubmit':
      return [await buyer.put(`/api/ads/${ad.id}`, content)];
    case 'pay':
      return [await payFully(ad)];
    case 'expire':
      server.clock.advance(14 * DAY_MS);
      await expireUnpaidAds(server.ctx);
      return [];
    case 'complete':
      server.clock.advance(DAY_MS);
      await completeDueAds(server.ctx);
      return [];
    case 'strangers': {
      const tries = [
        stranger.put(`/api/ads/${ad.id}/approve`),
        stranger.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' }),
        stranger.put(`/api/ads/${ad.id}`, content),
        beginPayment(stranger, ad),
        buyer.put(`/api/ads/${ad.id}/approve`),
        seller.put(`/api/ads/${ad.id}`, content),
      ];
      return Promise.all(tries);
    }
  }
}

async function payFully(ad: Ad): Promise<Answer> {
  const begun = await beginPayment(buyer, ad);
  if (begun.status !== 200) return begun;
  const { clientSecret } = begun.body as { clientSecret: string };
  await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
  return buyer.post('/api/payment-success', { paymentIntentId: clientSecret.split('_secret_')[0] });
}

const newAd = (): Promise<Ad> => makeAd(buyer, product);

const read = async (ad: Ad): Promise<Ad> => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;

// Proves DASH-S-33, DASH-S-34, STATE-05, STATE-06, DASH-B-20, STATE-08, STATE-33, OP-067
it('changes status only as the state table allows, for any sequence of actions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 12 }),
      async (actions) => {
        let ad = await newAd();
        for (const action of actions) {
          const before = await read(ad);
          const answers = await act(action, before);
          const after = await read(ad);
          const allowed = (TABLE[action] as Partial<Record<AdStatus, AdStatus>>)[before.status];
          expect([action, before.status, after.status]).toEqual([
            action,
            before.status,
            allowed ?? before.status,
          ]);
          for (const { status } of answers) {
            expect(allowed ? status === 200 : [403, 404, 409].includes(status)).toBe(true);
          }
          expect(after.status === 'rejected').toBe(after.rejectionReason !== null);
          expect(after.totalAmount).toBe('100.00');
          ad = after;
        }
      },
    ),
    { numRuns: IS_LONG ? 25 : 8 },
  );
  expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
});

// Proves STATE-33, HOOK-01, HOOK-05
it('leaves a valid status, at most one payment and a balanced ledger after concurrent actions', async () => {
  for (let round = 0; round < (IS_LONG ? 6 : 2); round++) {
    const ad = await newAd();
    // In half of the rounds the ad is approved first, so that the payment takes part in the race.
    if (round % 2 === 0) await act('approve', ad);
    const both = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        act((['approve', 'reject', 'pay', 'resubmit', 'strangers'] as const)[n % 5] as Action, ad),
      ),
    );
    expect(both.flat().filter(({ status }) => ![200, 402, 403, 404, 409].includes(status))).toEqual([]);
    const after = await read(ad);
    expect(AD_STATUSES).toContain(after.status);
    const payments = await server.ctx.db
      .selectFrom('payments')
      .select('status')
      .where('adId', '=', ad.id)
      .execute();
    const succeeded = payments.filter(({ status }) => status === 'succeeded').length;
    expect(succeeded).toBe(after.status === 'active' ? 1 : 0);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  }
});
