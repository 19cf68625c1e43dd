/**
 * A sandbox in place of a card provider, in which no money moves. It behaves like a real provider in everything the
 * product depends on: ids, idempotency keys, several tries per intent, fees and events that arrive later, refunds that
 * fail, disputes, and payouts.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  AUTHENTICATION_FAILED,
  cardSummary,
  DISPUTED_LAST4,
  expiryOutcome,
  sandboxOutcome,
  savedOutcome,
  savingOutcome,
} from '#domain/payments/sandbox-cards.ts';
import type { Evidence } from '#domain/payments/evidence.ts';
import { later, SECOND_MS, utcDay } from '#domain/time.ts';
import type { Database, Tx } from '../../db/database.ts';
import { enqueueIn } from '../../db/job-queue.ts';
import {
  type BalanceTransaction,
  type Dispute,
  type FraudWarning,
  type PaymentIntent,
  type PaymentProvider,
  ProviderError,
  type Refund,
  type Review,
  type Setup,
} from '../payment-provider.ts';
import {
  appeal,
  closeDispute,
  closeReview,
  dispute,
  keepEvidence,
  openReview,
  warnOfFraud,
} from './disputes.ts';
import { eventRecorder } from './events.ts';
import { chargeFee, moveBalance, requireLeast } from './money.ts';
import {
  addObject,
  changeIn,
  changeObject,
  createOnce,
  dueObjects,
  lockDue,
  newestObjects,
  newId,
  type ObjectKind,
  objectsOf,
  readObject,
  type Stored,
  type StoredIntent,
  type StoredPayout,
} from './objects.ts';
import { movePayouts, reviewPayee, sandboxPayees } from './payouts.ts';
import {
  arriving,
  createRefund,
  failing,
  type RefundPlan,
  SOON_SECONDS,
  type StoredRefund,
  waiting,
  writePlan,
} from './refunds.ts';
import { sandboxSetups, type Saving, type StoredCard } from './setups.ts';
import { failLastPayout, paid, retryPayouts, sandboxTransfers } from './transfers.ts';
import { isSameSecret } from '../../net/secrets.ts';

/** The card that the form in the browser sends to the provider. Only brand and last four digits are stored. */
export type SandboxCard = { number: string; expMonth: number; expYear: number; cvc: string };

/** Events outside of our server that an operator rehearses. Each throws 'conflict' if it is not possible now. */
export type SandboxPlays = {
  dispute: (intentId: string, kind: 'dispute' | 'inquiry') => Promise<string>;
  closeDispute: (intentId: string, status: 'won' | 'lost') => Promise<void>;
  warnOfFraud: (intentId: string) => Promise<string>;
  /** Appeals a lost dispute. `closeDispute` decides the appeal. */
  appeal: (intentId: string) => Promise<void>;
  /** Returns the id of the review. */
  openReview: (intentId: string) => Promise<string>;
  closeReview: (intentId: string) => Promise<void>;
  /** Plans the intent's last refund that has not failed, or the next one if there is none. */
  planRefund: (intentId: string, plan: RefundPlan) => Promise<void>;
  /** Refunds a part of a paid intent without our server, as in a provider's dashboard. Returns the id of the refund. */
  refundOutside: (intentId: string, amount: number) => Promise<string>;
  /** Lets the refund `id` arrive or fail now. */
  settleRefund: (id: string, status: 'succeeded' | 'failed') => Promise<void>;
  reviewPayee: (payeeId: string, isComplete: boolean) => Promise<void>;
  /** `destination` is the fingerprint of a bank account or card. */
  movePayouts: (payeeId: string, destination: string) => Promise<void>;
  failLastPayout: (payeeId: string) => Promise<void>;
};

export type SandboxProvider = PaymentProvider & {
  name: 'sandbox';
  /** Pays an intent. Throws ProviderError 'declined'. An intent that is already paid stays paid. */
  confirm(clientSecret: string, card: SandboxCard): Promise<PaymentIntent>;
  /** Ends the bank's 3-D Secure check as the advertiser chose. Throws ProviderError 'declined' for 'fail'. */
  authenticate(clientSecret: string, outcome: 'complete' | 'fail'): Promise<PaymentIntent>;
  /** Saves a card. Throws ProviderError 'declined'. */
  saveCard(clientSecret: string, card: SandboxCard): Promise<Setup>;
  authenticateSetup(clientSecret: string, outcome: 'complete' | 'fail'): Promise<Setup>;
  play: SandboxPlays;
  /** Takes the due step of one object or of all, such as a fee, the end of a pending refund or a bank payout. */
  settle(objectId?: string): Promise<void>;
};

