/** How ads end: by their end date, by expiry, and by the deletion of a zone or an account. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { outOfReach, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { closeUnpaidAdsOf } from '#server/people/privacy/delete-account.ts';
import { lockAdsOf, isLive } from './close-account.ts';
import { tellEnded } from '#server/results/campaign-mails/ended.ts';
import { completeDueAds } from './complete.ts';
import { expireUnpaidAds } from '#server/money/checkout/expire-unpaid.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'publisher@example.test' });
  buyer = await server.signIn('buyer', { email: 'advertiser@example.test' });
});

const read = async (ad: { id: number }): Promise<Ad> => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;
const paymentsOf = (adId: number) =>
  server.ctx.db.selectFrom('payments').select(['status', 'intentId']).where('adId', '=', adId).execute();
const countMails = async (address: string, kind: string) =>
  (await mailTo(server.ctx, address)).filter((mail) => mail.kind === kind).length;

async function makeApproved(): Promise<Ad> {
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  return approve(seller, await makeAd(buyer, product));
}

async function openCheckout(ad: Ad): Promise<string> {
  const body = { amount: ad.totalAmount, adPublicId: ad.publicId };
  return (await buyer.post('/api/create-payment-intent', body)).body.clientSecret as string;
}

const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };

describe('the completion sweep', () => {
  // Proves STATE-06, OP-062, OP-063
  it('completes a per-day ad exactly at its end, once, and e-mails both sides', async () => {
    const { ad } = await makeLiveAd(seller, buyer, { product: { duration: 3 } });
    const end = later(new Date(ad.startDate as string), 3 * DAY_MS);
    expect(ad.endDate).toBe(end.toISOString());

    server.clock.set(later(end, -1000));
    expect(await completeDueAds(server.ctx)).toBe(0);
    expect((await read(ad)).status).toBe('active');

    server.clock.set(end);
    const done = await Promise.all([1, 2, 3].map(() => completeDueAds(server.ctx)));
    expect(done.reduce((sum, n) => sum + n, 0)).toBe(1);
    expect(await read(ad)).toMatchObject({ status: 'completed', endDate: end.toISOString() });
    expect(await countMails('publisher@example.test', 'ad-completed')).toBe(1);
    await tellEnded(server.ctx, { adId: ad.id });
    expect(await countMails('advertiser@example.test', 'campaign-ended')).toBe(1);
  });

  // Proves STATE-06, OP-063
  it('leaves a quota ad active, because it has no end date', async () => {
    const { ad } = await makeLiveAd(seller, buyer, {
      product: { pricingModel: 'per_impression', duration: null, impressions: 1000 },
    });
    expect(ad.endDate).toBeNull();
    server.clock.advance(300 * DAY_MS);
    expect(await completeDueAds(server.ctx)).toBe(0);
    expect((await read(ad)).status).toBe('active');
  });

  // Proves STATE-06
  it('completes more ads than one batch holds', async () => {
    const { ad } = await makeLiveAd(seller, buyer);
    const many = await makeManyLike(ad.id, 250);
    server.clock.advance(2 * DAY_MS);
    expect(await completeDueAds(server.ctx)).toBe(many + 1);
    expect(await completeDueAds(server.ctx)).toBe(0);
  });

  /** Inserts paid copies of a live ad, through the status changes that the database allows. */
  async function makeManyLike(adId: number, copies: number): Promise<number> {
    await server.ctx.db.transaction().execute(async (tx) => {
      await sql`insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount,
          commission_amount, pricing_model, duration)
        select user_id, ad_zone_id, ad_type, 'copy', description, target_url, total_amount, commission_amount,
          pricing_model, duration from ads, generate_series(1, ${copies}) where id = ${adId}`.execute(tx);
      await sql`update ads set status = 'approved', approved_at = ${server.clock.now()} where title = 'copy'`.execute(
        tx,
      );
      await sql`insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at)
        select id, user_id, 'sandbox', 'USD', 'copy_' || id, 10000, 1500, 'succeeded', 'charge_' || id, ${server.clock.now()}
          from ads where title = 'copy'`.execute(tx);
      await sql`update ads set status = 'active', payment_intent_id = 'copy_' || id, start_date = ${server.clock.now()},
          end_date = ${server.clock.now()} where title = 'copy'`.execute(tx);
    });
    return copies;
  }
});

