import { DAY_MS, later, SECOND_MS } from '#domain/time.ts';
import type { Tx } from '../../database/database.ts';
import { type Dispute, type PaymentProvider, ProviderError, type Refund } from '../payment-provider.ts';
import type { RecordEvent, Sandbox } from './events.ts';
import { moveBalance } from './money.ts';
import {
  addObject,
  changeIn,
  createOnce,
  newId,
  objectsOf,
  settleSoon,
  type Stored,
  type StoredIntent,
} from './objects.ts';

export type StoredRefund = Refund & Stored;

/** The plan of a refund: to stay on its way for days, or to come back from the bank. */
export type RefundPlan = 'refund_pending' | 'refund_fails';
type StoredPlan = { plan: RefundPlan | null };

/** A refund that the operator let wait arrives after this time. */
const PENDING_FOR_MS = 7 * DAY_MS;
const FAILS_AFTER_MS = 2 * SECOND_MS;

/** Refunds an intent, which stays locked meanwhile, so that concurrent refunds never exceed it. */
export async function createRefund(
  { db, now, record }: Sandbox,
  { intentId, amount, metadata }: Parameters<PaymentProvider['refund']>[0],
  key: string,
): Promise<StoredRefund> {
  const at = now();
  return await db.transaction().execute(async (tx) => {
    let made: StoredRefund | undefined;
    await changeIn<StoredIntent>(tx, 'pi', intentId, at, async (intent) => {
      const id = newId('re');
      const plan = await readPlan(tx, intentId);
      const data: StoredRefund = {
        id,
        intentId,
        status: plan === 'refund_pending' ? 'pending' : 'succeeded',
        amount,
        currency: intent.currency,
        failureReason: null,
        balanceTransaction: null,
        failureBalanceTransaction: null,
        metadata,
        createdAt: at,
        due: dueOf(plan, at),
      };
      const parameters = { intentId, amount, metadata };
      made = await createOnce(tx, { kind: 're', key, parameters, data, id, parent: intentId }, at);
      if (made.id !== id) return {};
      await requireRefundable(tx, intent, amount, id);
      if (plan !== null) await writePlan(tx, intentId, null, at);
      if (made.status === 'succeeded') made = await take(tx, made, at);
      await record(tx, { type: 'refund.created', objectId: id, metadata });
      if (plan === 'refund_fails') await settleSoon(tx, id);
      return {};
    });
    return made as StoredRefund;
  });
}

function dueOf(plan: RefundPlan | null, at: Date): StoredRefund['due'] {
  if (plan === 'refund_pending') return { step: 'refund_succeeds', at: later(at, PENDING_FOR_MS) };
  return plan === 'refund_fails' ? { step: 'refund_fails', at: later(at, FAILS_AFTER_MS) } : null;
}

async function requireRefundable(tx: Tx, intent: StoredIntent, amount: number, id: string): Promise<void> {
  const refused = (message: string, code: string) => new ProviderError('invalid', message, { code });
  if (intent.status !== 'succeeded' || intent.chargeId === null)
    throw refused('This payment has not succeeded', 'payment_intent_unexpected_state');
  const disputes = await objectsOf<Dispute>(tx, intent.id, 'dp');
  if (disputes.some(({ status }) => status !== 'won' && !status.startsWith('warning_')))
    throw refused('This charge has been disputed', 'charge_disputed');
  const left = intent.amountReceived - (await refundedOf(tx, intent.id, id));
  if (left === 0) throw refused('This charge has already been refunded', 'charge_already_refunded');
  if (amount > left) throw refused('Refund amount is greater than what is left', 'amount_too_large');
}

/** The refunded part of an intent, without the refunds that failed, and without `except`. */
export async function refundedOf(tx: Tx, intentId: string, except?: string): Promise<number> {
  const refunds = await objectsOf<StoredRefund>(tx, intentId, 're');
  return refunds
    .filter(({ id, status }) => id !== except && status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0);
}

async function take(tx: Tx, refund: StoredRefund, at: Date): Promise<StoredRefund> {
  const { id, amount, currency } = refund;
  const taken = await moveBalance(tx, { type: 'refund', sourceId: id, amount: -amount, currency }, at);
  return await changeIn<StoredRefund>(tx, 're', id, at, () => ({ balanceTransaction: taken }));
}

/** A pending refund arrives. */
export async function arriving(
  tx: Tx,
  record: RecordEvent,
  refund: StoredRefund,
  at: Date,
): Promise<Partial<StoredRefund>> {
  const { id, amount, currency, metadata } = refund;
  const taken =
    refund.balanceTransaction ??
    (await moveBalance(tx, { type: 'refund', sourceId: id, amount: -amount, currency }, at));
  await record(tx, { type: 'refund.updated', objectId: id, metadata });
  return { status: 'succeeded', balanceTransaction: taken, due: null };
}

/** The bank sends a refund back, even one that had succeeded. */
export async function failing(
  tx: Tx,
  record: RecordEvent,
  refund: StoredRefund,
  at: Date,
): Promise<Partial<StoredRefund>> {
  const { id, amount, currency, metadata, balanceTransaction } = refund;
  const returned =
    balanceTransaction &&
    (await moveBalance(tx, { type: 'refund_failure', sourceId: id, amount, currency }, at));
  await record(tx, { type: 'refund.updated', objectId: id, metadata });
  await record(tx, { type: 'refund.failed', objectId: id, metadata });
  return {
    status: 'failed',
    failureReason: 'lost_or_stolen_card',
    failureBalanceTransaction: returned,
    due: null,
  };
}

/** Makes a refund that had succeeded pending again, for seven days. */
export async function waiting(
  tx: Tx,
  record: RecordEvent,
  { id, metadata }: StoredRefund,
  at: Date,
): Promise<Partial<StoredRefund>> {
  await record(tx, { type: 'refund.updated', objectId: id, metadata });
  return { status: 'pending', due: { step: 'refund_succeeds', at: later(at, PENDING_FOR_MS) } };
}

const planId = (intentId: string) => `sbx_plan_${intentId}`;

async function readPlan(tx: Tx, intentId: string): Promise<RefundPlan | null> {
  const [kept] = await objectsOf<StoredPlan>(tx, intentId, 'plan');
  return kept?.plan ?? null;
}

/** Says what the next refund of an intent will do. The caller has locked the intent. */
export async function writePlan(tx: Tx, intentId: string, plan: RefundPlan | null, at: Date): Promise<void> {
  const [kept] = await objectsOf<StoredPlan>(tx, intentId, 'plan');
  if (kept) await changeIn<StoredPlan & Stored>(tx, 'plan', planId(intentId), at, () => ({ plan }));
  else if (plan)
    await addObject(tx, { kind: 'plan', id: planId(intentId), parent: intentId, data: { plan } }, at);
}