export function isSandbox(provider: PaymentProvider): provider is SandboxProvider {
  return provider.name === 'sandbox';
}

/** Whether a client secret is that of the saving of a card, and not of a payment. */
export function isSetupSecret(clientSecret: string): boolean {
  return clientSecret.startsWith('sbx_seti_');
}

/** '{id}_secret_{random}' -> the id of the intent or setup. */
export function intentOfSecret(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] ?? '';
}

export const SANDBOX_NOTICE = 'Sandbox payments: no money moves';

/** The time between a charge and its fee. */
const FEE_AFTER_MS = 2 * SECOND_MS;

/** `now` is the marketplace's clock. `chaos` lets events arrive twice and in any order. */
export function createSandbox(db: Database, now: () => Date, { chaos = false } = {}): SandboxProvider {
  const record = eventRecorder(now, chaos);
  const { confirmSetup, ...setups } = sandboxSetups(db, now, { requireSecret, declinedError });
  const settleSoon = async (tx: Tx, objectId: string) =>
    await enqueueIn(tx, 'settle-sandbox-object', { objectId }, SOON_SECONDS);

  return {
    name: 'sandbox',
    mode: 'sandbox',
    book: 'sandbox',
    clientConfig: () => ({ notice: SANDBOX_NOTICE }),

    async createCustomer({ metadata }, key) {
      const id = newId('cus');
      const made = await createOnce(
        db,
        { kind: 'cus', key, parameters: { metadata }, data: { id }, id },
        now(),
      );
      return { id: made.id };
    },

    async createIntent(intent, key) {
      requireLeast(intent.amount, intent.currency);
      const id = newId('pi');
      const at = now();
      const data: StoredIntent = {
        id,
        clientSecret: `${id}_secret_${randomBytes(18).toString('base64url')}`,
        status: 'requires_payment',
        amount: intent.amount,
        amountReceived: 0,
        currency: intent.currency,
        customerId: intent.customerId,
        chargeId: null,
        chargedAt: null,
        card: null,
        balanceTransaction: null,
        lastError: null,
        metadata: intent.metadata,
        live: false,
        createdAt: at,
      };
      const { id: made } = await createOnce(db, { kind: 'pi', key, parameters: intent, data, id }, at);
      // With a reused key the intent may be an older one in a later state.
      return readIntent(made);
    },

    getIntent: readIntent,

    async cancelIntent(id) {
      return changeIntent(id, (intent) => {
        if (intent.status === 'succeeded') {
          throw new ProviderError('conflict', 'This intent has already succeeded', {
            code: 'payment_intent_unexpected_state',
          });
        }
        return intent.status === 'canceled' ? {} : { status: 'canceled' };
      });
    },

    async *intentsSince(since) {
      for await (const intent of newestObjects<StoredIntent>(db, 'pi', since)) yield intentOf(intent);
    },

    async refund(refund, key) {
      const { id } = await createRefund({ db, now, record, settleSoon }, refund, key);
      return readRefund(id);
    },

    getRefund: readRefund,

    async *refundsOf(intentId) {
      for (const { id } of await objectsOf<StoredRefund>(db, intentId, 're')) yield await readRefund(id);
    },

    getDispute: async (id) => readObject<Dispute>(db, 'dp', id),
    getFraudWarning: async (id) => readObject<FraudWarning>(db, 'issfr', id),
    getReview: async (id) => readObject<Review>(db, 'prv', id),
    stageEvidence: async (id, evidence, key) => await takeEvidence(id, evidence, key, false),
    submitEvidence: async (id, evidence, key) => await takeEvidence(id, evidence, key, true),

    async confirm(clientSecret, card) {
      const declined: { error: PaymentIntent['lastError'] } = { error: null };
      const intent = await changeIntent(intentOfSecret(clientSecret), async (intent, tx) => {
        requireSecret(intent, clientSecret);
        if (intent.status === 'succeeded') return {};
        if (intent.status === 'canceled') {
          throw new ProviderError('conflict', 'This payment was canceled', {
            code: 'payment_intent_unexpected_state',
          });
        }
        const outcome = judge(card, now());
        if (outcome.result === 'declined') {
          const { code, declineCode, message } = outcome;
          declined.error = { code, ...(declineCode !== undefined && { declineCode }), message };
          return { status: 'requires_payment', card: listedCard(intent, card), lastError: declined.error };
        }
        const kept = { card: listedCard(intent, card), lastError: null };
        return outcome.result === 'requires_action'
          ? { ...kept, status: 'requires_action' }
          : { ...kept, ...(await charge(tx, intent)) };
      });
      if (declined.error) throw declinedError(declined.error);
      return intent;
    },

    async authenticate(clientSecret, outcome) {
      const intent = await changeIntent(intentOfSecret(clientSecret), async (intent, tx) => {
        requireSecret(intent, clientSecret);
        if (intent.status === 'succeeded') return {};
        if (intent.status !== 'requires_action') {
          throw new ProviderError('conflict', 'This payment does not require authentication', {
            code: 'payment_intent_unexpected_state',
          });
        }
        if (outcome === 'complete') return charge(tx, intent);
        return { status: 'requires_payment', lastError: AUTHENTICATION_FAILED };
      });
      if (intent.status !== 'succeeded') throw declinedError(AUTHENTICATION_FAILED);
      return intent;
    },

    ...setups,

    async saveCard(clientSecret, card) {
      const setup = await setups.getSetup(intentOfSecret(clientSecret));
      return await confirmSetup(clientSecret, savingOf(setup, card, now()));
    },

    async chargeSaved({ intentId, cardId }, key) {
      const card = await readObject<StoredCard>(db, 'pm', cardId);
      return await changeIntent(intentId, async (intent, tx) => {
        if (card.isForgotten || card.customerId !== intent.customerId)
          throw new ProviderError('invalid', 'The card is not attached to the customer of this payment');
        if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.chargeKey === key)
          return {};
        const expired = expiryOutcome(card.expMonth, card.expYear, utcDay(now()));
        // A bank declines an expired card with this code.
        const outcome = expired
          ? { result: 'declined' as const, code: 'expired_card', message: 'Your card has expired.' }
          : savedOutcome(card.last4);
        const { brand, last4, fingerprint } = card;
        const tried = { chargeKey: key, card: { brand, last4, fingerprint } };
        if (outcome.result !== 'declined') return { ...tried, ...(await charge(tx, intent)) };
        const { code, declineCode, message } = outcome;
        return {
          ...tried,
          status: 'requires_payment',
          lastError: { code, ...(declineCode !== undefined && { declineCode }), message },
        };
      });
    },

    async billingPortal(customerId, returnUrl) {
      await readObject(db, 'cus', customerId);
      return { url: new URL('/api/sandbox/billing-portal', returnUrl).href };
    },

    async forgetCustomer(id) {
      await changeObject<Stored & { forgotten?: boolean }>(db, 'cus', id, now(), () => ({ forgotten: true }));
    },

    ...sandboxPayees(db, now),
    ...sandboxTransfers(db, now, record),

    // No event is ever undelivered, because each is put into our inbox in the transaction of the change that it
    // reports.
    async *undeliveredEvents() {},

    async *balanceTransactionsSince(since) {
      await settle();
      yield* newestObjects<BalanceTransaction>(db, 'txn', since);
    },

    prepare: async () => [],

    readEvent() {
      throw new ProviderError('invalid', 'The sandbox accepts no events from outside');
    },

    play: {
      dispute: async (intentId, kind) =>
        await onIntent(intentId, (tx, intent) => dispute(tx, record, intent, { kind, now: now() })),
      closeDispute: async (intentId, status) =>
        await onIntent(intentId, (tx) => closeDispute(tx, record, intentId, { status, now: now() })),
      warnOfFraud: async (intentId) =>
        await onIntent(intentId, (tx, intent) => warnOfFraud(tx, record, intent, now())),
      appeal: async (intentId) => await onIntent(intentId, (tx) => appeal(tx, record, intentId, now())),
      openReview: async (intentId) =>
        await onIntent(intentId, (tx, intent) => openReview(tx, record, intent, now())),
      closeReview: async (intentId) =>
        await onIntent(intentId, (tx) => closeReview(tx, record, intentId, now())),
      planRefund: async (intentId, plan) => await onIntent(intentId, (tx) => planRefund(tx, intentId, plan)),
      refundOutside: async (intentId, amount) => {
        const outside = { intentId, amount, metadata: {} };
        return (await createRefund({ db, now, record, settleSoon }, outside, `dashboard:${newId('re')}`)).id;
      },
      settleRefund: async (id, status) => {
        await changeObject<StoredRefund>(db, 're', id, now(), (refund, tx) =>
          status === 'failed' ? failing(tx, record, refund, now()) : arriving(tx, record, refund, now()),
        );
      },
      reviewPayee: async (payeeId, isComplete) =>
        await db.transaction().execute(async (tx) => {
          await reviewPayee(tx, record, payeeId, { isComplete, now: now() });
          if (isComplete) await retryPayouts(tx, payeeId, now());
        }),
      movePayouts: async (payeeId, destination) =>
        await db.transaction().execute((tx) => movePayouts(tx, record, payeeId, { destination, now: now() })),
      failLastPayout: async (payeeId) =>
        await db.transaction().execute((tx) => failLastPayout(tx, record, payeeId, now())),
    },

    settle,
  };

  async function takeEvidence(
    id: string,
    evidence: Evidence,
    key: string,
    submit: boolean,
  ): Promise<Dispute> {
    await db.transaction().execute(async (tx) => {
      await keepEvidence(tx, record, { id, evidence, key, submit, now: now() });
    });
    return await readObject<Dispute>(db, 'dp', id);
  }

  /** Changes an intent. If its state changes, the same transaction records the event about it. */
  async function changeIntent(
    id: string,
    change: (intent: StoredIntent, tx: Tx) => Partial<StoredIntent> | Promise<Partial<StoredIntent>>,
  ): Promise<PaymentIntent> {
    const stored = await changeObject<StoredIntent>(db, 'pi', id, now(), async (intent, tx) => {
      const changes = await change(intent, tx);
      const type = eventOf(changes);
      if (type) await record(tx, { type, objectId: id, metadata: intent.metadata });
      return changes;
    });
    return intentOf(stored);
  }

  async function readIntent(id: string): Promise<PaymentIntent> {
    return intentOf(await readSettled<StoredIntent>('pi', id));
  }

  async function readRefund(id: string): Promise<Refund> {
    const { due: _due, ...refund } = await readSettled<StoredRefund & { parameters?: unknown }>('re', id);
    delete refund.parameters;
    return refund;
  }

  /** Takes the due step of an object before reading it, so that the result does not depend on when the job runs. */
  async function readSettled<T extends Stored>(kind: ObjectKind, id: string): Promise<T> {
    const object = await readObject<T>(db, kind, id);
    if (!object.due || object.due.at > now()) return object;
    await settleOne(id);
    return await readObject<T>(db, kind, id);
  }

  async function settle(objectId?: string): Promise<void> {
    if (objectId !== undefined) return settleOne(objectId);
    for (;;) {
      const due = await dueObjects(db, now());
      for (const id of due) await settleOne(id);
      if (due.length === 0) return;
    }
  }

  async function settleOne(id: string): Promise<void> {
    const at = now();
    await db.transaction().execute(async (tx) => {
      const locked = await lockDue(tx, id, at);
      if (!locked) return;
      const { kind, data } = locked;
      await changeIn<Stored>(tx, kind, id, at, async () => ({ due: null, ...(await goOn(tx, data, at)) }));
    });
  }

  async function goOn(tx: Tx, object: Stored, at: Date): Promise<Stored> {
    switch (object.due?.step) {
      case 'settle_charge':
        return settleCharge(tx, object as StoredIntent, at);
      case 'refund_succeeds':
        return arriving(tx, record, object as StoredRefund, at);
      case 'refund_fails':
        return failing(tx, record, object as StoredRefund, at);
      case 'payout_paid':
        return paid(tx, record, object as StoredPayout);
      case undefined:
        return {};
    }
  }

  async function charge(tx: Tx, { id, amount }: StoredIntent): Promise<Partial<StoredIntent>> {
    const at = now();
    const chargeId = newId('ch');
    await addObject(tx, { kind: 'ch', id: chargeId, parent: id, data: { intentId: id } }, at);
    await settleSoon(tx, id);
    return {
      status: 'succeeded',
      amountReceived: amount,
      chargeId,
      chargedAt: at,
      lastError: null,
      due: { step: 'settle_charge', at: later(at, FEE_AFTER_MS) },
    };
  }

  /** Sets the fee of a charge. A charge of the card for disputes is then disputed. */
  async function settleCharge(tx: Tx, intent: StoredIntent, at: Date): Promise<Partial<StoredIntent>> {
    const { chargeId, amount, currency, metadata, card } = intent;
    const sourceId = chargeId as string;
    const balanceTransaction = await moveBalance(
      tx,
      { type: 'charge', sourceId, amount, fee: chargeFee(amount), currency },
      at,
    );
    await record(tx, { type: 'charge.updated', objectId: sourceId, metadata });
    if (card?.last4 === DISPUTED_LAST4) await dispute(tx, record, intent, { kind: 'dispute', now: at });
    return { balanceTransaction };
  }

  async function planRefund(tx: Tx, intentId: string, plan: RefundPlan): Promise<void> {
    const at = now();
    const sent = (await objectsOf<StoredRefund>(tx, intentId, 're')).filter(
      ({ status }) => status !== 'failed',
    );
    const last = sent.at(-1);
    if (!last) return await writePlan(tx, intentId, plan, at);
    await changeIn<StoredRefund>(tx, 're', last.id, at, (refund) =>
      plan === 'refund_fails' ? failing(tx, record, refund, at) : waiting(tx, record, refund, at),
    );
  }

  async function onIntent<T>(id: string, work: (tx: Tx, intent: StoredIntent) => Promise<T>): Promise<T> {
    return await db.transaction().execute(async (tx) => {
      let intent: StoredIntent | undefined;
      await changeIn<StoredIntent>(tx, 'pi', id, now(), (found) => {
        intent = found;
        return {};
      });
      return await work(tx, intent as StoredIntent);
    });
  }
}

