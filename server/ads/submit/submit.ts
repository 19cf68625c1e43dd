import type { Ad, createAd } from '#domain/ads/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import {
  allowsQuantity,
  quantitiesOf,
  quantitiesText,
  timesPlan,
  totalCentsAt,
} from '#domain/inventory/quantity.ts';
import { decimalOf, moneyText } from '#domain/money.ts';
import { splitPrice } from '#domain/payments/split.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { requireRoom, lockLiveAccount } from '#server/platform/http/limits/quotas.ts';
import { commissionOf } from '#server/platform/settings/marketplace.ts';
import { notify } from '#server/notify/notify.ts';
import { soldDayViews } from '../availability.ts';
import { bookDays } from '../booking/book-days.ts';
import { approveAd } from './review.ts';
import { requireUnblocked } from '../review-rules/block.ts';
import { requireAccepted } from '../review-rules/content-rules.ts';
import { requireSomebody } from '../review-rules/excluded.ts';
import { isTrusted, trustedHostOf } from '../review-rules/trust.ts';
import { beginReview } from '../review-rules/answer-clock.ts';
import { copyThumbnail, requireOwnMedia } from './own-media.ts';
import {
  type AdRow,
  countPendingOf,
  findAd,
  insertAd,
  lockOfferedZone,
  lockProduct,
  lockZonesInOrder,
  writeMinDayViews,
} from '../store.ts';
import { beginChecks } from './target-checks.ts';
import { ownAdReply } from '../reply.ts';

/** Ads of one advertiser that wait for approval. A publisher has to read each of them. [DOOR-10] */
const MAX_WAITING = 200;

/**
 * A publisher has to read every submitted ad and each new version of it, and our server opens its target. So submissions,
 * resubmissions, corrections and second creatives share one limit.
 */
export async function limitSubmissions(ctx: Context, who: Caller): Promise<void> {
  await ctx.limits('submit-ad', { points: 30, seconds: 3600 })(String(personOf(who)));
}

/** An advertiser's order: a creative in an ad zone, for one of its pricing options. */
export type Order = Parsed<typeof createAd>['body'];

/**
 * Submits an ad for approval. Price, fee and plan are those of the quantity of the pricing option as it is now; `status`
 * and `totalAmount` in the body are ignored. `expectedPrice` only protects the advertiser from a total that they haven't
 * seen: 409.
 * [OP-048, OP-050]
 */
export async function submitAd(ctx: Context, who: Caller, { body }: Parsed<typeof createAd>): Promise<Ad> {
  await limitSubmissions(ctx, who);
  const imageUrl = await copyThumbnail(ctx, who.id, body.adType, body.imageUrl ?? null);
  return ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    const adId = await submitWithin(ctx, tx, who.id, { ...body, imageUrl });
    return ownAdReply(await readBack(tx, adId));
  });
}

/**
 * Submits one ad in the caller's transaction, which holds the advertiser's account (lockLiveAccount), and returns its id.
 * Throws the refusal of the first rule that the order breaks. `planId` is the plan that the ad belongs to; null for a
 * single ad.
 */
