/**
 * The product's expectations of every payment provider. Each adapter has a test file that runs this suite on it. The
 * rehearsal plays what happens outside of our server: the card form, the bank and the passing of time.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURRENCIES, type Currency, decimalOf, moneyText } from '#domain/money.ts';
import type { Evidence } from '#domain/payments/evidence.ts';
import { MINIMUM_CENTS } from '#domain/payments/limits.ts';
import {
  type BankPayout,
  type PaymentIntent,
  type PaymentProvider,
  ProviderError,
  type ProviderEvent,
  type Transfer,
  TRANSFERS_INACTIVE,
} from './payment-provider.ts';

export type Rehearsal = {
  provider: PaymentProvider;
  /** Confirms an intent with a card as the form in the browser does. A decline is not an error of this function. */
  pay: (clientSecret: string, cardNumber: string) => Promise<void>;
  authenticate: (clientSecret: string, outcome: 'complete' | 'fail') => Promise<void>;
  /** Lets the time pass until the provider knows the fees of all charges. */
  makeFeesKnown: () => Promise<void>;
  /** Makes the refunds to come wait for `settleRefund`. */
  holdRefunds: (isHeld: boolean) => void | Promise<void>;
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
  /** The payee mends their bank details, so that what came back is paid out again. */
  mendBank: (payeeId: string) => Promise<void>;
  /** The payee enters another bank account or card, by its fingerprint, for their payouts. */
  movePayouts: (payeeId: string, destination: string) => Promise<void>;
  /** The provider asks the payee for documents again. */
  restrictPayee: (payeeId: string) => Promise<void>;
  /** The events so far, oldest first, as our server received them. */
  events: () => Promise<ProviderEvent[]>;
  close: () => Promise<void>;
};

const GOOD_CARD = '4242424242424242';

const EVIDENCE: Evidence = {
  productDescription: 'Online advertising',
  customerName: 'Ann Bell',
  customerEmail: 'ann@example.test',
  serviceDate: '2026-11-22',
  activityLog: '2026-11-22 (UTC): 40 viewable impressions, 2 clicks',
  refundPolicy: 'What was not delivered is refunded.',
  cancellationPolicy: 'At any time.',
  summary: 'Approved, paid and delivered.',
};