type Buyer = { customerId: string | null };

/**
 * Names a card as a real provider does, so that its declines can be counted. Everybody rehearses with the same few numbers,
 * so each buyer has cards of their own. It has only letters, because no stored text may look like a card number. [OWNS-32]
 */
function fingerprintOf({ customerId }: Buyer, number: string): string {
  const hash = createHash('sha256')
    .update(`${customerId} ${number.replaceAll(/\D/g, '')}`)
    .digest();
  return Array.from(hash.subarray(0, 16), (byte) => String.fromCodePoint(97 + (byte % 26))).join('');
}

/** Null for a number that is not on the list. It may be a real one, of which no part may be stored. */
function listedCard(buyer: Buyer, { number }: SandboxCard): PaymentIntent['card'] {
  const outcome = sandboxOutcome(number);
  const isListed =
    outcome.result !== 'declined' || !['sandbox_card_only', 'incorrect_number'].includes(outcome.code);
  return isListed ? { ...cardSummary(number), fingerprint: fingerprintOf(buyer, number) } : null;
}

function intentOf(stored: StoredIntent & { parameters?: unknown }): PaymentIntent {
  const { due: _due, parameters: _parameters, chargeKey: _chargeKey, ...intent } = stored;
  return intent;
}

function judge(card: SandboxCard, now: Date) {
  const outcome = sandboxOutcome(card.number);
  const expired =
    outcome.result === 'declined' ? null : expiryOutcome(card.expMonth, card.expYear, utcDay(now));
  return expired ?? outcome;
}

