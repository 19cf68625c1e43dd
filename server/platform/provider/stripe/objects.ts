/**
 * Reads Stripe's objects. Every status is an open list: Stripe adds words without a new version, so a word that we don't
 * know must never make a payment look paid or lost.
 */
import type { Stripe } from 'stripe';
import type {
  BalanceTransaction,
  BankPayout,
  Card,
  Dispute,
  FraudWarning,
  PaymentIntent,
  Refund,
  Review,
  Reversal,
  Setup,
  Transfer,
} from '../payment-provider.ts';

const instant = (seconds: number) => new Date(seconds * 1000);

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);

/** The object behind a reference that was requested with `expand`. Null if there is none yet. */
const expanded = <T>(reference: string | T | null | undefined): T | null =>
  typeof reference === 'string' ? null : (reference ?? null);

export function readIntent(intent: Stripe.PaymentIntent): PaymentIntent {
  const charge = expanded(intent.latest_charge);
  const isCharged = charge?.status === 'succeeded';
  const balanceTransaction = expanded(charge?.balance_transaction);
  const error = intent.last_payment_error;
  return {
    id: intent.id,
    clientSecret: intent.client_secret ?? '',
    status: INTENT_STATUS[intent.status] ?? 'processing',
    amount: intent.amount,
    amountReceived: intent.amount_received,
    currency: intent.currency.toUpperCase(),
    customerId: idOf(intent.customer),
    chargeId: isCharged ? charge.id : null,
    chargedAt: isCharged ? instant(charge.created) : null,
    card: readCard(charge?.payment_method_details?.card ?? error?.payment_method?.card),
    balanceTransaction: balanceTransaction && readBalanceTransaction(balanceTransaction),
    lastError: error
      ? {
          code: error.code ?? error.type,
          ...(error.decline_code && { declineCode: error.decline_code }),
          message: error.message ?? 'Your payment could not be completed.',
        }
      : null,
    metadata: intent.metadata,
    live: intent.livemode,
    createdAt: instant(intent.created),
  };
}

const INTENT_STATUS: Partial<Record<string, PaymentIntent['status']>> = {
  requires_payment_method: 'requires_payment',
  requires_confirmation: 'requires_payment',
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  canceled: 'canceled',
};

type StripeCard = { brand?: string | null; last4?: string | null; fingerprint?: string | null };

function readCard(card: StripeCard | null | undefined): Card | null {
  if (!card?.last4 || !card.fingerprint) return null;
  return { brand: card.brand ?? 'unknown', last4: card.last4, fingerprint: card.fingerprint };
}

export function readSetup(setup: Stripe.SetupIntent): Setup {
  const method = expanded(setup.payment_method);
  const card = readCard(method?.card);
  return {
    id: setup.id,
    clientSecret: setup.client_secret ?? '',
    status: SETUP_STATUS[setup.status] ?? 'processing',
    customerId: idOf(setup.customer),
    card:
      setup.status === 'succeeded' && method?.card && card
        ? { ...card, id: method.id, expMonth: method.card.exp_month, expYear: method.card.exp_year }
        : null,
    metadata: setup.metadata ?? {},
  };
}

const SETUP_STATUS: Partial<Record<string, Setup['status']>> = {
  requires_payment_method: 'requires_card',
  requires_confirmation: 'requires_card',
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  canceled: 'canceled',
};

export function readBalanceTransaction(moved: Stripe.BalanceTransaction): BalanceTransaction {
  return {
    id: moved.id,
    type: moved.type,
    sourceId: idOf(moved.source),
    amount: moved.amount,
    fee: moved.fee,
    net: moved.net,
    currency: moved.currency.toUpperCase(),
    exchangeRate: moved.exchange_rate === null ? null : String(moved.exchange_rate),
    createdAt: instant(moved.created),
    availableAt: instant(moved.available_on),
  };
}

