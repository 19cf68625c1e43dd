/**
 * A sandbox in place of a card provider, in which no money moves. It behaves like a real provider in everything the
 * product depends on: ids, idempotency keys, several tries per intent, fees and events that arrive later, refunds that
 * fail, disputes, and payouts.
 */
import type { Evidence } from '#domain/payments/evidence.ts';
import type { Database } from '../../database/database.ts';
import {
  type BalanceTransaction,
  type Dispute,
  type FraudWarning,
  type PaymentProvider,
  ProviderError,
  type Refund,
  type Review,
  type Setup,
} from '../payment-provider.ts';
import { type SandboxCard, savingOf } from './cards.ts';
import { intentOfSecret } from './client-secret.ts';
import { keepEvidence } from './disputes.ts';
import { eventRecorder, type Sandbox } from './events.ts';
import { sandboxIntents } from './intents.ts';
import {
  changeObject,
  createOnce,
  newestObjects,
  newId,
  objectsOf,
  readObject,
  type Stored,
} from './objects.ts';
import { type SandboxPaying, sandboxPaying } from './paying.ts';
import { sandboxPayees } from './payouts.ts';
import { type SandboxPlays, sandboxPlays } from './plays.ts';
import { createRefund, type StoredRefund } from './refunds.ts';
import { sandboxSetups } from './setups.ts';
import { readSettled, settle } from './steps.ts';
import { sandboxTransfers } from './transfers.ts';

export type { SandboxCard } from './cards.ts';
export { intentOfSecret, isSetupSecret } from './client-secret.ts';
export type { SandboxPlays } from './plays.ts';

export type SandboxProvider = PaymentProvider &
  SandboxPaying & {
    name: 'sandbox';
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

export const SANDBOX_NOTICE = 'Sandbox payments: no money moves';

/** `now` is the marketplace's clock. `chaos` lets events arrive twice and in any order. */
export function createSandbox(db: Database, now: () => Date, { chaos = false } = {}): SandboxProvider {
  const sandbox: Sandbox = { db, now, record: eventRecorder(now, chaos) };
  const { confirmSetup, ...setups } = sandboxSetups(db, now);

  return {
    name: 'sandbox',
    mode: 'sandbox',
    book: 'sandbox',
    clientConfig: () => ({ notice: SANDBOX_NOTICE }),

    ...sandboxCustomers(sandbox),
    ...sandboxIntents(sandbox),
    ...sandboxPaying(sandbox),
    ...setups,

    async saveCard(clientSecret, card) {
      const setup = await setups.getSetup(intentOfSecret(clientSecret));
      return await confirmSetup(clientSecret, savingOf(setup, card, now()));
    },

    ...sandboxRefunds(sandbox),
    ...sandboxDisputes(sandbox),
    ...sandboxPayees(db, now),
    ...sandboxTransfers(db, now, sandbox.record),

    // No event is ever undelivered, because each is put into our inbox in the transaction of the change that it
    // reports.
    async *undeliveredEvents() {},

    async *balanceTransactionsSince(since) {
      await settle(sandbox);
      yield* newestObjects<BalanceTransaction>(db, 'txn', since);
    },

    prepare: async () => [],

    readEvent() {
      throw new ProviderError('invalid', 'The sandbox accepts no events from outside');
    },

    play: sandboxPlays(sandbox),
    settle: async (objectId) => await settle(sandbox, objectId),
  };
}

function sandboxCustomers({
  db,
  now,
}: Sandbox): Pick<PaymentProvider, 'createCustomer' | 'billingPortal' | 'forgetCustomer'> {
  return {
    async createCustomer({ metadata }, key) {
      const id = newId('cus');
      const made = await createOnce(
        db,
        { kind: 'cus', key, parameters: { metadata }, data: { id }, id },
        now(),
      );
      return { id: made.id };
    },

    async billingPortal(customerId, returnUrl) {
      await readObject(db, 'cus', customerId);
      return { url: new URL('/api/sandbox/billing-portal', returnUrl).href };
    },

    async forgetCustomer(id) {
      await changeObject<Stored & { forgotten?: boolean }>(db, 'cus', id, now(), () => ({ forgotten: true }));
    },
  };
}

function sandboxRefunds(sandbox: Sandbox): Pick<PaymentProvider, 'refund' | 'getRefund' | 'refundsOf'> {
  async function readRefund(id: string): Promise<Refund> {
    const { due: _due, ...refund } = await readSettled<StoredRefund & { parameters?: unknown }>(
      sandbox,
      're',
      id,
    );
    delete refund.parameters;
    return refund;
  }

  return {
    async refund(refund, key) {
      const { id } = await createRefund(sandbox, refund, key);
      return readRefund(id);
    },

    getRefund: readRefund,

    async *refundsOf(intentId) {
      for (const { id } of await objectsOf<StoredRefund>(sandbox.db, intentId, 're'))
        yield await readRefund(id);
    },
  };
}

function sandboxDisputes({
  db,
  now,
  record,
}: Sandbox): Pick<
  PaymentProvider,
  'getDispute' | 'getFraudWarning' | 'getReview' | 'stageEvidence' | 'submitEvidence'
> {
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

  return {
    getDispute: async (id) => readObject<Dispute>(db, 'dp', id),
    getFraudWarning: async (id) => readObject<FraudWarning>(db, 'issfr', id),
    getReview: async (id) => readObject<Review>(db, 'prv', id),
    stageEvidence: async (id, evidence, key) => await takeEvidence(id, evidence, key, false),
    submitEvidence: async (id, evidence, key) => await takeEvidence(id, evidence, key, true),
  };
}
