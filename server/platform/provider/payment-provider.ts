import type { Currency } from '#domain/money.ts';
import type { Evidence } from '#domain/payments/evidence.ts';
import type { PaymentBook } from '../settings/config.ts';

/** Whole cents. */
export type Cents = number;

/** Our own ids, such as `payment_id` and `installation`. No email address and no text of an ad. */
export type Metadata = Record<string, string>;

export type Card = { brand: string; last4: string; fingerprint: string };

export type PaymentIntent = {
  id: string;
  clientSecret: string;
  status: 'requires_payment' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  amount: Cents;
  amountReceived: Cents;
  /** In capitals. May be a currency that we don't sell in, if the intent is not ours. */
  currency: string;
  customerId: string | null;
  chargeId: string | null;
  /** When the provider charged the card; null before. */
  chargedAt: Date | null;
  /** The card that was tried last. Null before the first try, and for other means of payment. */
  card: Card | null;
  /** Its fee arrives later: null until the provider knows it. */
  balanceTransaction: BalanceTransaction | null;
  lastError: { code: string; declineCode?: string; message: string } | null;
  metadata: Metadata;
  live: boolean;
  createdAt: Date;
};

/** A card that the provider keeps, so that it can be charged without its owner. */
export type SavedCard = Card & { id: string; expMonth: number; expYear: number };

/** The saving of a card for later charges. */
export type Setup = {
  id: string;
  clientSecret: string;
  status: 'requires_card' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  customerId: string | null;
  /** Null until the card is saved. */
  card: SavedCard | null;
  metadata: Metadata;
};

export type Refund = {
  id: string;
  intentId: string;
  /** `failed` may follow `succeeded`: the bank sent the money back. */
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  amount: Cents;
  currency: string;
  /** The reason of the failure, in the provider's word. */
  failureReason: string | null;
  /** The balance transaction that took the money. Null while it is pending. */
  balanceTransaction: BalanceTransaction | null;
  /** The balance transaction that brought it back after a failure. */
  failureBalanceTransaction: BalanceTransaction | null;
  metadata: Metadata;
  createdAt: Date;
};

/** A movement of the balance at the provider. amount - fee = net, in `currency`, which may differ from the charge's. */
export type BalanceTransaction = {
  id: string;
  /** The provider's word: 'charge', 'refund', 'refund_failure', 'adjustment', 'transfer', 'payout', … Not a closed list. */
  type: string;
  /** The object behind it, such as a charge, refund, dispute or transfer. */
  sourceId: string | null;
  amount: Cents;
  fee: Cents;
  net: Cents;
  currency: string;
  /** From the charge's currency into `currency`; null if they are the same. */
  exchangeRate: string | null;
  createdAt: Date;
  availableAt: Date;
};

export type Dispute = {
  id: string;
  chargeId: string;
  intentId: string | null;
  /** The provider's word: `needs_response`, `warning_needs_response`, `won`, `lost`, … Not a closed list. */
  status: string;
  reason: string;
  amount: Cents;
  currency: string;
  dueAt: Date | null;
  createdAt: Date;
  balanceTransactions: BalanceTransaction[];
  /** How often evidence was sent to the bank, by us or in the provider's dashboard. */
  submissions: number;
};

/** The provider looks at a charge because a rule or a person found it risky. */
export type Review = {
  id: string;
  chargeId: string;
  intentId: string | null;
  isOpen: boolean;
  /** The provider's word: 'approved', 'refunded_as_fraud', … Not a closed list. Null while it is open. */
  closedReason: string | null;
};

export type FraudWarning = {
  id: string;
  chargeId: string;
  intentId: string | null;
  actionable: boolean;
  createdAt: Date;
};

export type Payee = {
  id: string;
  /** Only `active` can receive transfers. `pending`: the payee, or the provider's check, has not finished. */
  transfersStatus: 'active' | 'inactive' | 'pending';
  /** The provider's open questions to the payee, in its own words. */
  requirements: string[];
  /**
   * The provider's fingerprints of the bank accounts and cards that receive the payouts. A card has the same one as in
   * payments. Null if the provider does not tell.
   */
  destinations: string[] | null;
};

