import { DAYS_FREED_REASON } from '#domain/ads/booking.ts';
import type { createPaymentIntent, ReceiptFor } from '#domain/payments/contract.ts';
import { FIRST_CHECK_MS, MINIMUM_CENTS } from '#domain/payments/limits.ts';
import type { Tax, TaxReason } from '#domain/payments/tax.ts';
import type { Parsed } from '#domain/endpoint.ts';
import { centsOf, decimalOf, moneyText } from '#domain/money.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { lockPayableAd, type PayableAd, requireStartFor } from '../../ads/activate.ts';
import { type Caller, type Context, personOf } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { enqueue } from '../../db/job-queue.ts';
import { conflict, HttpError, invalid, notFound } from '../../http/errors.ts';
import { type PaymentIntent, ProviderError } from '../../adapters/payment-provider.ts';
import { differences } from './agreement.ts';
import { paymentTax, requireKnownBuyer, taxedBuyer, taxOf } from './tax.ts';
import { refuseOldTerms } from '../../pages/terms.ts';
import { answering, isAway } from '../provider/answer-time.ts';
import { networkHash } from '../provider/hashes.ts';
import { refuseCardTesting } from './attempts.ts';
import { customerOf, replaceCustomer } from './customers.ts';
import { finalisePayment, findIntent } from './finalise.ts';
import { requirePrintableReceipt } from '../documents/printable.ts';
import { findLostIntent, idsOf } from './lost-intents.ts';
import { installationId } from '../../db/installation.ts';
import { isRefusedTaxId, tieTaxIdCheck } from '../../tax-ids/check.ts';
import {
  findAgreedCountry,
  findOpenPayment,
  findReceiptFor,
  hasSuspense,
  hasUndecided,
  insertPayment,
  keepAcceptedTerms,
  keepIntent,
  keepNetwork,
  keepReceiptFor,
  keepTax,
  markOneCanceled,
  noteProblem,
  type Payment,
  renewKey,
} from './payment.ts';

/** The provider forgets an idempotency key after a day. After that, the same key would create a second intent. */
const KEY_LIFE_MS = 23 * HOUR_MS;

/** An intent may have to be replaced by a new one. A second replacement in the same request would be a fault of ours. */
const ATTEMPTS = 3;

/**
 * Begins or resumes the payment of an approved ad. Reloading or repeating the call reuses the ad's one open payment and
 * its one intent [PAY-02]. We charge the stored price; `amount` is only compared with it [OP-092].
 */
export async function createIntent(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof createPaymentIntent>,
  { ip }: { ip: string },
): Promise<{ clientSecret: string }> {
  await ctx.limits('payment-intent', { points: 120, seconds: 3600 })(String(personOf(who)));
  refuseOldTerms(ctx.config, body.acceptedTerms);
  await requireKnownBuyer(ctx, who.id, body);
  await requirePrintableReceipt(ctx, { publicId: body.adPublicId }, body.receiptFor);
  // No card can have been charged before a browser got the secret of an intent for this ad, in this or an earlier try.
  let isCertain = true;
  const sentence = () =>
    isCertain
      ? 'Nothing was charged. Please try again in a moment.'
      : 'If you have already paid for this ad, it goes live by itself, so don’t pay again. Otherwise try again in a moment.';
  return answering(ctx, sentence, async () => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const payment = await ctx.db
        .transaction()
        .execute((tx) => openPayment(ctx, tx, { userId: who.id, network: networkHash(ctx, ip) }, body));
      isCertain = payment.intentId === null && !(await hasUndecided(ctx.db, payment));
      const intent = await payableIntent(ctx, payment);
      if (intent !== null) return { clientSecret: intent.clientSecret };
    }
    throw new Error(`Ad ${body.adPublicId} has no intent after ${ATTEMPTS} attempts`);
  });
}

/** The payment's intent, or null if the payment was closed and a new one has to be made. */
export async function payableIntent(ctx: Context, payment: Payment): Promise<PaymentIntent | null> {
  const intent = payment.intentId === null ? await newIntent(ctx, payment) : await findIntent(ctx, payment);
  if (intent === null) {
    await ctx.db.transaction().execute((tx) => close(ctx, tx, payment));
    return null;
  }
  switch (intent.status) {
    case 'requires_payment':
    case 'requires_action': {
      const wrong = differences(
        ctx,
        { ...payment, intentId: intent.id },
        intent,
        await installationId(ctx.db),
      );
      // The customer of a new intent is stored with it, and checked from the next call on.
      if (wrong.every((each) => each === 'customer' && payment.intentId === null)) return intent;
      ctx.log.error({ paymentId: payment.id, intentId: intent.id, wrong }, 'an intent is not as agreed');
      await ctx.db.transaction().execute((tx) => close(ctx, tx, payment));
      return null;
    }
    case 'processing':
      throw conflict('The payment for this ad is being processed. Please check again in a few minutes.');
    case 'succeeded':
    case 'canceled': {
      const outcome = await ctx.db.transaction().execute((tx) => finalisePayment(ctx, tx, payment, intent));
      if (outcome === 'closed') return null;
      throw outcome === 'paid' ? alreadyPaid() : outcome === 'suspense' ? notAsAgreed() : tooLate();
    }
  }
}

