import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Metadata, PaymentIntent, Refund } from '#server/platform/provider/payment-provider.ts';
import { lockPayableAd } from '#server/ads/life/activate.ts';
import { countDecline, countSetupDecline } from '../checkout/attempts.ts';
import { applyDispute, applyFraudWarning, applyReview } from '../disputes/disputes.ts';
import { askAndFinalise, finalisePayment } from '../checkout/finalise.ts';
import { findPaymentOfMetadata } from '../checkout/intents.ts';
import { findConsentOfSetup } from '../checkout/consent-rows.ts';
import { applyTransfer } from '../payouts/apply.ts';
import { askForBankPayouts, type BankAnswer, recordBankPayouts } from '../payouts/bank.ts';
import { askForPayee, isOurPayee, type PayeeAnswer, recordPayee } from '../payees/read.ts';
import { adoptRefundsOf, applyAnyRefund } from '../refunds/outside.ts';
import {
  customerOfBook,
  findPaymentOfCharge,
  findPaymentOfIntent,
  keepIntent,
  type Payment,
} from '../checkout/payment.ts';
import { type EventRow, findEvent, markEventDone, noteEventError, postponeEvent } from './store-events.ts';

/**
 * The two steps of an event: `ask` fetches the present state from the provider before the transaction begins, and `record`
 * writes it in the transaction that marks the event as done. An event for which `ask` returns null is not about us.
 */
type Steps<State> = {
  ask: (ctx: Context, event: EventRow) => Promise<State | null>;
  record: (ctx: Context, tx: Tx, state: State) => Promise<unknown>;
};

/** Both steps of an event of any kind: asks, and returns the second step with the state that the first one fetched. */
type Handler = (ctx: Context, event: EventRow) => Promise<((tx: Tx) => Promise<unknown>) | null>;

const handler =
  <State>({ ask, record }: Steps<State>): Handler =>
  async (ctx, event) => {
    const state = await ask(ctx, event);
    return state === null ? null : (tx) => record(ctx, tx, state);
  };

const ofPayee = handler({ ask: askForOurPayee, record: recordPayee });

/** The handlers by the beginning of an event's type. A type without a handler has no effect, because the provider can add types at any time. */
const HANDLERS: readonly [prefix: string, handler: Handler][] = [
  ['payment_intent.', handler({ ask: askForIntent, record: recordIntent })],
  ['setup_intent.setup_failed', handler({ ask: noteSetupFailure, record: async () => {} })],
  ['charge.dispute.', aboutCharge((ctx, id) => ctx.payments.getDispute(id), applyDispute)],
  ['charge.', handler({ ask: askForCharge, record: recordCharge })],
  [
    'radar.early_fraud_warning.',
    aboutCharge((ctx, id) => ctx.payments.getFraudWarning(id), applyFraudWarning),
  ],
  ['review.', aboutCharge((ctx, id) => ctx.payments.getReview(id), applyReview)],
  ['refund.', handler({ ask: (ctx, { objectId }) => askForRefund(ctx, objectId), record: applyAnyRefund })],
  [
    'transfer.',
    handler({ ask: (ctx, { objectId }) => ctx.payments.getTransfer(objectId), record: applyTransfer }),
  ],
];

/** The handlers of events about the connected accounts of publishers. */
const CONNECT_HANDLERS: typeof HANDLERS = [
  ['account.', ofPayee],
  ['capability.', ofPayee],
  ['v2.core.account', ofPayee],
  // A publisher's account has paid out to its bank, or the bank has sent that back.
  ['payout.', handler({ ask: askForBank, record: recordBankPayouts })],
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
    const record = await handlerOf(event)?.(ctx, event);
    await ctx.db.transaction().execute(async (tx) => {
      if (await markEventDone(tx, eventId, ctx.now())) await record?.(tx);
    });
  } catch (error) {
    await noteEventError(ctx.db, eventId, String(error));
    throw error;
  }
}

function handlerOf(event: EventRow): Handler | undefined {
  const isConnected = event.source === 'connect' || event.accountId !== null;
  const handlers = isConnected ? CONNECT_HANDLERS : HANDLERS;
  return handlers.find(([prefix]) => event.type.startsWith(prefix))?.[1];
}

async function askForOurPayee(ctx: Context, { accountId }: EventRow): Promise<PayeeAnswer | null> {
  return accountId !== null && (await isOurPayee(ctx, accountId)) ? await askForPayee(ctx, accountId) : null;
}