export async function submitWithin(
  ctx: Context,
  tx: Tx,
  userId: number,
  order: Order,
  planId: number | null = null,
): Promise<number> {
  const zone = await lockOfferedZone(tx, order.adZoneId);
  if (!zone) throw invalid('This ad zone is not available. Please choose another one.', 'adZoneId');
  await requireUnblocked(tx, zone.id, userId);
  const product = await lockProduct(tx, zone.id, order.productId);
  if (!product)
    throw invalid('This pricing option is not available. Please choose another one.', 'productId');
  if (product.adType !== order.adType) {
    throw invalid(`This pricing option is for ${product.adType} ads. Please choose another one.`, 'adType');
  }
  const { quantity = 1 } = order;
  const option = quantitiesOf(product);
  if (!allowsQuantity(option, quantity))
    throw invalid(`Choose a quantity of ${quantitiesText(option)}.`, 'quantity');
  const totalCents = totalCentsAt(option, quantity);
  const totalAmount = decimalOf(totalCents);
  if (order.expectedPrice !== undefined && order.expectedPrice !== totalAmount) {
    const price = moneyText(totalAmount, ctx.config.currency);
    throw conflict(`The price is now ${price}. Please check the order and submit it again.`);
  }
  const media = await requireOwnMedia(tx, userId, order.adType, {
    imageUrl: order.imageUrl ?? null,
    videoUrl: order.videoUrl ?? null,
  });
  await requireAccepted(tx, zone.id, order.adType, { ...order, ...media });
  const { targeting = null } = order;
  requireSomebody(targeting, zone.excludes);

  await requireRoom(ctx, tx, {
    name: 'waiting ads',
    owner: userId,
    max: MAX_WAITING,
    count: () => countPendingOf(tx, userId),
    message: (max) =>
      `${max} of your ads are waiting for approval, and an account can have no more. Submit this one when publishers have reviewed some.`,
  });
  const plan = timesPlan(planOf(product), quantity);
  const commissionPercent = commissionOf(ctx.config, zone.publisherCommission);
  const now = ctx.now();
  const adId = await insertAd(tx, {
    userId,
    adZoneId: zone.id,
    productId: product.id,
    planId,
    adType: order.adType,
    title: order.title,
    description: order.description,
    targetUrl: order.targetUrl,
    targeting,
    ...media,
    status: 'pending',
    quantity,
    totalAmount,
    commissionAmount: decimalOf(splitPrice(totalCents, commissionPercent).commissionCents),
    commissionPercent: String(commissionPercent),
    ...plan,
    createdAt: now,
    updatedAt: now,
    ...beginReview(ctx, now),
  });
  await writeSoldDays(ctx, tx, adId, order.expectedDayViews ?? 0);
  await bookDays(ctx, tx, { adId, zoneId: zone.id, userId, plan, startDay: order.startDate ?? null });
  await beginChecks(ctx, tx, adId, order.targetUrl);
  await approveIfTrusted(ctx, tx, adId, now);
  return adId;
}

/** Writes into the order how many counted views a day needs. Throws 409 if that is less than the advertiser saw. [WARD-30] */
async function writeSoldDays(ctx: Context, tx: Tx, adId: number, expected: number): Promise<void> {
  const needed = await soldDayViews(ctx, tx, await readBack(tx, adId));
  if (needed !== null && needed < expected) {
    const views = needed === 1 ? '1 counted view' : `${needed} counted views`;
    throw conflict(`Each day now needs only ${views}. Please check the order and submit it again.`);
  }
  await writeMinDayViews(tx, adId, needed);
}

/** A transaction that submits several ads calls this first, so that it locks their ad zones in the common order. */
export async function lockZones(tx: Tx, orders: readonly Pick<Order, 'adZoneId'>[]): Promise<void> {
  await lockZonesInOrder(
    tx,
    orders.map(({ adZoneId }) => adZoneId),
  );
}

/** Approves the ad of an advertiser whom the publisher trusts for its host. Asks the publisher about any other ad. */
async function approveIfTrusted(ctx: Context, tx: Tx, adId: number, now: Date): Promise<void> {
  const ad = await readBack(tx, adId);
  // The publisher decides whether the views of a day can be reached within the ad's limits.
  const isDoubtful = ad.targeting !== null && ad.minDayViews !== null;
  if (isDoubtful || !(await isTrusted(tx, ad))) return await notify(ctx, tx, { kind: 'ad-submitted', adId });
  await approveAd(ctx, tx, ad, now, await trustedHostOf(tx, ad));
  await notify(ctx, tx, { kind: 'ad-trusted', adId });
}

async function readBack(tx: Tx, adId: number): Promise<AdRow> {
  const ad = await findAd(tx, { id: adId });
  if (!ad) throw new Error(`Ad ${adId} was inserted but cannot be read back`);
  return ad;
}