const alreadyPaid = () => conflict('This ad has already been paid for. You can find it under My Campaigns.');
export const tooLate = () => conflict('This ad can no longer go live. We will refund your payment in full.');
export const notAsAgreed = () =>
  conflict(
    'A payment for this ad is not as agreed, so the marketplace operator is checking it. You can’t pay for this ad until then. Contact the operator if you hear nothing.',
  );

async function close(ctx: Context, tx: Tx, payment: Payment): Promise<void> {
  const at = ctx.now();
  const intentId = await markOneCanceled(tx, payment.id, { at, nextCheckAt: later(at, FIRST_CHECK_MS) });
  // Another provider's intent can be neither canceled nor paid here.
  if (intentId !== null && payment.book === ctx.payments.book)
    await enqueue(tx, 'cancel-intent', { intentId });
}

type Claim = {
  amount: string;
  adPublicId: string;
  receiptFor?: ReceiptFor | null | undefined;
  acceptedTerms?: number | undefined;
};

/**
 * Stores the payment before the provider is called, because its key becomes the provider's idempotency key. Throws
 * HttpError if the ad cannot be paid for now, before it writes anything.
 */
export async function openPayment(
  ctx: Context,
  tx: Tx,
  { userId, network }: { userId: number; network: string },
  claim: Claim,
): Promise<Payment> {
  const ad = await lockPayableAd(tx, { publicId: claim.adPublicId });
  if (!ad || ad.userId !== userId) throw notFound('Ad not found. Please reload the page.');
  await requirePayable(ctx, tx, ad, claim);
  await refuseCardTesting(ctx, tx, { userId, network });
  const now = ctx.now();
  const wanted = {
    adId: ad.id,
    userId,
    book: ctx.payments.book,
    amountCents: ad.amountCents,
    currency: ctx.config.currency,
  };
  const { receiptFor } = claim;
  const open = await findOpenPayment(tx, ad.id);
  // Without a receipt in the call, that of an earlier call stays.
  const stays = open !== null && receiptFor === undefined;
  const named = stays ? await findReceiptFor(tx, open.id) : receiptFor;
  const buyer = await taxedBuyer(tx, userId, named);
  // Only a charge that a job begins can meet a number that VIES has refused since it was given.
  const isRefused = await isRefusedTaxId(ctx, tx, userId, buyer);
  const tax = taxOf(ctx, isRefused ? { ...buyer, taxId: null } : buyer);
  if (open && isUsable(open, wanted, now)) {
    await keepNetwork(tx, open.id, network);
    await keepAcceptedTerms(tx, open.id, claim.acceptedTerms);
    if (receiptFor !== undefined) await keepReceiptFor(tx, open.id, withCountry(receiptFor, tax));
    // The rate is that of the intent. Only another country or another kind of advertiser agrees a new one.
    const agreed = await findAgreedCountry(tx, open.id);
    if (tax?.country !== agreed?.country || isReversed(tax?.reason) !== isReversed(agreed?.taxReason))
      await keepTax(tx, open.id, await paymentTax(ctx, tx, ad, tax));
    await tieTaxIdCheck(ctx, tx, open, buyer);
    return open;
  }
  if (open) await close(ctx, tx, open);
  const made = await insertPayment(
    tx,
    {
      ...wanted,
      ...(await paymentTax(ctx, tx, ad, tax)),
      network,
      nextCheckAt: later(now, FIRST_CHECK_MS),
    },
    now,
  );
  await keepAcceptedTerms(tx, made.id, claim.acceptedTerms);
  if (receiptFor) await keepReceiptFor(tx, made.id, withCountry(receiptFor, tax));
  await tieTaxIdCheck(ctx, tx, made, buyer);
  return made;
}

const isReversed = (reason: TaxReason | null | undefined) => reason === 'reverse_charge';

/** The receipt names the country by which it is taxed. */
const withCountry = (receiptFor: ReceiptFor | null, tax: Tax | null): ReceiptFor | null =>
  receiptFor && tax && !receiptFor.country ? { ...receiptFor, country: tax.country } : receiptFor;

// After a change of provider or currency, or when the provider may have forgotten the key, a new payment is begun.
function isUsable(open: Payment, wanted: Pick<Payment, 'book' | 'currency'>, now: Date): boolean {
  if (open.book !== wanted.book || open.currency !== wanted.currency) return false;
  return open.intentId !== null || later(open.createdAt, KEY_LIFE_MS) > now;
}

