import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Metadata, PaymentIntent } from '../../adapters/payment-provider.ts';
import { lockPayableAd } from '../../ads/activate.ts';
import { countDecline, countSetupDecline } from '../checkout/attempts.ts';
import { applyDispute, applyFraudWarning, applyReview } from '../disputes/disputes.ts';
import { askAndFinalise, finalisePayment } from '../checkout/finalise.ts';
import { findPaymentOfMetadata } from '../checkout/intents.ts';
import { findConsentOfSetup } from '../checkout/consent-rows.ts';
import { applyTransfer } from '../payouts/apply.ts';
import { bankEffects } from '../payouts/bank.ts';
import { payeeEffects } from '../payees/read.ts';
import { adoptRefundsOf, applyAnyRefund } from '../refunds/outside.ts';
import {
  customerOfBook,
  findPaymentOfCharge,
  findPaymentOfIntent,
  keepIntent,
  type Payment,
} from '../checkout/payment.ts';
import { type EventRow, findEvent, markEventDone, noteEventError, postponeEvent } from './store-events.ts';

/** The effects of an event, in the transaction that marks it as done. */
type Effects = (tx: Tx) => Promise<unknown>;
type Handler = (ctx: Context, event: EventRow) => Promise<Effects | null>;

/**
 * The handlers by the beginning of an event's type. A handler fetches the current state from the provider before the
 * transaction begins. A type without a handler has no effect, because the provider can add types at any time.
 */
const HANDLERS: readonly [prefix: string, handler: Handler][] = [
  ['payment_intent.', applyIntent],
  ['setup_intent.setup_failed', applySetupFailure],
  ['charge.dispute.', applyDisputeEvent],
  ['charge.', applyCharge],
  ['radar.early_fraud_warning.', applyWarning],
  ['review.', applyReviewEvent],
  ['refund.', applyRefundEvent],
  ['transfer.', applyTransferEvent],
];

/** The handlers of events about the connected accounts of publishers. */
const CONNECT_HANDLERS: typeof HANDLERS = [
  ['account.', applyPayeeEvent],
  ['capability.', applyPayeeEvent],
  ['v2.core.account', applyPayeeEvent],
  ['payout.', applyBankEvent],
];

/**
 * The job that handles a stored event of the provider. If it fails, the event waits for the checks (check-payments.ts),
 * which try it again later each time.
 */
export async function applyProviderEvent(ctx: Context, eventId: string): Promise<void> {
  try {
    await applyEvent(ctx, eventId);
  } catch (error) {
    ctx.log.error(
      { err: error, eventId },
      'an event of the payment provider failed; it is tried again later',
    );
    await postponeEvent(ctx.db, eventId, ctx.now());
  }
}

/**
 * Handles an event. Events can arrive late, twice and in any order, so this function fetches the current state instead of
 * trusting the event. One transaction applies it and marks the event done. [HOOK-01]
 */
export async function applyEvent(ctx: Context, eventId: string): Promise<void> {
  const event = await findEvent(ctx.db, eventId);
  if (!event || event.doneAt !== null) return;
  try {
    const effects = await effectsOf(ctx, event);
    await ctx.db.transaction().execute(async (tx) => {
      if (await markEventDone(tx, eventId, ctx.now())) await effects?.(tx);
    });
  } catch (error) {
    await noteEventError(ctx.db, eventId, String(error));
    throw error;
  }
}

async function effectsOf(ctx: Context, event: EventRow): Promise<Effects | null> {
  const isConnected = event.source === 'connect' || event.accountId !== null;
  const handlers = isConnected ? CONNECT_HANDLERS : HANDLERS;
  const handler = handlers.find(([prefix]) => event.type.startsWith(prefix))?.[1];
  return handler ? handler(ctx, event) : null;
}

async function applyPayeeEvent(ctx: Context, { accountId }: EventRow): Promise<Effects | null> {
  return accountId === null ? null : await payeeEffects(ctx, accountId);
}

async function applyIntent(ctx: Context, event: EventRow): Promise<Effects | null> {
  const payment = await findPaymentOf(ctx, event.objectId, event.metadata);
  if (payment === null || payment.book !== ctx.payments.book) return null;
  const intent = await ctx.payments.getIntent(event.objectId);
  // The sandbox's form counts its declines itself, before it answers.
  const isDecline = event.type === 'payment_intent.payment_failed' && ctx.payments.name !== 'sandbox';
  // Money on an intent that was replaced is not of this payment.
  const isReplaced = payment.intentId !== null && payment.intentId !== intent.id;
  if (isDecline && !isReplaced) await countDecline(ctx, payment, intent, event.id);
  return async (tx) => {
    const known = await withIntent(ctx, tx, payment, intent);
    if (known !== null) await finalisePayment(ctx, tx, known, intent);
  };
}

/** Saving cards would otherwise test them without a limit. The sandbox's form counts its declines itself. */
async function applySetupFailure(ctx: Context, event: EventRow): Promise<null> {
  const consent = await findConsentOfSetup(ctx.db, event.objectId);
  if (consent !== null && ctx.payments.name !== 'sandbox') await countSetupDecline(ctx, consent, event.id);
  return null;
}

