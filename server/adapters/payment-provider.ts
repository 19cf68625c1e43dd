import type { PaymentBook } from '../config.ts';

/** Whole cents. */
export type Cents = number;

export type PaymentIntent = {
  id: string;
  clientSecret: string;
  status: 'requires_payment' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  amount: Cents;
  amountReceived: Cents;
  currency: 'USD';
  customerId: string;
  chargeId: string | null;
  lastError: { code: string; declineCode?: string; message: string } | null;
  /** Holds only our own ids, no email address and no text of the ad. */
  metadata: Record<string, string>;
  live: boolean;
};

export type Refund = { id: string; status: 'pending' | 'succeeded' | 'failed' | 'canceled'; amount: Cents };
export type Payee = {
  id: string;
  transfersStatus: 'active' | 'inactive' | 'pending';
  requirements: string[];
};
export type Transfer = { id: string; amount: Cents };

export type ProviderEvent = {
  id: string;
  type: string;
  /** The id of the object that changed. Its state is always fetched again, never read from the event. */
  objectId: string;
  createdAt: Date;
  live: boolean;
};

/** The provider refused a call. `userMessage` may be shown to the advertiser. */
export class ProviderError extends Error {
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

/**
 * The third party that charges cards and pays publishers. Every changing call has an idempotency key. The key contains
 * the id of a row that was committed before the call, so that a call can be repeated safely after a crash.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sandbox';
  mode: 'live' | 'test' | 'sandbox';
  book: PaymentBook;
  /** The settings for the card form in the browser. */
  clientConfig(): { publishableKey?: string; notice?: string };
  ensureCustomer(
    customer: { userId: number; email: string; name: string },
    key: string,
  ): Promise<{ id: string }>;
  createIntent(
    intent: {
      amount: Cents;
      currency: 'USD';
      customerId: string;
      transferGroup: string;
      description: string;
      metadata: Record<string, string>;
    },
    key: string,
  ): Promise<PaymentIntent>;
  getIntent(id: string): Promise<PaymentIntent>;
  cancelIntent(id: string): Promise<PaymentIntent>;
  refund(
    refund: { intentId: string; amount: Cents; metadata: Record<string, string> },
    key: string,
  ): Promise<Refund>;
  getRefund(id: string): Promise<Refund>;
  createPayee(
    payee: { userId: number; email: string; name: string; country: string },
    key: string,
  ): Promise<Payee>;
  getPayee(id: string): Promise<Payee>;
  payeeLink(id: string, urls: { refresh: string; return: string }): Promise<{ url: string; expiresAt: Date }>;
  transfer(
    transfer: {
      payeeId: string;
      amount: Cents;
      currency: 'USD';
      sourceChargeId: string;
      transferGroup: string;
    },
    key: string,
  ): Promise<Transfer>;
  billingPortal(customerId: string, returnUrl: string): Promise<{ url: string }>;
  forgetCustomer(id: string): Promise<void>;
  /** Checks the signature over the raw bytes. Throws ProviderError 'invalid' if it is wrong. */
  readEvent(
    raw: Buffer,
    headers: Record<string, string | string[] | undefined>,
    source: 'account' | 'connect',
  ): ProviderEvent;
};