/** Money that left our balance for a payee's. */
export type Transfer = {
  id: string;
  payeeId: string;
  sourceChargeId: string | null;
  amount: Cents;
  currency: string;
  /** The movement of our balance. */
  balanceTransaction: BalanceTransaction | null;
  /** The parts that were taken back, oldest first. */
  reversals: Reversal[];
  metadata: Metadata;
  createdAt: Date;
};

/** A part of a transfer that was taken back from the payee's balance. */
export type Reversal = {
  id: string;
  amount: Cents;
  balanceTransaction: BalanceTransaction | null;
  metadata: Metadata;
  createdAt: Date;
};

/** A movement from a payee's balance to their bank. It carries all transfers that are in the balance. */
export type BankPayout = {
  id: string;
  /** `failed` may follow `paid`. The money is then in the payee's balance again, for a later payout. */
  status: 'pending' | 'paid' | 'failed';
  /** The reason of the failure, in the provider's words. */
  failureMessage: string | null;
  /** The transfers that it carries. */
  transferIds: string[];
  /** The earlier payouts that failed and whose money it carries. */
  retriedIds: string[];
  createdAt: Date;
};

export type ProviderEvent = {
  id: string;
  /** The provider's word, such as 'payment_intent.succeeded'. An unknown one is kept and has no effect. */
  type: string;
  /** The id of the object that changed. Its state is always fetched again, never read from the event. */
  objectId: string;
  /** Our ids on that object, by which it is found if we never learned its id. */
  metadata: Metadata;
  /** The connected account that it is about; null for our own. */
  accountId: string | null;
  createdAt: Date;
  live: boolean;
};

/** The code of a refused transfer to a payee whose account cannot receive any. */
export const TRANSFERS_INACTIVE = 'insufficient_capabilities_for_transfer';

/** The code of a call that was not made, because everything outgoing waits after a restore. */
export const OUTBOUND_HELD = 'outbound_held';

/** The code of a charge for which the bank wants to verify the customer. */
export const AUTHENTICATION_REQUIRED = 'authentication_required';

/** The provider refused a call. `userMessage` may be shown to the advertiser. */
export class ProviderError extends Error {
  /**
   * `unavailable`: it cannot be reached, was too slow or failed itself, so that we cannot know whether it has acted.
   * `rate_limited`: it did not act.
   */
  readonly kind: 'declined' | 'invalid' | 'not_found' | 'conflict' | 'rate_limited' | 'unavailable';
  readonly code: string | undefined;
  readonly declineCode: string | undefined;
  readonly userMessage: string | undefined;

  constructor(
    kind: ProviderError['kind'],
    message: string,
    more: { code?: string; declineCode?: string; userMessage?: string } = {},
  ) {
    super(message);
    this.kind = kind;
    this.code = more.code;
    this.declineCode = more.declineCode;
    this.userMessage = more.userMessage;
  }
}

/** The first sentence of an answer to a user who asked for a call that could not be made. */
export function awaySentence({ code }: ProviderError): string {
  return code === OUTBOUND_HELD
    ? 'Payments are paused for a short time.'
    : 'The card provider can’t be reached right now.';
}