describe('an ad that is approved and never paid', () => {
  // Proves STATE-33, HOOK-05
  it('is rejected after 14 days with a reason and an e-mail, and its payment is closed', async () => {
    const ad = await makeApproved();
    await openCheckout(ad);
    const mailsBefore = await countMails('advertiser@example.test', 'ad-expired');
    server.clock.advance(14 * DAY_MS - 60_000);
    expect(await expireUnpaidAds(server.ctx)).toBe(0);
    server.clock.advance(60_000);
    expect(await expireUnpaidAds(server.ctx)).toBe(1);
    expect(await read(ad)).toMatchObject({
      status: 'rejected',
      rejectionReason: 'Payment was not made within 14 days',
    });
    expect((await paymentsOf(ad.id)).map(({ status }) => status)).toEqual(['canceled']);
    expect(await countMails('advertiser@example.test', 'ad-expired')).toBe(mailsBefore + 1);
    expect(await expireUnpaidAds(server.ctx)).toBe(0);
  });

  // Proves HOOK-05
  it('goes live instead of expiring if the provider has received the payment', async () => {
    const ad = await makeApproved();
    const clientSecret = await openCheckout(ad);
    await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
    server.clock.advance(15 * DAY_MS);
    expect(await expireUnpaidAds(server.ctx)).toBe(0);
    expect((await read(ad)).status).toBe('active');
  });

  // Proves STATE-33
  it('can be edited and approved again, which starts a new period of 14 days', async () => {
    const ad = await makeApproved();
    server.clock.advance(15 * DAY_MS);
    await expireUnpaidAds(server.ctx);
    const { title: _old, ...content } = ad;
    await buyer.put(`/api/ads/${ad.id}`, { ...content, title: 'Once more' });
    await approve(seller, ad);
    expect(await expireUnpaidAds(server.ctx)).toBe(0);
    expect((await read(ad)).status).toBe('approved');
  });

  // Proves HOOK-05
  it('stays approved while the provider cannot be reached', async () => {
    const ad = await makeApproved();
    await openCheckout(ad);
    server.clock.advance(15 * DAY_MS);
    await withProvider(
      server.ctx,
      () => ({ getIntent: outOfReach }),
      () => expireUnpaidAds(server.ctx),
    );
    expect((await read(ad)).status).toBe('approved');
    expect(await expireUnpaidAds(server.ctx)).toBe(1);
    expect((await read(ad)).status).toBe('rejected');
  });
});

describe('the deletion of a zone', () => {
  // Proves API-54, OP-074
  it('refuses either the deletion or a concurrent approval, so that no approved ad is left without its zone', async () => {
    for (let round = 0; round < 10; round++) {
      const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
      const ad = await makeAd(buyer, product);
      const [deletion, approval, submission] = await Promise.all([
        seller.delete(`/api/ad-zones/${product.adZoneId}`),
        seller.put(`/api/ads/${ad.id}/approve`),
        buyer.post('/api/ads', { ...ad, productId: product.id }),
      ]);
      const statuses = `${deletion.status} ${approval.status}`;
      expect(['200 409', '409 200']).toContain(statuses);
      const left = await server.ctx.db
        .selectFrom('ads')
        .select('status')
        .where('adZoneId', '=', product.adZoneId)
        .execute();
      if (deletion.status === 200)
        expect(new Set(left.map(({ status }) => status))).toEqual(new Set(['rejected']));
      else expect(submission.status).toBe(201);
    }
  });
});

describe('the deletion of an account', () => {
  const remove = (userId: number) =>
    server.ctx.db
      .transaction()
      .execute(async (tx) => closeUnpaidAdsOf(server.ctx, tx, userId, await lockAdsOf(tx, userId)));

  // Proves API-27, OP-037
  it('is blocked by live campaigns on either side and not by completed ones', async () => {
    const [publisher, advertiser] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(publisher, advertiser);
    for (const { user } of [publisher, advertiser]) {
      expect((await lockAdsOf(server.ctx.db, user.id)).some(isLive)).toBe(true);
    }
    server.clock.set(new Date(ad.endDate as string));
    await completeDueAds(server.ctx);
    for (const { user } of [publisher, advertiser]) {
      expect((await lockAdsOf(server.ctx.db, user.id)).some(isLive)).toBe(false);
    }
  });

  // Proves API-27, OP-037
  it('removes own unpaid ads, rejects others’ unpaid ads in own zones with a reason, and keeps paid ads', async () => {
    const both = await server.signIn('both');
    const own = await makeProduct(both, await makeZone(both, await makeWebsite(both)));
    const foreign = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
    const mine = await makeAd(both, foreign);
    const mineApproved = await approve(seller, await makeAd(both, foreign));
    const theirs = await makeAd(buyer, own);
    const theirsApproved = await approve(both, await makeAd(buyer, own));
    await openCheckout(theirsApproved);
    const { ad: sold } = await makeLiveAd(both, buyer);

    await remove(both.user.id);

    const left = await server.ctx.db
      .selectFrom('ads')
      .select('id')
      .where('userId', '=', both.user.id)
      .execute();
    expect(left.filter(({ id }) => [mine.id, mineApproved.id].includes(id))).toEqual([]);
    for (const ad of [theirs, theirsApproved]) {
      expect(await read(ad)).toMatchObject({
        status: 'rejected',
        rejectionReason: 'The publisher closed their account',
      });
    }
    expect((await paymentsOf(theirsApproved.id)).map(({ status }) => status)).toEqual(['canceled']);
    expect((await read(sold)).status).toBe('active');
  });

  // Proves API-27, HOOK-05
  it('keeps an own ad whose payment has begun, so that a late payment can be refunded', async () => {
    const leaving = await server.signIn('buyer');
    const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
    const ad = await approve(seller, await makeAd(leaving, product));
    const begun = { amount: ad.totalAmount, adPublicId: ad.publicId };
    const { clientSecret } = (await leaving.post('/api/create-payment-intent', begun)).body;
    await remove(leaving.user.id);
    const row = server.ctx.db.selectFrom('ads').select('status').where('id', '=', ad.id);
    expect(await row.executeTakeFirst()).toEqual({ status: 'rejected' });
    expect((await leaving.post('/api/sandbox/confirm', { clientSecret, ...CARD })).status).toBe(200);
    server.clock.advance(10 * 60_000);
    await checkPayments(server.ctx);
    const refunds = await server.ctx.db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'refunds.paymentId')
      .select('refunds.status')
      .where('payments.adId', '=', ad.id)
      .execute();
    expect(refunds).toEqual([{ status: 'owed' }]);
  });
});
