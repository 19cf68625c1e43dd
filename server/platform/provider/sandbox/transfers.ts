import { DAY_MS, later } from '#domain/time.ts';
import type { Database, Tx } from '../../database/database.ts';
import {
  type Cents,
  type PaymentProvider,
  ProviderError,
  type Reversal,
  type Transfer,
  TRANSFERS_INACTIVE,
} from '../payment-provider.ts';
import type { RecordEvent } from './events.ts';
import { moveBalance } from './money.ts';
import {
  addObject,
  changeIn,
  changeObject,
  createOnce,
  newestObjects,
  newId,
  objectsOf,
  readObject,
  type Stored,
  type StoredIntent,
  type StoredPayee,
  type StoredPayout,
} from './objects.ts';

type StoredTransfer = Transfer & Stored & { transferGroup: string };
type StoredReversal = Reversal & Stored;

const BANK_TAKES_MS = 2 * DAY_MS;

/**
 * The sandbox's transfers to publishers. Each transfer goes on to the payee's bank by a payout of its own, which takes two
 * days. Until then, or if the bank sends it back, it can be reversed. No money moves.
 */
export function sandboxTransfers(
  db: Database,
  now: () => Date,
  record: RecordEvent,
): Pick<PaymentProvider, 'transfer' | 'getTransfer' | 'transfersOf' | 'reverse' | 'bankPayoutsSince'> {
  return {
    async transfer(transfer, key) {
      const { payeeId, sourceChargeId } = transfer;
      const at = now();
      const payee = await readObject<StoredPayee>(db, 'acct', payeeId);
      let id = newId('tr');
      const make = async (intent: StoredIntent | null, tx: Tx) => {
        const data = newTransfer(id, transfer, at);
        const parent = sourceChargeId ?? payeeId;
        const object = { kind: 'tr', key, parameters: transfer, data, id, parent } as const;
        const made = await createOnce(tx, object, at);
        if (made.id !== id) {
          ({ id } = made);
          return {};
        }
        await requireTransferable(tx, intent, payee, transfer);
        await send(tx, record, data, at);
        return {};
      };
      if (sourceChargeId === null) {
        await changeObject<StoredPayee>(db, 'acct', payeeId, at, (_payee, tx) => make(null, tx));
      } else {
        const { intentId } = await readObject<{ intentId: string }>(db, 'ch', sourceChargeId);
        await changeObject<StoredIntent>(db, 'pi', intentId, at, make);
      }
      return transferOf(await readObject<StoredTransfer>(db, 'tr', id));
    },

    getTransfer: async (id) => transferOf(await readObject<StoredTransfer>(db, 'tr', id)),

    async *transfersOf(transferGroup) {
      for await (const transfer of newestObjects<StoredTransfer>(db, 'tr', new Date(0)))
        if (transfer.transferGroup === transferGroup) yield transferOf(transfer);
    },

    async reverse({ transferId, amount, metadata }, key) {
      const at = now();
      let made: StoredReversal | undefined;
      await changeObject<StoredTransfer>(db, 'tr', transferId, at, async (transfer, tx) => {
        const id = newId('trr');
        const data: StoredReversal = { id, amount, balanceTransaction: null, metadata, createdAt: at };
        const parameters = { transferId, amount, metadata };
        const object = { kind: 'trr', key, parameters, data, id, parent: transferId } as const;
        made = await createOnce(tx, object, at);
        if (made.id !== id) return {};
        const reversed = transfer.reversals.reduce((sum, each) => sum + each.amount, 0);
        if (reversed + amount > transfer.amount)
          throw refused('The reversals of this transfer exceed its amount');
        await takeBack(tx, transfer, amount, at);
        const movement = { type: 'transfer_refund', sourceId: id, amount, currency: transfer.currency };
        const balanceTransaction = await moveBalance(tx, movement, at);
        made = await changeIn<StoredReversal>(tx, 'trr', id, at, () => ({ balanceTransaction }));
        await record(tx, { type: 'transfer.reversed', objectId: transferId, metadata: transfer.metadata });
        return { reversals: [...transfer.reversals, reversalOf(made)] };
      });
      return reversalOf(made as StoredReversal);
    },

    async *bankPayoutsSince(payeeId, since) {
      for (const payout of (await objectsOf<StoredPayout>(db, payeeId, 'po')).toReversed()) {
        const { id, status, failureMessage, transferIds, retriedIds, createdAt } = payout;
        if (createdAt >= since && status !== 'canceled')
          yield { id, status, failureMessage, transferIds, retriedIds, createdAt };
      }
    },
  };
}

type NewTransfer = Parameters<PaymentProvider['transfer']>[0];

function newTransfer(
  id: string,
  { payeeId, amount, currency, sourceChargeId, metadata, transferGroup }: NewTransfer,
  at: Date,
): StoredTransfer {
  return {
    id,
    payeeId,
    sourceChargeId,
    transferGroup,
    amount,
    currency,
    balanceTransaction: null,
    reversals: [],
    metadata,
    createdAt: at,
  };
}

/** Takes the money of a transfer from the balance, and sends it on to the payee's bank. */
async function send(
  tx: Tx,
  record: RecordEvent,
  { id, payeeId, amount, currency, metadata }: StoredTransfer,
  at: Date,
): Promise<void> {
  const movement = { type: 'transfer', sourceId: id, amount: -amount, currency };
  const balanceTransaction = await moveBalance(tx, movement, at);
  await changeIn<StoredTransfer>(tx, 'tr', id, at, () => ({ balanceTransaction }));
  await record(tx, { type: 'transfer.created', objectId: id, metadata });
  await payOut(tx, { payeeId, transferIds: [id], amount, currency }, at);
}