/**
 * The third party that charges cards and pays publishers. Every changing call has an idempotency key, which contains a
 * random id of a row that was committed before the call. So a call can be repeated safely after a crash, and no other
 * database has the same key.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sandbox';
  mode: 'live' | 'test' | 'sandbox';
  book: PaymentBook;
  /** The settings for the card form in the browser. */
  clientConfig(): { publishableKey?: string; notice?: string };

  /** Creates a customer. Throws 'conflict' if the key was used with other parameters. */
  createCustomer(
    customer: { email: string; name: string; metadata: Metadata },
    key: string,
  ): Promise<{ id: string }>;
  forgetCustomer(id: string): Promise<void>;
  billingPortal(customerId: string, returnUrl: string): Promise<{ url: string }>;

  createIntent(
    intent: {
      amount: Cents;
      currency: Currency;
      customerId: string;
      transferGroup: string;
      description: string;
      metadata: Metadata;
    },
    key: string,
  ): Promise<PaymentIntent>;
  getIntent(id: string): Promise<PaymentIntent>;
  /** Throws 'conflict' if it is paid. Canceling a canceled one changes nothing. */
  cancelIntent(id: string): Promise<PaymentIntent>;
  /** The intents that were created at `since` or later, newest first, of every installation that shares the account. */
  intentsSince(since: Date): AsyncIterable<PaymentIntent>;

  /** Begins to save a card of a customer for charges without them. */
  createSetup(setup: { customerId: string; metadata: Metadata }, key: string): Promise<Setup>;
  getSetup(id: string): Promise<Setup>;
  /**
   * Charges an intent to a saved card of its customer. Returns the intent after the attempt: a decline is in `lastError`.
   * A bank that wants its customer is there, too (code AUTHENTICATION_REQUIRED), or with `isPresent`, makes the intent
   * wait for them (`requires_action`). The same key charges once.
   */
  chargeSaved(
    charge: { intentId: string; cardId: string; returnUrl: string; isPresent?: boolean },
    key: string,
  ): Promise<PaymentIntent>;
  /** Forgets a saved card. One that is forgotten, or that the provider does not know, stays so. */
  forgetCard(cardId: string): Promise<void>;

  refund(refund: { intentId: string; amount: Cents; metadata: Metadata }, key: string): Promise<Refund>;
  getRefund(id: string): Promise<Refund>;
  refundsOf(intentId: string): AsyncIterable<Refund>;

  getDispute(id: string): Promise<Dispute>;
  /** Stores evidence at the provider. The bank does not see it. */
  stageEvidence(disputeId: string, evidence: Evidence, key: string): Promise<Dispute>;
  /** Sends evidence to the bank. Throws 'invalid' if the dispute takes none. */
  submitEvidence(disputeId: string, evidence: Evidence, key: string): Promise<Dispute>;
  getReview(id: string): Promise<Review>;
  getFraudWarning(id: string): Promise<FraudWarning>;

  createPayee(
    payee: { email: string; name: string; country: string; metadata: Metadata },
    key: string,
  ): Promise<Payee>;
  getPayee(id: string): Promise<Payee>;
  payeeLink(id: string, urls: { refresh: string; return: string }): Promise<{ url: string; expiresAt: Date }>;
  /** Closes a payee's account for good. One that is closed already stays closed. */
  closePayee(id: string): Promise<'closed' | 'balance_not_zero'>;
  /**
   * Moves a part of a charge to a payee, or without a charge, of our available balance. Throws 'invalid' with the code
   * TRANSFERS_INACTIVE if the payee cannot receive transfers.
   */
  transfer(
    transfer: {
      payeeId: string;
      amount: Cents;
      currency: Currency;
      sourceChargeId: string | null;
      transferGroup: string;
      metadata: Metadata;
    },
    key: string,
  ): Promise<Transfer>;
  getTransfer(id: string): Promise<Transfer>;
  transfersOf(transferGroup: string): AsyncIterable<Transfer>;
  /**
   * Takes a part of a transfer back. Throws 'invalid' if the payee's balance does not have that much, or if it is more
   * than is left of the transfer.
   */
  reverse(
    reversal: { transferId: string; amount: Cents; metadata: Metadata },
    key: string,
  ): Promise<Reversal>;
  /** A payee's payouts to their bank that were created at `since` or later. */
  bankPayoutsSince(payeeId: string, since: Date): AsyncIterable<BankPayout>;

  /** Checks the signature over the raw bytes. Throws ProviderError 'invalid' if it is wrong or too old. */
  readEvent(
    raw: Buffer,
    headers: Record<string, string | string[] | undefined>,
    source: 'account' | 'connect',
  ): ProviderEvent;
  /** The events of our own account that the provider created at `since` or later and could not deliver. */
  undeliveredEvents(since: Date): AsyncIterable<ProviderEvent>;
  /** Movements of the balance that were created at `since` or later, newest first. */
  balanceTransactionsSince(since: Date): AsyncIterable<BalanceTransaction>;
  /**
   * Prepares the account at the start of the server, and returns a sentence for each problem, such as an event that no
   * webhook endpoint is subscribed to. Nothing here stops the start.
   */
  prepare(needs: {
    publicUrl: string;
    events: readonly string[];
    connectEvents: readonly string[];
  }): Promise<string[]>;
};