async function requirePayable(ctx: Context, tx: Tx, ad: PayableAd, claim: Claim): Promise<void> {
  if (ad.status === 'active' || ad.status === 'completed') throw alreadyPaid();
  if (ad.status !== 'approved') throw conflict(`This ad is ${ad.status}. Only approved ads can be paid for.`);
  if (ad.isSuspended) {
    throw conflict(
      'The marketplace operator has suspended this ad or its ad zone. It can’t be paid for now.',
    );
  }
  if (ad.isTargetPaused) {
    throw conflict(
      'The target of this ad leads somewhere else than approved. It can’t be paid for until the publisher accepts that.',
    );
  }
  if (!ad.isZoneOffered) {
    throw conflict(
      'The publisher has paused this ad zone or its website, so the ad can’t be paid for now. Try again when it is active.',
    );
  }
  if (ad.payBy !== null && ad.payBy <= ctx.now())
    throw conflict(`${DAYS_FREED_REASON}. Submit the ad again to book other days.`);
  await requireStartFor(tx, ad, ctx.now());
  if (await hasSuspense(tx, ad.id)) throw notAsAgreed();
  if (readCents(claim.amount) !== ad.amountCents) {
    throw invalid(
      `The price of this ad is ${moneyText(decimalOf(ad.amountCents), ctx.config.currency)}. Please reload the page.`,
      'amount',
    );
  }
  const minimum = MINIMUM_CENTS[ctx.config.currency];
  if (ad.amountCents < minimum) {
    throw invalid(
      `The amount must be at least ${moneyText(decimalOf(minimum), ctx.config.currency)}. Choose another pricing option.`,
    );
  }
}

/** The amount in cents, or NaN if it is invalid. NaN differs from every price. */
function readCents(amount: string): number {
  try {
    return centsOf(amount);
  } catch {
    return Number.NaN;
  }
}

/** Creates the intent of a payment; null if the payment was closed meanwhile and has to be replaced. */
async function newIntent(ctx: Context, payment: Payment): Promise<PaymentIntent | null> {
  const { intent, customerId } = await createOrFind(ctx, payment);
  const now = ctx.now();
  const kept = await keepIntent(
    ctx.db,
    payment.id,
    { id: intent.id, customerId },
    { at: now, nextCheckAt: later(now, FIRST_CHECK_MS) },
  );
  if (kept.status === 'open' && kept.intentId === intent.id) return intent;
  // The ad was closed while the provider created its intent, or another request was faster under another key. No
  // browser has received this intent's secret.
  if (kept.status !== 'open' || kept.intentId !== null) {
    await enqueue(ctx.db, 'cancel-intent', { intentId: intent.id });
  }
  return kept.status === 'open' ? findIntent(ctx, kept) : null;
}

type Created = { intent: PaymentIntent; customerId: string };

async function createOrFind(ctx: Context, payment: Payment): Promise<Created> {
  const customerId = await customerOf(ctx, payment.userId);
  try {
    return await create(ctx, payment, customerId);
  } catch (error) {
    if (error instanceof ProviderError && error.userMessage && error.kind !== 'declined')
      throw new HttpError(400, error.userMessage);
    if (error instanceof ProviderError && error.code === 'resource_missing') {
      // The customer was deleted at the provider. A refused call leaves nothing under its key.
      return create(
        ctx,
        await renewKey(ctx.db, payment),
        await replaceCustomer(ctx, payment.userId, customerId),
      );
    }
    if (!isAway(error)) throw error;
    return afterDoubt(ctx, payment, customerId, error);
  }
}

/**
 * The provider may have created the intent before it failed, and answers a repeated key with the same failure for a day.
 * So the intent is looked for. If there is none, the next request repeats the call, and if that fails too, under a new key.
 */
async function afterDoubt(
  ctx: Context,
  payment: Payment,
  customerId: string,
  failure: unknown,
): Promise<Created> {
  await noteProblem(ctx.db, payment.id, 'unreachable');
  const intent = await findLostIntent(ctx, payment);
  if (intent) return { intent, customerId };
  if (payment.problem !== 'unreachable') throw failure;
  return create(ctx, await renewKey(ctx.db, payment), customerId);
}

async function create(ctx: Context, payment: Payment, customerId: string): Promise<Created> {
  const { metadata, publicId } = await idsOf(ctx.db, payment);
  const intent = await ctx.payments.createIntent(
    {
      amount: payment.amountCents,
      currency: payment.currency,
      customerId,
      transferGroup: `ad_${publicId}`,
      description: `Ad ${publicId}`,
      metadata,
    },
    `pi:${payment.key}`,
  );
  return { intent, customerId };
}
