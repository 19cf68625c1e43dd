/** Events outside of our server that an operator rehearses. */
import type { Tx } from '../../database/database.ts';
import { appeal, closeDispute, closeReview, dispute, openReview, warnOfFraud } from './disputes.ts';
import type { Sandbox } from './events.ts';
import { changeIn, changeObject, newId, objectsOf, type StoredIntent } from './objects.ts';
import { movePayouts, reviewPayee } from './payouts.ts';
import {
  arriving,
  createRefund,
  failing,
  type RefundPlan,
  type StoredRefund,
  waiting,
  writePlan,
} from './refunds.ts';
import { failLastPayout, retryPayouts } from './transfers.ts';

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

export function sandboxPlays(sandbox: Sandbox): SandboxPlays {
  const { db, now, record } = sandbox;

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

  return {
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
    planRefund: async (intentId, plan) =>
      await onIntent(intentId, (tx) => planRefund(tx, sandbox, intentId, plan)),
    refundOutside: async (intentId, amount) => {
      const outside = { intentId, amount, metadata: {} };
      return (await createRefund(sandbox, outside, `dashboard:${newId('re')}`)).id;
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
  };
}

async function planRefund(
  tx: Tx,
  { now, record }: Sandbox,
  intentId: string,
  plan: RefundPlan,
): Promise<void> {
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
