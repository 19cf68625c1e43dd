import { type Currency } from '#domain/money.ts';
import type { PaymentIntent, PaymentProvider, ProviderEvent } from '../payment-provider.ts';

export type Rehearsal = {
  provider: PaymentProvider;
  /** Confirms an intent with a card as the form in the browser does. A decline is not an error of this function. */
  pay: (clientSecret: string, cardNumber: string) => Promise<void>;
  /** The person enters a card to be saved. */
  saveCard: (clientSecret: string, number: string) => Promise<void>;
  authenticateSetup: (clientSecret: string, outcome: 'complete' | 'fail') => Promise<void>;
  authenticate: (clientSecret: string, outcome: 'complete' | 'fail') => Promise<void>;
  /** Lets the time pass until the provider knows the fees of all charges. */
  makeFeesKnown: () => Promise<void>;
  /** Makes the refunds to come wait for `settleRefund`. */
  holdRefunds: (isHeld: boolean) => void | Promise<void>;
  /** Refunds a part of a paid intent without our server, as in the provider's dashboard. Returns the id of the refund. */
  refundOutside: (intentId: string, amount: number) => Promise<string>;
  settleRefund: (refundId: string, status: 'succeeded' | 'failed') => Promise<void>;
  /** Opens a dispute of a paid intent. An inquiry moves no money. Returns its id. */
  dispute: (intentId: string, kind: 'dispute' | 'inquiry') => Promise<string>;
  closeDispute: (disputeId: string, status: 'won' | 'lost') => Promise<void>;
  /** The card network decides again about a dispute that was lost. */
  appeal: (disputeId: string) => Promise<void>;
  /** Returns the id of the review. */
  openReview: (intentId: string) => Promise<string>;
  closeReview: (reviewId: string) => Promise<void>;
  /** Returns the id of the warning. */
  warnOfFraud: (intentId: string) => Promise<string>;
  finishOnboarding: (payeeId: string) => Promise<void>;
  /** Lets the payee's balance arrive at their bank. */
  payBank: (payeeId: string) => Promise<void>;
  /** The payee's bank sends the last payout back. */
  failBank: (payeeId: string) => Promise<void>;
  /** The payee corrects their bank details, so that the failed payouts are repeated. */
  mendBank: (payeeId: string) => Promise<void>;
  /** The payee enters another bank account or card, by its fingerprint, for their payouts. */
  movePayouts: (payeeId: string, destination: string) => Promise<void>;
  /** The provider asks the payee for documents again. */
  restrictPayee: (payeeId: string) => Promise<void>;
  /** The events so far, oldest first, as our server received them. */
  events: () => Promise<ProviderEvent[]>;
  close: () => Promise<void>;
};

export const GOOD_CARD = '4242424242424242';

type Order = { amount?: number; currency?: Currency; metadata?: Record<string, string> };

/** The provider that is tested, and the orders that the parts of the suite place with it. */
export class ProviderSuite {
  /** Set before the first test. */
  play!: Rehearsal;
  #count = 0;

  get provider(): PaymentProvider {
    return this.play.provider;
  }

  readonly key = (): string => `contract:${++this.#count}`;

  readonly makeCustomer = async (): Promise<string> =>
    (
      await this.provider.createCustomer(
        { email: 'ann@example.test', name: 'Ann Bell', metadata: { user_id: '1' } },
        this.key(),
      )
    ).id;

  readonly ordered = async (fields: Order = {}) => ({
    amount: 5000,
    currency: 'USD' as Currency,
    customerId: await this.makeCustomer(),
    transferGroup: 'ad_1',
    description: 'Ad 1',
    metadata: { payment_id: '1', ad_id: '7' },
    ...fields,
  });

  readonly makeIntent = async (fields?: Order): Promise<PaymentIntent> =>
    this.provider.createIntent(await this.ordered(fields), this.key());

  readonly makePaid = async (fields?: Order): Promise<PaymentIntent> => {
    const { id, clientSecret } = await this.makeIntent(fields);
    await this.play.pay(clientSecret, GOOD_CARD);
    return this.provider.getIntent(id);
  };

  /** The types of the events about an object, oldest first. */
  readonly typesAbout = async (objectId: string): Promise<string[]> =>
    (await this.play.events()).filter((event) => event.objectId === objectId).map(({ type }) => type);

  /** Saves a card for a new customer. */
  readonly makeSavedCard = async (number: string): Promise<{ customerId: string; cardId: string }> => {
    const customerId = await this.makeCustomer();
    const { id, clientSecret } = await this.provider.createSetup({ customerId, metadata: {} }, this.key());
    await this.play.saveCard(clientSecret, number);
    const waiting = await this.provider.getSetup(id);
    if (waiting.status === 'requires_action') await this.play.authenticateSetup(clientSecret, 'complete');
    const { card } = await this.provider.getSetup(id);
    return { customerId, cardId: String(card?.id) };
  };
}
