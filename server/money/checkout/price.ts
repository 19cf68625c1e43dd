/** The parts of a price. */
import type { Parsed } from '#domain/endpoint.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { AdPrice, getAdPrice } from '#domain/payments/price-contract.ts';
import { percentOf } from '#domain/payments/tax.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { cancelCost } from '../refunds/cancelling/cancel-terms.ts';
import { findPaidTax } from './payment.ts';
import { splitFor, taxedBuyer, taxOf } from './tax.ts';

/**
 * The price of an ad for its advertiser or publisher: as it was paid, or as the country of the query would be charged now.
 * Throws 404 for others, and 400 as the payment does. [OWNS-68]
 */
export async function adPrice(
  ctx: Context,
  who: Caller,
  { params, query }: Parsed<typeof getAdPrice>,
): Promise<AdPrice> {
  const ad = await findPriced(ctx.db, params.ref);
  if (!ad || (ad.userId !== who.id && ad.publisherId !== who.id))
    throw notFound('Ad not found. Please reload the page.');
  const amountCents = centsOf(ad.totalAmount);
  const commissionPercent = Number(ad.commissionPercent);
  const { tax, ...parts } = (await findPaidTax(ctx.db, ad.id)) ?? (await wouldBe());
  return {
    price: decimalOf(amountCents),
    net: decimalOf(amountCents - parts.taxCents),
    tax: decimalOf(parts.taxCents),
    taxRate: tax && percentOf(tax.rate),
    taxCountry: tax?.country ?? null,
    taxReason: tax?.reason ?? null,
    sentence: tax?.sentence ?? null,
    fee: decimalOf(parts.feeCents),
    commissionPercent,
    earnings: decimalOf(amountCents - parts.commissionCents),
    ...(await cancelCost(ctx, ad.id, amountCents)),
  };

  async function wouldBe() {
    const named = query.country === undefined && query.taxId === undefined ? undefined : query;
    const would = taxOf(ctx, await taxedBuyer(ctx.db, ad!.userId, named));
    return {
      tax: would,
      ...splitFor(
        ctx,
        { amountCents, commissionCents: centsOf(ad!.commissionAmount), commissionPercent },
        would,
      ),
    };
  }
}

async function findPriced(tx: Tx, ref: Reference) {
  return await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['ads.id', 'ads.userId', 'websites.userId as publisherId'])
    .select(['ads.totalAmount', 'ads.commissionAmount', 'ads.commissionPercent'])
    .where((eb) => ('id' in ref ? eb('ads.id', '=', ref.id) : eb('ads.publicId', '=', ref.publicId)))
    .executeTakeFirst();
}
