import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '../db/database.ts';
import { type Dispute, type FraudWarning, ProviderError } from './payment-provider.ts';
import type { RecordEvent } from './sandbox-events.ts';
import { DISPUTE_FEE, moveBalance } from './sandbox-money.ts';
import { addObject, changeIn, newId, objectsOf, type Stored } from './sandbox-objects.ts';
import type { StoredIntent } from './sandbox-payments.ts';
import { refundedOf } from './sandbox-refunds.ts';

type StoredDispute = Dispute & Stored;

/** How long the bank waits for evidence. */
const RESPONSE_MS = 9 * DAY_MS;
const IS_OPEN = new Set(['needs_response', 'warning_needs_response']);

function nothing(message: string): ProviderError {
  return new ProviderError('conflict', message);
}

/** The caller has locked the intent. */
export async function openDisputeOf(tx: Tx, intentId: string): Promise<StoredDispute | null> {
  const disputes = await objectsOf<StoredDispute>(tx, intentId, 'dp');
  return disputes.find(({ status }) => IS_OPEN.has(status)) ?? null;
}

/**
 * The cardholder's bank disputes a charge and takes the money back, or first asks about it. A dispute after an inquiry is
 * the same object. Throws 'conflict' if there is nothing to dispute.
 */
export async function dispute(
  tx: Tx,
  record: RecordEvent,
  intent: StoredIntent,
  { kind, now }: { kind: 'dispute' | 'inquiry'; now: Date },
): Promise<string> {
  const { chargeId, id: intentId } = intent;
  if (intent.status !== 'succeeded' || chargeId === null) throw nothing('This ad has not been paid for.');
  const open = await openDisputeOf(tx, intentId);
  if (open?.status === 'needs_response' || (open && kind === 'inquiry'))
    throw nothing('This payment already has an open dispute.');
  if (open) return await escalate(tx, record, open, now);
  if ((await objectsOf<Dispute>(tx, intentId, 'dp')).some(({ status }) => status === 'lost'))
    throw nothing('A dispute of this payment was lost, so nothing is left to dispute.');
  const amount = intent.amountReceived - (await refundedOf(tx, intentId));
  if (amount === 0) throw nothing('This payment was refunded in full, so nothing is left to dispute.');
  const id = newId('dp');
  const data: StoredDispute = {
    id,
    chargeId,
    intentId,
    status: kind === 'dispute' ? 'needs_response' : 'warning_needs_response',
    reason: 'fraudulent',
    amount,
    currency: intent.currency,
    dueAt: later(now, RESPONSE_MS),
    createdAt: now,
    balanceTransactions: [],
  };
  await addObject(tx, { kind: 'dp', id, parent: intentId, data }, now);
  await record(tx, { type: 'charge.dispute.created', objectId: id, metadata: {} });
  if (kind === 'dispute') await withdrawFunds(tx, record, data, now);
  return id;
}

async function escalate(tx: Tx, record: RecordEvent, open: StoredDispute, now: Date): Promise<string> {
  const status = 'needs_response';
  await changeIn<StoredDispute>(tx, 'dp', open.id, now, () => ({ status, dueAt: later(now, RESPONSE_MS) }));
  await record(tx, { type: 'charge.dispute.updated', objectId: open.id, metadata: {} });
  await withdrawFunds(tx, record, open, now);
  return open.id;
}

async function withdrawFunds(tx: Tx, record: RecordEvent, disputed: StoredDispute, now: Date): Promise<void> {
  const { id, amount, currency } = disputed;
  const movement = { type: 'adjustment', sourceId: id, amount: -amount, fee: DISPUTE_FEE, currency };
  const withdrawn = await moveBalance(tx, movement, now);
  await changeIn<StoredDispute>(tx, 'dp', id, now, () => ({ balanceTransactions: [withdrawn] }));
  await record(tx, { type: 'charge.dispute.funds_withdrawn', objectId: id, metadata: {} });
}

/** The bank decides. The money of a dispute that is won comes back with its fee. An inquiry only closes. */
export async function closeDispute(
  tx: Tx,
  record: RecordEvent,
  intentId: string,
  { status, now }: { status: 'won' | 'lost'; now: Date },
): Promise<void> {
  const open = await openDisputeOf(tx, intentId);
  if (!open) throw nothing('This payment has no open dispute. Play a dispute first.');
  const { id, amount, currency } = open;
  if (open.status === 'warning_needs_response') {
    if (status === 'lost')
      throw nothing('The bank has only asked about this payment. Play a dispute first, then let it be lost.');
    await changeIn<StoredDispute>(tx, 'dp', id, now, () => ({ status: 'warning_closed' }));
    await record(tx, { type: 'charge.dispute.closed', objectId: id, metadata: {} });
    return;
  }
  let { balanceTransactions } = open;
  if (status === 'won') {
    const movement = { type: 'adjustment', sourceId: id, amount, fee: -DISPUTE_FEE, currency };
    balanceTransactions = [...balanceTransactions, await moveBalance(tx, movement, now)];
    await record(tx, { type: 'charge.dispute.funds_reinstated', objectId: id, metadata: {} });
  }
  await changeIn<StoredDispute>(tx, 'dp', id, now, () => ({ status, balanceTransactions }));
  await record(tx, { type: 'charge.dispute.closed', objectId: id, metadata: {} });
}

/** A card network reports that the cardholder called a payment fraudulent. It does so once for each charge. */
export async function warnOfFraud(
  tx: Tx,
  record: RecordEvent,
  { id: intentId, status, chargeId }: StoredIntent,
  now: Date,
): Promise<string> {
  if (status !== 'succeeded' || chargeId === null) throw nothing('This ad has not been paid for.');
  if ((await objectsOf(tx, intentId, 'issfr')).length > 0)
    throw nothing('This payment already has a fraud warning.');
  const id = newId('issfr');
  const data: FraudWarning = { id, chargeId, intentId, actionable: true, createdAt: now };
  await addObject(tx, { kind: 'issfr', id, parent: intentId, data }, now);
  await record(tx, { type: 'radar.early_fraud_warning.created', objectId: id, metadata: {} });
  return id;
}
