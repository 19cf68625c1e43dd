/** The intents of our payments at the provider. See docs/decisions/028-checkout.md. */
import { FIRST_CHECK_MS } from '#domain/payments/limits.ts';
import { later, MINUTE_MS } from '#domain/time.ts';
import {
  type Metadata,
  type PaymentIntent,
  ProviderError,
} from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { installationId } from '#server/platform/database/servers/servers.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { isAway, isUnknown } from '../provider-requests/answer-time.ts';
import { customerOf, replaceCustomer } from './customers.ts';
import { findPayment, keepIntent, noteProblem, type Payment, renewKey } from './payment.ts';

/** The provider's clock may be behind ours. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** The intent of a payment, which is created if it has none; null if the payment has to be replaced. */
export async function intentOf(ctx: Context, payment: Payment): Promise<PaymentIntent | null> {
  return payment.intentId === null ? await newIntent(ctx, payment) : await findIntent(ctx, payment);
}

/**
 * Asks the provider for the intent of a payment; null if there is none, or it knows none. Records a problem with the
 * intent.
 */
export async function findIntent(ctx: Context, payment: Payment): Promise<PaymentIntent | null> {
  if (payment.intentId === null || payment.book !== ctx.payments.book) return null;
  try {
    const intent = await ctx.payments.getIntent(payment.intentId);
    await noteProblem(ctx.db, payment.id, null);
    return intent;
  } catch (error) {
    if (!isUnknown(error)) throw error;
    ctx.log.error({ paymentId: payment.id, intentId: payment.intentId }, 'the provider knows no such intent');
    await noteProblem(ctx.db, payment.id, 'unknown');
    return null;
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

/** Our ids on an intent, by which it is found if we never learned its own. */
export async function idsOf(tx: Tx, payment: Payment): Promise<{ metadata: Metadata; publicId: string }> {
  const ad = await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .innerJoin('installation', (join) => join.onTrue())
    .select(['ads.publicId', 'websites.userId as publisherId', 'installation.id as installation'])
    .where('ads.id', '=', payment.adId)
    .executeTakeFirstOrThrow();
  return {
    publicId: ad.publicId,
    metadata: {
      installation: ad.installation,
      payment_id: String(payment.id),
      ad_id: String(payment.adId),
      ad_public_id: ad.publicId,
      buyer_id: String(payment.userId),
      publisher_id: String(ad.publisherId),
    },
  };
}

/** Finds the intent of a payment whose id we never learned, because its answer did not arrive. */
export async function findLostIntent(ctx: Context, payment: Payment): Promise<PaymentIntent | null> {
  const installation = await installationId(ctx.db);
  for await (const intent of ctx.payments.intentsSince(later(payment.createdAt, -CLOCK_SKEW_MS))) {
    const { metadata } = intent;
    if (metadata['installation'] === installation && metadata['payment_id'] === String(payment.id))
      return intent;
  }
  return null;
}

/** Our payment that these ids name; null if they are another installation's. */
export async function findPaymentOfMetadata(tx: Tx, metadata: Metadata): Promise<Payment | null> {
  const id = Number(metadata['payment_id']);
  if (!Number.isSafeInteger(id) || id <= 0 || id > 2 ** 31 - 1) return null;
  if (metadata['installation'] !== (await installationId(tx))) return null;
  return findPayment(tx, id);
}

/** Cancels an intent, or returns its state if it is too late for that; null if the provider knows none. */
export async function cancelOrAsk(ctx: Context, intentId: string): Promise<PaymentIntent | null> {
  try {
    return await ctx.payments.cancelIntent(intentId);
  } catch (error) {
    if (isUnknown(error)) return null;
    if (error instanceof ProviderError && error.kind === 'conflict') return ctx.payments.getIntent(intentId);
    throw error;
  }
}