export function readRefund(refund: Stripe.Refund): Refund {
  const moved = expanded(refund.balance_transaction);
  const movedBack = expanded(refund.failure_balance_transaction);
  return {
    id: refund.id,
    intentId: idOf(refund.payment_intent) ?? '',
    status: REFUND_STATUS[refund.status ?? ''] ?? 'pending',
    amount: refund.amount,
    currency: refund.currency.toUpperCase(),
    failureReason: refund.failure_reason ?? null,
    balanceTransaction: moved && readBalanceTransaction(moved),
    failureBalanceTransaction: movedBack && readBalanceTransaction(movedBack),
    metadata: refund.metadata ?? {},
    createdAt: instant(refund.created),
  };
}

const REFUND_STATUS: Partial<Record<string, Refund['status']>> = {
  pending: 'pending',
  requires_action: 'requires_action',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'canceled',
};

export function readDispute(dispute: Stripe.Dispute): Dispute {
  const { due_by: dueBy, submission_count: submissions } = dispute.evidence_details;
  return {
    id: dispute.id,
    chargeId: idOf(dispute.charge) ?? '',
    intentId: idOf(dispute.payment_intent),
    status: dispute.status,
    reason: dispute.reason,
    amount: dispute.amount,
    currency: dispute.currency.toUpperCase(),
    dueAt: dueBy === null ? null : instant(dueBy),
    createdAt: instant(dispute.created),
    balanceTransactions: dispute.balance_transactions.map(readBalanceTransaction),
    submissions,
  };
}

export function readReview(review: Stripe.Review): Review {
  return {
    id: review.id,
    chargeId: idOf(review.charge) ?? '',
    intentId: idOf(review.payment_intent),
    isOpen: review.open,
    closedReason: review.closed_reason,
  };
}

export function readFraudWarning(warning: Stripe.Radar.EarlyFraudWarning): FraudWarning {
  return {
    id: warning.id,
    chargeId: idOf(warning.charge) ?? '',
    intentId: idOf(warning.payment_intent),
    actionable: warning.actionable,
    createdAt: instant(warning.created),
  };
}

export function readTransfer(transfer: Stripe.Transfer): Transfer {
  const moved = expanded(transfer.balance_transaction);
  return {
    id: transfer.id,
    payeeId: idOf(transfer.destination) ?? '',
    sourceChargeId: idOf(transfer.source_transaction),
    amount: transfer.amount,
    currency: transfer.currency.toUpperCase(),
    balanceTransaction: moved && readBalanceTransaction(moved),
    // Stripe lists the newest first.
    reversals: transfer.reversals.data.map(readReversal).toReversed(),
    metadata: transfer.metadata,
    createdAt: instant(transfer.created),
  };
}

export function readReversal(reversal: Stripe.TransferReversal): Reversal {
  const moved = expanded(reversal.balance_transaction);
  return {
    id: reversal.id,
    amount: reversal.amount,
    balanceTransaction: moved && readBalanceTransaction(moved),
    metadata: reversal.metadata ?? {},
    createdAt: instant(reversal.created),
  };
}

/** `movements` are those of the payee's balance that the payout paid out, with their sources. */
export function readBankPayout(
  payout: Stripe.Payout,
  movements: readonly Stripe.BalanceTransaction[],
): BankPayout {
  const sources = movements.map(({ source }) => expanded(source)).filter((source) => source !== null);
  return {
    id: payout.id,
    status: BANK_STATUS[payout.status] ?? 'pending',
    failureMessage: payout.failure_message,
    transferIds: sources.flatMap((source) =>
      source.object === 'charge' ? (idOf(source.source_transfer) ?? []) : [],
    ),
    retriedIds: sources.flatMap((source) =>
      source.object === 'payout' && source.id !== payout.id ? source.id : [],
    ),
    createdAt: instant(payout.created),
  };
}

const BANK_STATUS: Partial<Record<string, BankPayout['status']>> = {
  paid: 'paid',
  failed: 'failed',
  canceled: 'failed',
};