/** The fee of a charge is known some time after it. The intent of our payment has both. */
async function applyCharge(ctx: Context, event: EventRow): Promise<Effects | null> {
  const payment =
    (await findPaymentOfCharge(ctx.db, event.objectId)) ??
    (await findPaymentOfMetadata(ctx.db, event.metadata));
  if (payment === null || payment.intentId === null || payment.book !== ctx.payments.book) return null;
  if (event.type === 'charge.refunded') await adoptRefundsOf(ctx, payment.intentId);
  const intent = await ctx.payments.getIntent(payment.intentId);
  return (tx) => finalisePayment(ctx, tx, payment, intent);
}

async function applyDisputeEvent(ctx: Context, { objectId }: EventRow): Promise<Effects | null> {
  const dispute = await ctx.payments.getDispute(objectId);
  const effects = await chargedPayment(ctx, dispute);
  return effects && ((tx) => effects(tx, (payment) => applyDispute(ctx, tx, payment, dispute)));
}

async function applyWarning(ctx: Context, { objectId }: EventRow): Promise<Effects | null> {
  const warning = await ctx.payments.getFraudWarning(objectId);
  const effects = await chargedPayment(ctx, warning);
  return effects && ((tx) => effects(tx, (payment) => applyFraudWarning(ctx, tx, payment, warning)));
}

async function applyReviewEvent(ctx: Context, { objectId }: EventRow): Promise<Effects | null> {
  const review = await ctx.payments.getReview(objectId);
  const effects = await chargedPayment(ctx, review);
  return effects && ((tx) => effects(tx, (payment) => applyReview(ctx, tx, payment, review)));
}

async function applyRefundEvent(ctx: Context, { objectId }: EventRow): Promise<Effects> {
  return await refundEffects(ctx, objectId);
}

/** The effects of a refund, whoever made it. [FIELD-75] */
export async function refundEffects(ctx: Context, refundId: string): Promise<Effects> {
  const refund = await ctx.payments.getRefund(refundId);
  const payment = await findPaymentOfIntent(ctx.db, refund.intentId);
  // The payment may have been refunded before we learned of its charge.
  if (payment?.chargeId === null) await askAndFinalise(ctx, payment);
  return (tx) => applyAnyRefund(ctx, tx, refund);
}

async function applyTransferEvent(ctx: Context, { objectId }: EventRow): Promise<Effects> {
  const transfer = await ctx.payments.getTransfer(objectId);
  return async (tx) => await applyTransfer(ctx, tx, transfer);
}

/** A publisher's account has paid out to its bank, or the bank has sent that back. */
async function applyBankEvent(ctx: Context, { accountId }: EventRow): Promise<Effects | null> {
  return accountId === null ? null : await bankEffects(ctx, accountId);
}

type ForPayment = (tx: Tx, apply: (payment: Payment) => Promise<void>) => Promise<void>;

/**
 * Prepares the effects of an event about a charge. We may not know the charge yet, so its payment is brought up to date
 * first. Returns null if the charge is not ours.
 */
async function chargedPayment(
  ctx: Context,
  { chargeId, intentId }: { chargeId: string; intentId: string | null },
): Promise<ForPayment | null> {
  const byCharge = await findPaymentOfCharge(ctx.db, chargeId);
  const intent = byCharge || intentId === null ? null : await ctx.payments.getIntent(intentId);
  const payment = byCharge ?? (intent && (await findPaymentOf(ctx, intent.id, intent.metadata)));
  if (!payment || payment.book !== ctx.payments.book) return null;
  return async (tx, apply) => {
    const known = intent ? await withIntent(ctx, tx, payment, intent) : payment;
    if (known === null) return;
    if (intent) await finalisePayment(ctx, tx, known, intent);
    await apply(known);
  };
}

/** Our payment of an intent, by its id, or by our metadata if its id was never stored. */
async function findPaymentOf(ctx: Context, intentId: string, metadata: Metadata): Promise<Payment | null> {
  return (await findPaymentOfIntent(ctx.db, intentId)) ?? (await findPaymentOfMetadata(ctx.db, metadata));
}

/** Stores the id of an intent that we never learned. Returns null for an intent that was replaced by another one. */
async function withIntent(
  ctx: Context,
  tx: Tx,
  payment: Payment,
  intent: PaymentIntent,
): Promise<Payment | null> {
  if (payment.intentId === intent.id) return payment;
  // Every transaction locks the ad first, and its payments second.
  await lockPayableAd(tx, { id: payment.adId });
  const at = ctx.now();
  const customerId = await customerOfBook(tx, payment);
  const kept = await keepIntent(tx, payment.id, { id: intent.id, customerId }, { at, nextCheckAt: at });
  if (kept.intentId === intent.id) return kept;
  if (intent.amountReceived > 0) {
    ctx.log.error(
      { paymentId: payment.id, intentId: intent.id },
      'money arrived on an intent that was replaced',
    );
  }
  return null;
}
