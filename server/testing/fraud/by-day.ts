/** An ad by the day of a player: its order, what the publisher changes around it, and what it has earned. */
import { adPaid } from '#domain/payments/ledger.ts';
import type { Excludes } from '#domain/targeting/limits.ts';
import { activateAd, lockPayableAd } from '#server/ads/life/activate.ts';
import { approve } from '#server/ads/submit/review.ts';
import { submitWithin } from '#server/ads/submit/submit.ts';
import type { App } from '#server/app/app.ts';
import { changeWebsite } from '#server/market/inventory/websites/change-website.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import { earnedAt } from '#server/money/ledger/accrue.ts';
import { post } from '#server/money/ledger/post.ts';

/** The figures that the publisher states, and the visitors whom they exclude, from now on. */
type Change = { excludes?: Excludes | null; monthlyVisitors?: number };

/** The publisher's changes before the order, before the approval, and after the payment. */
export type SoldByDay = { first?: Change; beforeApproval?: Change; afterPayment?: Change };

const PRICE = { total: '300.00', cents: 30_000, commissionCents: 4500 };
/** Of the ad. A publisher who plays it plays one day more, so that each day can be judged. */
export const DAYS_SOLD = 3;

/** Sells an ad by the day by the functions of the product, except for the card. Returns its id. */
export async function sellByDay(
  { ctx }: App,
  place: { websiteId: number; zoneId: number },
  userId: number,
  { first, beforeApproval, afterPayment }: SoldByDay,
): Promise<number> {
  const { db } = ctx;
  const product = await db
    .insertInto('adZoneProducts')
    .values({ adZoneId: place.zoneId, adType: 'text', price: PRICE.total, duration: DAYS_SOLD })
    .returning('id')
    .executeTakeFirstOrThrow();
  const owner = await db
    .selectFrom('websites')
    .select('userId')
    .where('id', '=', place.websiteId)
    .executeTakeFirstOrThrow();
  const publisher = { id: owner.userId, role: 'seller' } as const;
  const change = async ({ excludes, monthlyVisitors }: Change = {}) => {
    if (monthlyVisitors !== undefined)
      await changeWebsite(ctx, publisher, {
        params: { ref: { id: place.websiteId } },
        body: { monthlyVisitors },
      });
    if (excludes !== undefined)
      await changeZone(ctx, publisher, { params: { ref: { id: place.zoneId } }, body: { excludes } });
  };
  await change(first);
  const adId = await db.transaction().execute(
    async (tx) =>
      await submitWithin(ctx, tx, userId, {
        adZoneId: { id: place.zoneId },
        productId: product.id,
        adType: 'text',
        title: 'Fresh coffee',
        description: 'Roasted on Monday.',
        targetUrl: 'https://coffee.example/start',
      }),
  );
  await change(beforeApproval);
  await approve(ctx, publisher, { params: { ref: { id: adId } }, query: undefined, body: {} });
  await db.transaction().execute(async (tx) => {
    const [ad, paidAt] = [await lockPayableAd(tx, { id: adId }), ctx.now()];
    const [intentId, chargeId] = [`sbx_pi_${adId}`, `sbx_ch_${adId}`];
    if (!ad) throw new Error(`There is no ad ${adId}`);
    await tx
      .insertInto('payments')
      .values({
        adId,
        userId,
        book: 'sandbox',
        currency: 'USD',
        intentId,
        amountCents: PRICE.cents,
        commissionCents: PRICE.commissionCents,
        status: 'succeeded',
        chargeId,
        paidAt,
      })
      .execute();
    await activateAd(ctx, tx, ad, { intentId, paidAt, start: paidAt });
    await post(tx, {
      kind: 'paid',
      externalRef: chargeId,
      book: 'sandbox',
      currency: ctx.config.currency,
      occurredAt: paidAt,
      recordedAt: paidAt,
      adId,
      entries: adPaid({ id: adId, amountCents: PRICE.cents, commissionCents: PRICE.commissionCents }),
    });
  });
  await change(afterPayment);
  return adId;
}

/** The publisher's earnings from the ad by now, in cents. */
export async function earnedByDay({ ctx }: App, adId: number): Promise<number> {
  return (await earnedAt(ctx.db, adId, ctx.now()))?.publisherCents ?? 0;
}