/** Throws if the payee or the charge does not allow this transfer, which is already stored. */
async function requireTransferable(
  tx: Tx,
  intent: StoredIntent | null,
  payee: StoredPayee,
  { currency, sourceChargeId }: NewTransfer,
): Promise<void> {
  if (payee.transfersStatus !== 'active')
    throw refused('This account cannot receive transfers yet', TRANSFERS_INACTIVE);
  if (intent === null || sourceChargeId === null) return;
  if (currency !== intent.currency) throw refused('A transfer must be in the currency of its charge');
  const sent = (await objectsOf<StoredTransfer>(tx, sourceChargeId, 'tr')).reduce(
    (sum, each) => sum + each.amount,
    0,
  );
  if (sent > intent.amountReceived) throw refused('The transfers of this charge exceed its amount');
}

function refused(message: string, code = 'transfer_refused'): ProviderError {
  return new ProviderError('invalid', message, { code });
}

function transferOf(stored: StoredTransfer): Transfer {
  const { id, payeeId, sourceChargeId, amount, currency } = stored;
  const { balanceTransaction, reversals, metadata, createdAt } = stored;
  return {
    id,
    payeeId,
    sourceChargeId,
    amount,
    currency,
    balanceTransaction,
    reversals,
    metadata,
    createdAt,
  };
}

function reversalOf({ id, amount, balanceTransaction, metadata, createdAt }: StoredReversal): Reversal {
  return { id, amount, balanceTransaction, metadata, createdAt };
}

/** Starts a bank payout of a new transfer, together with the payouts that the bank sent back before. */
async function payOut(
  tx: Tx,
  { amount, ...given }: Pick<StoredPayout, 'payeeId' | 'transferIds' | 'amount' | 'currency'>,
  at: Date,
): Promise<void> {
  const failed = (await objectsOf<StoredPayout>(tx, given.payeeId, 'po')).filter(isWaiting);
  for (const { id } of failed)
    await changeIn<StoredPayout>(tx, 'po', id, at, () => ({ isRetried: true, amount: 0 }));
  const payout: StoredPayout = {
    ...given,
    id: newId('po'),
    amount: failed.reduce((sum, each) => sum + each.amount, amount),
    retriedIds: failed.map(({ id }) => id),
    status: 'pending',
    failureMessage: null,
    isRetried: false,
    createdAt: at,
    due: { step: 'payout_paid', at: later(at, BANK_TAKES_MS) },
  };
  await addObject(tx, { kind: 'po', id: payout.id, parent: given.payeeId, data: payout }, at);
}

/** Whether a payout has come back to the account, and no later one carries it. */
const isWaiting = ({ status, isRetried }: StoredPayout): boolean => status === 'failed' && !isRetried;

/** Whether the money of a payout is not at the bank yet. */
export const isOnTheWay = (payout: StoredPayout): boolean => payout.status === 'pending' || isWaiting(payout);

/** Takes money from the payee's payouts that are not at the bank, the transfer's own first. Throws 'invalid'. */
async function takeBack(tx: Tx, { id, payeeId }: StoredTransfer, amount: Cents, at: Date): Promise<void> {
  const open = (await objectsOf<StoredPayout>(tx, payeeId, 'po'))
    .filter(isOnTheWay)
    .toSorted((a, b) => Number(b.transferIds.includes(id)) - Number(a.transferIds.includes(id)));
  let left = amount;
  for (const payout of open) {
    const taken = Math.min(left, payout.amount);
    if (taken === 0) continue;
    left -= taken;
    const rest = payout.amount - taken;
    await changeIn<StoredPayout>(tx, 'po', payout.id, at, () => ({
      amount: rest,
      ...(rest === 0 && { status: 'canceled', due: null }),
    }));
  }
  if (left > 0) throw refused('The balance of this account is not sufficient', 'balance_insufficient');
}

/** The payee's bank has received a payout. */
export async function paid(
  tx: Tx,
  record: RecordEvent,
  { id, payeeId }: StoredPayout,
): Promise<Partial<StoredPayout>> {
  await record(tx, { type: 'payout.paid', objectId: id, metadata: {}, accountId: payeeId });
  return { status: 'paid', due: null };
}

/** Repeats the payouts that the bank sent back, because the payee has given other bank details. */
export async function retryPayouts(tx: Tx, payeeId: string, at: Date): Promise<void> {
  const failed = (await objectsOf<StoredPayout>(tx, payeeId, 'po')).find(isWaiting);
  if (failed) await payOut(tx, { payeeId, transferIds: [], amount: 0, currency: failed.currency }, at);
}

/** The payee's bank sends the last payout back. Throws 'conflict' if there is none. */
export async function failLastPayout(tx: Tx, record: RecordEvent, payeeId: string, now: Date): Promise<void> {
  const payouts = await objectsOf<StoredPayout>(tx, payeeId, 'po');
  const last = payouts.findLast(({ status }) => status !== 'canceled');
  if (!last) throw new ProviderError('conflict', 'This publisher has had no payout yet.');
  await changeIn<StoredPayout>(tx, 'po', last.id, now, async ({ status }) => {
    if (status === 'failed') throw new ProviderError('conflict', 'The last payout has already failed.');
    await record(tx, { type: 'payout.failed', objectId: last.id, metadata: {}, accountId: payeeId });
    return { status: 'failed', failureMessage: 'The bank account is closed.', due: null };
  });
}