async function askForBank(ctx: Context, { accountId }: EventRow): Promise<BankAnswer | null> {
  return accountId === null ? null : await askForBankPayouts(ctx, accountId);
}

type Paid = { payment: Payment; intent: PaymentIntent };

async function askForIntent(ctx: Context, event: EventRow): Promise<Paid | null> {
  const payment = await findPaymentOf(ctx, event.objectId, event.metadata);
  if (payment === null || payment.book !== ctx.payments.book) return null;
  const intent = await ctx.payments.getIntent(event.objectId);
  // The sandbox's form counts its declines itself, before it answers.
  const isDecline = event.type === 'payment_intent.payment_failed' && ctx.payments.name !== 'sandbox';
  // Money on an intent that was replaced is not of this payment.
  const isReplaced = payment.intentId !== null && payment.intentId !== intent.id;
  if (isDecline && !isReplaced) await countDecline(ctx, payment, intent, event.id);
  return { payment, intent };
}

async function recordIntent(ctx: Context, tx: Tx, { payment, intent }: Paid): Promise<void> {
  const known = await withIntent(ctx, tx, payment, intent);
  if (known !== null) await finalisePayment(ctx, tx, known, intent);
}

/** Saving cards would otherwise test them without a limit. The sandbox's form counts its declines itself. */
async function noteSetupFailure(ctx: Context, event: EventRow): Promise<null> {
  const consent = await findConsentOfSetup(ctx.db, event.objectId);
  if (consent !== null && ctx.payments.name !== 'sandbox') await countSetupDecline(ctx, consent, event.id);
  return null;
}

/** The fee of a charge is known some time after it. The intent of our payment has both. */
async function askForCharge(ctx: Context, event: EventRow): Promise<Paid | null> {
  const payment =
    (await findPaymentOfCharge(ctx.db, event.objectId)) ??
    (await findPaymentOfMetadata(ctx.db, event.metadata));
  if (payment === null || payment.intentId === null || payment.book !== ctx.payments.book) return null;
  if (event.type === 'charge.refunded') await adoptRefundsOf(ctx, payment.intentId);
  return { payment, intent: await ctx.payments.getIntent(payment.intentId) };
}

async function recordCharge(ctx: Context, tx: Tx, { payment, intent }: Paid): Promise<void> {
  await finalisePayment(ctx, tx, payment, intent);
}

type OnCharge = { chargeId: string; intentId: string | null };

/** The handler of what the provider says about a charge, such as a dispute. The payment of the charge is brought up to date first. */
function aboutCharge<State extends OnCharge>(
  get: (ctx: Context, id: string) => Promise<State>,
  apply: (ctx: Context, tx: Tx, payment: Payment, state: State) => Promise<void>,
): Handler {
  return handler({
    ask: async (ctx, { objectId }) => {
      const state = await get(ctx, objectId);
      const charged = await findCharged(ctx, state);
      return charged && { charged, state };
    },
    record: async (ctx, tx, { charged, state }) => {
      const payment = await recordCharged(ctx, tx, charged);
      if (payment) await apply(ctx, tx, payment, state);
    },
  });
}

/** Asks for a refund, whoever made it. [FIELD-75] */
export async function askForRefund(ctx: Context, refundId: string): Promise<Refund> {
  const refund = await ctx.payments.getRefund(refundId);
  const payment = await findPaymentOfIntent(ctx.db, refund.intentId);
  // The payment may have been refunded before we learned of its charge.
  if (payment?.chargeId === null) await askAndFinalise(ctx, payment);
  return refund;
}

/** The payment of a charge, and its intent if we may not know the charge yet. */
type Charged = { payment: Payment; intent: PaymentIntent | null };

/** Finds the payment of a charge. Returns null if the charge is not ours. */
async function findCharged(ctx: Context, { chargeId, intentId }: OnCharge): Promise<Charged | null> {
  const byCharge = await findPaymentOfCharge(ctx.db, chargeId);
  const intent = byCharge || intentId === null ? null : await ctx.payments.getIntent(intentId);
  const payment = byCharge ?? (intent && (await findPaymentOf(ctx, intent.id, intent.metadata)));
  return payment?.book === ctx.payments.book ? { payment, intent } : null;
}

/** Brings the payment of a charge up to date first. Returns null if its intent was replaced by another one. */
async function recordCharged(ctx: Context, tx: Tx, { payment, intent }: Charged): Promise<Payment | null> {
  if (intent === null) return payment;
  const known = await withIntent(ctx, tx, payment, intent);
  if (known !== null) await finalisePayment(ctx, tx, known, intent);
  return known;
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
