import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '../../database/database.ts';
import { takesEvidence } from '#domain/payments/disputes.ts';
import type { Evidence } from '#domain/payments/evidence.ts';
import { type Dispute, type FraudWarning, ProviderError, type Review } from '../payment-provider.ts';
import type { RecordEvent } from './events.ts';
import { DISPUTE_FEE, moveBalance } from './money.ts';
import { addObject, changeIn, newId, objectsOf, type Stored, type StoredIntent } from './objects.ts';
import { refundedOf } from './refunds.ts';

/** `keys` are the idempotency keys of the evidence so far. */
type StoredDispute = Dispute & Stored & { evidence?: Evidence; keys?: string[] };

/** How long the bank waits for evidence. */
const RESPONSE_MS = 9 * DAY_MS;
const isOpen = ({ status }: Dispute) => /(?:needs_response|under_review)$/.test(status);
const isInquiry = ({ status }: Dispute) => status.startsWith('warning_');

function nothing(message: string): ProviderError {
  return new ProviderError('conflict', message);
}

/** The caller has locked the intent. */
export async function openDisputeOf(tx: Tx, intentId: string): Promise<StoredDispute | null> {
  const disputes = await objectsOf<StoredDispute>(tx, intentId, 'dp');
  return disputes.find(isOpen) ?? null;
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
  const chargeId = paidCharge(intent);
  const { id: intentId } = intent;
  const open = await openDisputeOf(tx, intentId);
  if (open && (kind === 'inquiry' || !isInquiry(open)))
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
    submissions: 0,
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

/** The bank decides. A won dispute returns its money and its fee to us. An inquiry only closes. */
export async function closeDispute(
  tx: Tx,
  record: RecordEvent,
  intentId: string,
  { status, now }: { status: 'won' | 'lost'; now: Date },
): Promise<void> {
  const open = await openDisputeOf(tx, intentId);
  if (!open) throw nothing('This payment has no open dispute. Play a dispute first.');
  const { id, amount, currency } = open;
  if (isInquiry(open)) {
    if (status === 'lost')
      throw nothing('The bank has only asked about this payment. Play a dispute first, then let it be lost.');
    await changeIn<StoredDispute>(tx, 'dp', id, now, () => ({ status: 'warning_closed' }));
    await record(tx, { type: 'charge.dispute.closed', objectId: id, metadata: {} });
    return;
  }
  let { balanceTransactions } = open;
  // A lost dispute or appeal moves no money.
  if (status === 'won') {
    const movement = { type: 'adjustment', sourceId: id, amount, fee: -DISPUTE_FEE, currency };
    balanceTransactions = [...balanceTransactions, await moveBalance(tx, movement, now)];
    await record(tx, { type: 'charge.dispute.funds_reinstated', objectId: id, metadata: {} });
  }
  await changeIn<StoredDispute>(tx, 'dp', id, now, () => ({ status, balanceTransactions }));
  await record(tx, { type: 'charge.dispute.closed', objectId: id, metadata: {} });
}

/** The card network decides again about a lost dispute. Until then, the bank keeps the money. */
export async function appeal(tx: Tx, record: RecordEvent, intentId: string, now: Date): Promise<void> {
  const disputes = await objectsOf<StoredDispute>(tx, intentId, 'dp');
  const lost = disputes.find(({ status }) => status === 'lost');
  if (!lost) throw nothing('This payment has no lost dispute. Play a dispute first, then let it be lost.');
  await changeIn<StoredDispute>(tx, 'dp', lost.id, now, () => ({ status: 'appeal_under_review' }));
  await record(tx, { type: 'charge.dispute.updated', objectId: lost.id, metadata: {} });
}

/** Takes evidence as Stripe does. Only one submission goes to the bank, and each key has its effect once. */
export async function keepEvidence(
  tx: Tx,
  record: RecordEvent,
  {
    id,
    evidence,
    key,
    submit,
    now,
  }: { id: string; evidence: Evidence; key: string; submit: boolean; now: Date },
): Promise<void> {
  const changed = await changeIn<StoredDispute>(tx, 'dp', id, now, (known) => {
    if (known.keys?.includes(key)) return {};
    if (!takesEvidence(known.status))
      throw new ProviderError('invalid', 'This dispute is closed or under review, and takes no evidence');
    return {
      evidence,
      keys: [...(known.keys ?? []), key],
      ...(submit && {
        submissions: known.submissions + 1,
        status: known.status.replace('needs_response', 'under_review'),
      }),
    };
  });
  await record(tx, { type: 'charge.dispute.updated', objectId: changed.id, metadata: {} });
}

function paidCharge({ status, chargeId }: StoredIntent): string {
  if (status !== 'succeeded' || chargeId === null) throw nothing('This ad has not been paid for.');
  return chargeId;
}

/** The provider looks at a charge that a rule found risky. */
export async function openReview(
  tx: Tx,
  record: RecordEvent,
  intent: StoredIntent,
  now: Date,
): Promise<string> {
  const chargeId = paidCharge(intent);
  const { id: intentId } = intent;
  if ((await objectsOf<Review>(tx, intentId, 'prv')).some((review) => review.isOpen))
    throw nothing('This payment is under review already.');
  const id = newId('prv');
  const data: Review = { id, chargeId, intentId, isOpen: true, closedReason: null };
  await addObject(tx, { kind: 'prv', id, parent: intentId, data }, now);
  await record(tx, { type: 'review.opened', objectId: id, metadata: {} });
  return id;
}

export async function closeReview(tx: Tx, record: RecordEvent, intentId: string, now: Date): Promise<void> {
  const open = (await objectsOf<Review>(tx, intentId, 'prv')).find((review) => review.isOpen);
  if (!open) throw nothing('This payment is not under review.');
  await changeIn<Review & Stored>(tx, 'prv', open.id, now, () => ({
    isOpen: false,
    closedReason: 'approved',
  }));
  await record(tx, { type: 'review.closed', objectId: open.id, metadata: {} });
}

/** A card network reports that the cardholder called a payment fraudulent. It does so once for each charge. */
export async function warnOfFraud(
  tx: Tx,
  record: RecordEvent,
  intent: StoredIntent,
  now: Date,
): Promise<string> {
  const chargeId = paidCharge(intent);
  const { id: intentId } = intent;
  if ((await objectsOf(tx, intentId, 'issfr')).length > 0)
    throw nothing('This payment already has a fraud warning.');
  const id = newId('issfr');
  const data: FraudWarning = { id, chargeId, intentId, actionable: true, createdAt: now };
  await addObject(tx, { kind: 'issfr', id, parent: intentId, data }, now);
  await record(tx, { type: 'radar.early_fraud_warning.created', objectId: id, metadata: {} });
  return id;
}