export function describeProvider(name: string, start: () => Promise<Rehearsal>): void {
  let play: Rehearsal;
  let provider: PaymentProvider;
  let count = 0;

  beforeAll(async () => {
    play = await start();
    provider = play.provider;
  });
  afterAll(async () => await play.close());

  const key = () => `contract:${++count}`;
  const makeCustomer = async () =>
    (
      await provider.createCustomer(
        { email: 'ann@example.test', name: 'Ann Bell', metadata: { user_id: '1' } },
        key(),
      )
    ).id;
  const ordered = async (
    fields: { amount?: number; currency?: Currency; metadata?: Record<string, string> } = {},
  ) => ({
    amount: 5000,
    currency: 'USD' as Currency,
    customerId: await makeCustomer(),
    transferGroup: 'ad_1',
    description: 'Ad 1',
    metadata: { payment_id: '1', ad_id: '7' },
    ...fields,
  });
  const makeIntent = async (fields?: Parameters<typeof ordered>[0]) =>
    provider.createIntent(await ordered(fields), key());
  const makePaid = async (fields?: Parameters<typeof ordered>[0]) => {
    const { id, clientSecret } = await makeIntent(fields);
    await play.pay(clientSecret, GOOD_CARD);
    return provider.getIntent(id);
  };
  const typesAbout = async (objectId: string) =>
    (await play.events()).filter((event) => event.objectId === objectId).map(({ type }) => type);

  describe(`${name}: payment intents`, () => {
    it('are created once per key, also in parallel, and returned in their current state', async () => {
      const [order, again] = [await ordered(), key()];
      const made = await Promise.all(Array.from({ length: 5 }, () => provider.createIntent(order, again)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      const [intent] = made;
      expect(intent).toMatchObject({
        status: 'requires_payment',
        amount: 5000,
        amountReceived: 0,
        currency: 'USD',
        customerId: order.customerId,
        chargeId: null,
        chargedAt: null,
        card: null,
        balanceTransaction: null,
        lastError: null,
        live: false,
      });
      expect(intent?.metadata).toEqual(order.metadata);
      await play.pay(String(intent?.clientSecret), GOOD_CARD);
      expect(await provider.createIntent(order, again)).toMatchObject({
        id: intent?.id,
        status: 'succeeded',
        amountReceived: 5000,
      });
    });

    it('are refused when a key is reused with other parameters', async () => {
      const [order, again] = [await ordered(), key()];
      await provider.createIntent(order, again);
      await expect(provider.createIntent({ ...order, amount: 6000 }, again)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'idempotency_error',
      });
    });

    // Proves BOOK-12
    it.each(CURRENCIES)(
      'are refused below the least amount in %s, in words for the advertiser',
      async (currency) => {
        const least = MINIMUM_CENTS[currency];
        expect(await makeIntent({ amount: least, currency })).toMatchObject({ amount: least, currency });
        const refused = await makeIntent({ amount: least - 1, currency }).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(ProviderError);
        expect(refused).toMatchObject({ kind: 'invalid', code: 'amount_too_small' });
        expect((refused as ProviderError).userMessage).toContain(moneyText(decimalOf(least), currency));
      },
    );

    it('name the charge, its time and the card when they are paid, and later the fee', async () => {
      const paid = await makePaid();
      expect(paid).toMatchObject({
        status: 'succeeded',
        amountReceived: 5000,
        chargeId: expect.any(String),
        chargedAt: expect.any(Date),
        card: { brand: 'visa', last4: '4242', fingerprint: expect.any(String) },
        balanceTransaction: null,
        lastError: null,
      });
      await play.makeFeesKnown();
      const { balanceTransaction } = await provider.getIntent(paid.id);
      expect(balanceTransaction).toMatchObject({
        type: 'charge',
        sourceId: paid.chargeId,
        amount: 5000,
        fee: 175,
        net: 4825,
        currency: 'USD',
        exchangeRate: null,
        availableAt: expect.any(Date),
      });
      expect(await typesAbout(paid.id)).toContain('payment_intent.succeeded');
      expect(await typesAbout(String(paid.chargeId))).toContain('charge.updated');
    });

    it('keep the reason of a decline and the declined card, and can then be paid with another', async () => {
      const { id, clientSecret } = await makeIntent();
      await play.pay(clientSecret, '4000000000009995');
      const declined = await provider.getIntent(id);
      expect(declined).toMatchObject({
        status: 'requires_payment',
        chargeId: null,
        chargedAt: null,
        card: { last4: '9995' },
        lastError: {
          code: 'card_declined',
          declineCode: 'insufficient_funds',
          message: 'Your card has insufficient funds.',
        },
      });
      expect(await typesAbout(id)).toContain('payment_intent.payment_failed');
      await play.pay(clientSecret, GOOD_CARD);
      const paid = await provider.getIntent(id);
      expect(paid).toMatchObject({ status: 'succeeded', lastError: null, card: { last4: '4242' } });
      expect(paid.card?.fingerprint).not.toBe(declined.card?.fingerprint);
    });

    it('wait for the bank of a card with 3-D Secure', async () => {
      const { id, clientSecret } = await makeIntent();
      await play.pay(clientSecret, '4000000000003220');
      expect(await provider.getIntent(id)).toMatchObject({ status: 'requires_action', chargeId: null });
      await play.authenticate(clientSecret, 'fail');
      expect(await provider.getIntent(id)).toMatchObject({
        status: 'requires_payment',
        lastError: { code: 'payment_intent_authentication_failure' },
      });
      await play.pay(clientSecret, '4000000000003220');
      await play.authenticate(clientSecret, 'complete');
      expect(await provider.getIntent(id)).toMatchObject({ status: 'succeeded', amountReceived: 5000 });
    });

    it('take no card after cancellation, can be canceled twice, and not once they are paid', async () => {
      const { id, clientSecret } = await makeIntent();
      expect(await provider.cancelIntent(id)).toMatchObject({ id, status: 'canceled' });
      expect(await provider.cancelIntent(id)).toMatchObject({ id, status: 'canceled' });
      await play.pay(clientSecret, GOOD_CARD).catch(() => {});
      expect(await provider.getIntent(id)).toMatchObject({ status: 'canceled', amountReceived: 0 });
      expect(await typesAbout(id)).toContain('payment_intent.canceled');
      await expect(provider.cancelIntent((await makePaid()).id)).rejects.toMatchObject({ kind: 'conflict' });
    });

    it('are listed from an instant on, newest first, with our ids', async () => {
      const since = new Date((await makeIntent()).createdAt.getTime());
      const later = await makeIntent({ metadata: { payment_id: 'found' } });
      const found: PaymentIntent[] = [];
      for await (const intent of provider.intentsSince(since)) found.push(intent);
      const at = (id: string) => found.findIndex((intent) => intent.id === id);
      expect(found[at(later.id)]?.metadata).toEqual({ payment_id: 'found' });
      expect(
        found.every((intent, index) => +intent.createdAt <= +(found[index - 1]?.createdAt ?? Infinity)),
      ).toBe(true);
      expect(found.every(({ createdAt }) => createdAt >= new Date(Math.floor(+since / 1000) * 1000))).toBe(
        true,
      );
    });

    it('are not found by an id that the provider does not know', async () => {
      await expect(provider.getIntent('pi_unknown')).rejects.toMatchObject({ kind: 'not_found' });
    });
  });

  describe(`${name}: refunds`, () => {
    const refundOf = (intentId: string, amount: number) => ({
      intentId,
      amount,
      metadata: { refund_id: '1' },
    });

    it('happen once per key, never exceed the payment, and can be listed', async () => {
      const { id } = await makePaid();
      const again = key();
      const sent = await Promise.all([1, 2, 3].map(() => provider.refund(refundOf(id, 3000), again)));
      expect(new Set(sent.map((one) => one.id)).size).toBe(1);
      expect(sent[0]).toMatchObject({
        intentId: id,
        status: 'succeeded',
        amount: 3000,
        currency: 'USD',
        metadata: { refund_id: '1' },
        failureReason: null,
        balanceTransaction: { type: 'refund', amount: -3000, net: -3000, fee: 0 },
        failureBalanceTransaction: null,
      });
      await expect(provider.refund(refundOf(id, 2001), key())).rejects.toMatchObject({ kind: 'invalid' });
      const rest = await provider.refund(refundOf(id, 2000), key());
      await expect(provider.refund(refundOf(id, 1), key())).rejects.toMatchObject({
        kind: 'invalid',
        code: 'charge_already_refunded',
      });
      const listed = [];
      for await (const refund of provider.refundsOf(id)) listed.push(refund.id);
      expect(listed.toSorted()).toEqual([String(sent[0]?.id), rest.id].toSorted());
      expect(await typesAbout(rest.id)).toContain('refund.created');
    });

    it('are refused for an unpaid intent', async () => {
      const { id } = await makeIntent();
      await expect(provider.refund(refundOf(id, 1), key())).rejects.toMatchObject({ kind: 'invalid' });
    });

    it('can stay pending, and then succeed', async () => {
      const { id } = await makePaid();
      await play.holdRefunds(true);
      const again = key();
      const pending = await provider.refund(refundOf(id, 1000), again);
      await play.holdRefunds(false);
      expect(pending).toMatchObject({ status: 'pending', balanceTransaction: null });
      await play.settleRefund(pending.id, 'succeeded');
      const settled = { id: pending.id, status: 'succeeded', balanceTransaction: { amount: -1000 } };
      expect(await provider.getRefund(pending.id)).toMatchObject(settled);
      expect(await provider.refund(refundOf(id, 1000), again)).toMatchObject(settled);
    });

    it('can fail after they succeeded, which brings the money back and lets it be refunded again', async () => {
      const { id } = await makePaid();
      const { id: failed } = await provider.refund(refundOf(id, 5000), key());
      await play.settleRefund(failed, 'failed');
      expect(await provider.getRefund(failed)).toMatchObject({
        status: 'failed',
        failureReason: expect.any(String),
        balanceTransaction: { amount: -5000 },
        failureBalanceTransaction: { type: 'refund_failure', amount: 5000 },
      });
      expect(await typesAbout(failed)).toContain('refund.failed');
      expect(await provider.refund(refundOf(id, 5000), key())).toMatchObject({ status: 'succeeded' });
    });
  });

  describe(`${name}: disputes and warnings`, () => {
    it('a dispute withdraws the money, refuses refunds, and returns the money when it is won', async () => {
      const { id, chargeId } = await makePaid();
      const disputed = await play.dispute(id, 'dispute');
      const open = await provider.getDispute(disputed);
      expect(open).toMatchObject({
        chargeId,
        intentId: id,
        status: 'needs_response',
        amount: 5000,
        currency: 'USD',
        dueAt: expect.any(Date),
      });
      expect(open.balanceTransactions).toMatchObject([{ amount: -5000, type: 'adjustment' }]);
      await expect(
        provider.refund({ intentId: id, amount: 5000, metadata: {} }, key()),
      ).rejects.toMatchObject({ kind: 'invalid', code: 'charge_disputed' });
      await play.closeDispute(disputed, 'won');
      const won = await provider.getDispute(disputed);
      expect(won.status).toBe('won');
      expect(won.balanceTransactions.reduce((sum, { net }) => sum + net, 0)).toBe(0);
      expect(await typesAbout(disputed)).toEqual([
        'charge.dispute.created',
        'charge.dispute.funds_withdrawn',
        'charge.dispute.funds_reinstated',
        'charge.dispute.closed',
      ]);
    });

    it('an inquiry moves no money', async () => {
      const { id } = await makePaid();
      const asked = await provider.getDispute(await play.dispute(id, 'inquiry'));
      expect(asked).toMatchObject({ status: 'warning_needs_response', balanceTransactions: [] });
    });

    it('takes evidence without and with sending it to the bank, once per key, and none afterwards', async () => {
      const { id } = await makePaid();
      const disputed = await play.dispute(id, 'dispute');
      expect(await provider.stageEvidence(disputed, EVIDENCE, key())).toMatchObject({
        status: 'needs_response',
        submissions: 0,
      });
      const again = key();
      const sent = await Promise.all([1, 2].map(() => provider.submitEvidence(disputed, EVIDENCE, again)));
      expect(sent.map(({ status }) => status)).toEqual(['under_review', 'under_review']);
      expect(await provider.getDispute(disputed)).toMatchObject({ submissions: 1 });
      await expect(provider.submitEvidence(disputed, EVIDENCE, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      expect(await typesAbout(disputed)).toContain('charge.dispute.updated');
    });

    it('a dispute that was lost can be appealed, and its money then returns', async () => {
      const { id } = await makePaid();
      const disputed = await play.dispute(id, 'dispute');
      await play.closeDispute(disputed, 'lost');
      await play.appeal(disputed);
      expect((await provider.getDispute(disputed)).status).toBe('appeal_under_review');
      await play.closeDispute(disputed, 'won');
      const { status, balanceTransactions } = await provider.getDispute(disputed);
      expect([status, balanceTransactions.map(({ amount }) => amount)]).toEqual(['won', [-5000, 5000]]);
    });

    it('a review names its charge, and how it was closed', async () => {
      const { id, chargeId } = await makePaid();
      const review = await play.openReview(id);
      expect(await provider.getReview(review)).toEqual({
        id: review,
        chargeId,
        intentId: id,
        isOpen: true,
        closedReason: null,
      });
      await play.closeReview(review);
      expect(await provider.getReview(review)).toMatchObject({ isOpen: false, closedReason: 'approved' });
      expect(await typesAbout(review)).toEqual(['review.opened', 'review.closed']);
    });

    it('a fraud warning names its charge', async () => {
      const { id, chargeId } = await makePaid();
      const warning = await play.warnOfFraud(id);
      expect(await provider.getFraudWarning(warning)).toMatchObject({
        id: warning,
        chargeId,
        intentId: id,
        actionable: true,
      });
      expect(await typesAbout(warning)).toEqual(['radar.early_fraud_warning.created']);
    });
  });

  describe(`${name}: events`, () => {
    it('carry our ids, so that an object is found whose id we never learned', async () => {
      const paid = await makePaid({ metadata: { payment_id: 'lost answer' } });
      const event = (await play.events()).find(
        ({ type, objectId }) => type === 'payment_intent.succeeded' && objectId === paid.id,
      );
      expect(event).toMatchObject({
        metadata: { payment_id: 'lost answer' },
        accountId: null,
        live: false,
        createdAt: expect.any(Date),
      });
    });
  });

  describe(`${name}: the balance`, () => {
    it('lists every movement, and net is the amount without the fee', async () => {
      const paid = await makePaid();
      await play.makeFeesKnown();
      const refund = await provider.refund({ intentId: paid.id, amount: 100, metadata: {} }, key());
      const moved = [];
      for await (const one of provider.balanceTransactionsSince(new Date(+paid.createdAt - 1000)))
        moved.push(one);
      const sources = moved.map(({ sourceId }) => sourceId);
      expect(sources).toContain(paid.chargeId);
      expect(sources).toContain(refund.id);
      expect(moved.every(({ amount, fee, net }) => amount - fee === net)).toBe(true);
    });
  });

  describe(`${name}: customers and payees`, () => {
    it('creates a customer once per key, opens the billing portal, and forgets the customer', async () => {
      const person = { email: 'ann@example.test', name: 'Ann', metadata: { user_id: '9' } };
      const again = key();
      const { id } = await provider.createCustomer(person, again);
      expect(await provider.createCustomer(person, again)).toEqual({ id });
      const { url } = await provider.billingPortal(id, 'http://localhost:3000/settings?tab=billing');
      expect(URL.canParse(url)).toBe(true);
      await provider.forgetCustomer(id);
      await provider.forgetCustomer(id);
      await expect(provider.billingPortal('cus_unknown', 'http://localhost:3000/')).rejects.toMatchObject({
        kind: 'not_found',
      });
    });

    it('pays a payee from a charge, once per key, as soon as the documents are complete', async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: { user_id: '2' } };
      const again = key();
      const payee = await provider.createPayee(person, again);
      expect((await provider.createPayee(person, again)).id).toBe(payee.id);
      expect(payee.transfersStatus).not.toBe('active');
      expect(payee.requirements.length).toBeGreaterThan(0);
      const link = await provider.payeeLink(payee.id, {
        refresh: 'http://localhost:3000/settings?again=1',
        return: 'http://localhost:3000/settings',
      });
      expect(URL.canParse(link.url)).toBe(true);

      const { chargeId } = await makePaid();
      const transfer = {
        payeeId: payee.id,
        amount: 4000,
        currency: 'USD' as const,
        sourceChargeId: String(chargeId),
        transferGroup: 'ad_1',
        metadata: { payout_id: '1' },
      };
      await expect(provider.transfer(transfer, key())).rejects.toMatchObject({
        kind: 'invalid',
        code: TRANSFERS_INACTIVE,
      });
      await play.finishOnboarding(payee.id);
      expect(await provider.getPayee(payee.id)).toEqual({
        id: payee.id,
        transfersStatus: 'active',
        requirements: [],
        destinations: [],
      });
      const news = (await play.events()).findLast(({ type }) => type === 'account.updated');
      expect(news).toMatchObject({ objectId: payee.id, accountId: payee.id, live: false });
      const once = key();
      const sent = await provider.transfer(transfer, once);
      expect(sent).toMatchObject({
        payeeId: payee.id,
        sourceChargeId: chargeId,
        amount: 4000,
        currency: 'USD',
        balanceTransaction: { type: 'transfer', sourceId: sent.id, amount: -4000, fee: 0, net: -4000 },
        reversals: [],
        metadata: { payout_id: '1' },
      });
      expect(await provider.transfer(transfer, once)).toEqual(sent);
      expect(await provider.getTransfer(sent.id)).toEqual(sent);
      expect(await typesAbout(sent.id)).toEqual(['transfer.created']);
      await expect(provider.transfer({ ...transfer, amount: 1001 }, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      await expect(
        provider.transfer({ ...transfer, sourceChargeId: 'ch_unknown' }, key()),
      ).rejects.toMatchObject({ kind: 'not_found' });

      expect(await provider.closePayee(payee.id)).toBe('balance_not_zero');
      await play.restrictPayee(payee.id);
      const restricted = await provider.getPayee(payee.id);
      expect(restricted.transfersStatus).toBe('inactive');
      expect(restricted.requirements.length).toBeGreaterThan(0);
      await expect(provider.transfer({ ...transfer, amount: 1 }, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
    });

    it('tells where a payee is paid, by the fingerprint that a card has in payments, too', async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: {} };
      const { id, destinations } = await provider.createPayee(person, key());
      expect(destinations).toEqual([]);
      const { card } = await makePaid();
      await play.movePayouts(id, String(card?.fingerprint));
      expect((await provider.getPayee(id)).destinations).toEqual([card?.fingerprint]);
      const news = (await play.events()).findLast(({ type }) => type === 'account.updated');
      expect(news).toMatchObject({ objectId: id, accountId: id });
    });

    it('closes a payee for good, also twice, and knows no other', async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: {} };
      const { id } = await provider.createPayee(person, key());
      expect(await provider.closePayee(id)).toBe('closed');
      expect(await provider.closePayee(id)).toBe('closed');
      await expect(provider.getPayee('acct_unknown')).rejects.toMatchObject({ kind: 'not_found' });
    });
  });

  describe(`${name}: transfers`, () => {
    const makePayee = async () => {
      const person = { email: 'pat@example.test', name: 'Pat', country: 'DE', metadata: { user_id: '2' } };
      const { id } = await provider.createPayee(person, key());
      await play.finishOnboarding(id);
      return id;
    };
    const makeTransfer = async (
      payeeId: string,
      fields: { amount?: number; transferGroup?: string } = {},
    ) => {
      const { chargeId } = await makePaid();
      return await provider.transfer(
        {
          payeeId,
          amount: 4000,
          currency: 'USD',
          sourceChargeId: String(chargeId),
          transferGroup: 'ad_1',
          metadata: { transfer_key: key() },
          ...fields,
        },
        key(),
      );
    };
    const payoutsOf = async (payeeId: string) => {
      const payouts: BankPayout[] = [];
      for await (const payout of provider.bankPayoutsSince(payeeId, new Date(0))) payouts.push(payout);
      return payouts;
    };

    it('are found by their group', async () => {
      const payee = await makePayee();
      const transferGroup = `ad_of_${payee}`;
      const made = [
        await makeTransfer(payee, { transferGroup }),
        await makeTransfer(payee, { transferGroup }),
        await makeTransfer(payee, { transferGroup: 'ad_other' }),
      ];
      const found: Transfer[] = [];
      for await (const transfer of provider.transfersOf(transferGroup)) found.push(transfer);
      expect(found.map(({ id }) => id).toSorted()).toEqual(
        made
          .slice(0, 2)
          .map(({ id }) => id)
          .toSorted(),
      );
      expect(found.find(({ id }) => id === made[0]?.id)).toEqual(made[0]);
      await expect(provider.getTransfer('tr_unknown')).rejects.toMatchObject({ kind: 'not_found' });
    });

    it('are reversed once per key, in parts, and never by more than was sent', async () => {
      const { id, amount } = await makeTransfer(await makePayee());
      const part = { transferId: id, amount: 1000, metadata: { reversal_key: '1' } };
      const once = key();
      const taken = await provider.reverse(part, once);
      expect(taken).toMatchObject({
        amount: 1000,
        metadata: { reversal_key: '1' },
        balanceTransaction: { type: 'transfer_refund', sourceId: taken.id, amount: 1000, net: 1000 },
      });
      expect(await provider.reverse(part, once)).toEqual(taken);
      const rest = await provider.reverse({ ...part, amount: amount - 1000 }, key());
      expect((await provider.getTransfer(id)).reversals).toEqual([taken, rest]);
      await expect(provider.reverse({ ...part, amount: 1 }, key())).rejects.toMatchObject({
        kind: 'invalid',
      });
      expect(await typesAbout(id)).toEqual(['transfer.created', 'transfer.reversed', 'transfer.reversed']);
    });

    it('arrive at the bank by payouts, after which they cannot be reversed', async () => {
      const payee = await makePayee();
      const { id } = await makeTransfer(payee);
      await play.payBank(payee);
      const [payout, ...others] = await payoutsOf(payee);
      expect(others).toEqual([]);
      expect(payout).toMatchObject({
        status: 'paid',
        failureMessage: null,
        transferIds: [id],
        retriedIds: [],
        createdAt: expect.any(Date),
      });
      const told = (await play.events()).find(({ objectId }) => objectId === payout?.id);
      expect(told).toMatchObject({ type: 'payout.paid', accountId: payee });
      const all = { transferId: id, amount: 4000, metadata: {} };
      await expect(provider.reverse(all, key())).rejects.toMatchObject({ kind: 'invalid' });
    });

    it('come back from the bank, can then be reversed, and go on with the next payout', async () => {
      const payee = await makePayee();
      const { id } = await makeTransfer(payee);
      await play.payBank(payee);
      await play.failBank(payee);
      const [failed] = await payoutsOf(payee);
      expect(failed).toMatchObject({
        status: 'failed',
        failureMessage: expect.any(String),
        transferIds: [id],
      });
      expect(await typesAbout(String(failed?.id))).toEqual(['payout.paid', 'payout.failed']);
      await provider.reverse({ transferId: id, amount: 1000, metadata: {} }, key());
      await play.mendBank(payee);
      await play.payBank(payee);
      const next = (await payoutsOf(payee)).find((each) => each.id !== failed?.id);
      expect(next).toMatchObject({ status: 'paid', transferIds: [], retriedIds: [failed?.id] });
    });
  });
}