function savingOf(buyer: Buyer, card: SandboxCard, now: Date): Saving {
  const { expMonth, expYear } = card;
  const outcome = savingOutcome(card.number);
  const expired = outcome.result === 'declined' ? null : expiryOutcome(expMonth, expYear, utcDay(now));
  const last = expired ?? outcome;
  const listed = listedCard(buyer, card);
  return {
    error: last.result === 'declined' ? last : null,
    isChallenged: last.result === 'requires_action',
    card: listed && { ...listed, expMonth, expYear: expYear < 100 ? 2000 + expYear : expYear },
  };
}

function declinedError({
  code,
  declineCode,
  message,
}: NonNullable<PaymentIntent['lastError']>): ProviderError {
  return new ProviderError('declined', message, {
    code,
    ...(declineCode !== undefined && { declineCode }),
    userMessage: message,
  });
}

// The client that knows the secret may pay this one intent.
function requireSecret(intent: { clientSecret: string }, given: string): void {
  if (!isSameSecret(given, intent.clientSecret)) {
    throw new ProviderError('not_found', 'No such payment', { code: 'resource_missing' });
  }
}

function eventOf(changes: Partial<StoredIntent>): string | null {
  if (changes.status === 'succeeded') return 'payment_intent.succeeded';
  if (changes.status === 'canceled') return 'payment_intent.canceled';
  return changes.lastError ? 'payment_intent.payment_failed' : null;
}
