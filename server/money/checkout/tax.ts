/** The tax of a payment: by the country and the tax number that the advertiser gives, and the day of the charge. */
import type { ReceiptFor } from '#domain/payments/contract.ts';
import { splitTaxed, type Tax, type TaxedPrice, taxFor } from '#domain/payments/tax.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { businessDay } from '../documents/business-day.ts';
import { requireKnownTaxId, requireTaxIdForm, taxIdCheckOf } from '../tax-ids/check.ts';
import { taxAccountOf } from '../ledger/tax.ts';
import {
  type AgreedTax,
  findAgreement,
  findOpenReceiptFor,
  keepTax,
  type Payment,
  type PaymentTax,
} from './payment.ts';

const COUNTRY_MISSING = 'Choose your country under “Receipt for”. The tax in the price depends on it.';

export type TaxedBuyer = { country: string | null; taxId: string | null };

/** The country and the tax number of the receipt. What it leaves out is that of the settings, unless it is for somebody else. */
export async function taxedBuyer(
  tx: Tx,
  userId: number,
  receiptFor: Partial<ReceiptFor> | null | undefined,
): Promise<TaxedBuyer> {
  const settings = await tx
    .selectFrom('userSettings')
    .select(['country', 'taxId'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  const country = (receiptFor?.country || settings?.country) ?? null;
  const taxId = receiptFor ? receiptFor.taxId : settings?.taxId;
  return { country: country || null, taxId: taxId || null };
}

/** Asks VIES about the number by which the payment for this ad will be taxed. Throws 400 if it is refused. [OWNS-122] */
export async function requireKnownBuyer(
  ctx: Context,
  userId: number,
  { adPublicId, receiptFor }: { adPublicId: string; receiptFor?: ReceiptFor | null | undefined },
): Promise<void> {
  if (!ctx.config.vies) return;
  const named = receiptFor === undefined ? await findOpenReceiptFor(ctx.db, userId, adPublicId) : receiptFor;
  await requireKnownTaxId(ctx, userId, await taxedBuyer(ctx.db, userId, named));
}

/**
 * The tax of a payment that this advertiser begins or resumes now, and the check of their number; without a check if VIES
 * is off. Throws as `taxOf`.
 */
export async function taxNow(
  ctx: Context,
  tx: Tx,
  userId: number,
  receiptFor: ReceiptFor | null | undefined,
): Promise<{ tax: AgreedTax | null; taxIdCheckId?: number | null }> {
  const buyer = await taxedBuyer(tx, userId, receiptFor);
  if (!ctx.config.vies) return { tax: agreedWith(ctx, buyer) };
  const check = await taxIdCheckOf(ctx, tx, userId, buyer);
  // Only a charge that a job begins can meet a number that VIES has refused since it was given.
  const tax = agreedWith(ctx, check?.isRefused ? { ...buyer, taxId: null } : buyer);
  return { tax, taxIdCheckId: check?.id ?? null };
}

/** An advertiser with a tax number is taxed as a business. */
const isBusiness = ({ taxId }: Pick<TaxedBuyer, 'taxId'>): boolean => taxId !== null;

function agreedWith(ctx: Context, buyer: TaxedBuyer): AgreedTax | null {
  const tax = taxOf(ctx, buyer);
  return tax && { ...tax, isBusiness: isBusiness(buyer) };
}

/**
 * The tax for this advertiser by the table of the moment; null if no tax is shown. With a table, the country is required:
 * 400 `{reason: "country"}`. [OWNS-64]
 */
export function taxOf(ctx: Context, buyer: TaxedBuyer): Tax | null {
  const { taxTable } = ctx.config;
  if (taxTable === null) return null;
  requireTaxIdForm(buyer);
  if (buyer.country === null)
    throw new HttpError(400, COUNTRY_MISSING, {
      issues: [{ path: 'country', message: COUNTRY_MISSING }],
      details: { reason: 'country' },
    });
  const day = businessDay(ctx, ctx.now());
  return taxFor(taxTable, { country: buyer.country, isBusiness: isBusiness(buyer), day });
}

/**
 * Gives a payment the tax of the instant of its charge, and returns it. An intent may have been begun before the rule of its
 * country changed; the price contains the tax, so it stays. Country and kind of advertiser are as agreed, but a business
 * whose receipt has no tax number any more pays as everybody else. The caller has locked the payment, and has recorded no
 * charge yet. [OWNS-132, BOOK-241]
 */
export async function taxAtCharge(
  ctx: Context,
  tx: Tx,
  payment: Payment,
  { ad, at }: { ad: Priced; at: Date },
): Promise<Payment> {
  const { receiptFor, tax: agreed } = await findAgreement(tx, payment.id);
  if (agreed === null) return payment;
  const { country } = agreed;
  const isStill = agreed.isBusiness && isBusiness(await taxedBuyer(tx, payment.userId, receiptFor));
  const tax = taxFor(ctx.config.taxTable, { country, isBusiness: isStill, day: businessDay(ctx, at) });
  if (tax === null || isSameTax(agreed, tax)) return payment;
  const priced = { ...ad, amountCents: payment.amountCents };
  const taxed = await paymentTax(ctx, tx, priced, { ...tax, isBusiness: isStill });
  await keepTax(tx, payment.id, taxed);
  return { ...payment, commissionCents: taxed.commissionCents };
}

const isSameTax = (one: Tax, other: Tax): boolean =>
  one.rate === other.rate && one.reason === other.reason && one.sentence === other.sentence;

type Priced = { amountCents: number; commissionCents: number; commissionPercent: number };

/** The parts of a price that contains this tax, in cents. Null: no tax is shown. */
export function splitFor(
  { config: { taxSplit } }: Context,
  ad: Priced,
  tax: Tax | null,
): Omit<TaxedPrice, 'earningsCents'> {
  if (tax === null) return { taxCents: 0, feeCents: ad.commissionCents, commissionCents: ad.commissionCents };
  return splitTaxed(ad.amountCents, ad.commissionPercent, { rate: tax.rate, split: taxSplit });
}

/** The columns of a payment with this tax. */
export async function paymentTax(
  ctx: Context,
  tx: Tx,
  ad: Priced,
  tax: AgreedTax | null,
): Promise<PaymentTax> {
  const { commissionCents, taxCents } = splitFor(ctx, ad, tax);
  return {
    commissionCents,
    taxCents,
    taxSplit: tax && ctx.config.taxSplit,
    taxAccountId: tax && (await taxAccountOf(tx, tax)),
    taxReason: tax?.reason ?? null,
    taxSentence: tax?.sentence ?? null,
    taxOfBusiness: tax?.isBusiness ?? null,
  };
}
