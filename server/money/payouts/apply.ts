import type { Reversal, Transfer } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { postTransfer } from '../ledger/transfers.ts';
import { ourKey } from '../provider-requests/hashes.ts';
import { closePayout, lockPayout } from './store.ts';
import {
  findReversalOf,
  findTransfer,
  findTransferOf,
  insertReversal,
  type TransferRow,
  updateReversal,
  updateTransfer,
} from './store-transfers.ts';
import { tellSent } from './tell.ts';
import { DAY_MS, later } from '#domain/time.ts';

/** A transfer reaches the bank within some days. If no event has reported that, we ask after this time. */
export const LOOK_AT_BANK_AFTER_MS = 3 * DAY_MS;

/**
 * Updates a transfer to the provider's state: whether it was sent, and how much of it was taken back. The job that
 * sends it, the provider's events and the sweep all call this, in any order and any number of times. Returns false if
 * the transfer is not one of ours. [PAYO-04]
 */
export async function applyTransfer(ctx: Context, tx: Tx, transfer: Transfer): Promise<boolean> {
  const found = await findTransferOf(tx, { providerId: transfer.id, key: ourKey(transfer, 'transfer_key') });
  if (!found) return false;
  const ours = await lockTransfer(tx, found);
  if (transfer.amount !== ours.amountCents || transfer.currency !== ours.currency)
    throw new Error(`The provider's transfer ${transfer.id} is not the amount of transfer ${ours.id}`);
  if (transfer.balanceTransaction === null)
    throw new Error(`Transfer ${transfer.id} has not moved our balance`);
  if (ours.state === 'trying') {
    await postTransfer(tx, {
      kind: 'transfer',
      ...moneyOf(ctx, ours),
      amountCents: ours.amountCents,
      transaction: transfer.balanceTransaction,
    });
    const lookAt = later(ctx.now(), LOOK_AT_BANK_AFTER_MS);
    await updateTransfer(tx, ours.id, { state: 'sent', providerId: transfer.id, lookAt, error: null });
    if (await closePayout(tx, ours.payoutId)) await tellSent(ctx, tx, ours.payoutId);
  }
  for (const reversal of transfer.reversals) await applyReversal(ctx, tx, ours.id, reversal);
  return true;
}

/**
 * Updates a reversal of one of our transfers to the provider's state. A reversal that was made in the provider's
 * dashboard is recorded, too. The caller has locked the transfer.
 */
export async function applyReversal(
  ctx: Context,
  tx: Tx,
  transferId: number,
  reversal: Reversal,
): Promise<void> {
  const ours = await findTransfer(tx, transferId);
  if (!ours) throw new Error(`There is no transfer ${transferId}`);
  const ids = { providerId: reversal.id, key: ourKey(reversal, 'reversal_key') };
  const { amount: amountCents, createdAt: beganAt } = reversal;
  const known =
    (await findReversalOf(tx, transferId, ids)) ??
    (await insertReversal(tx, { transferId, amountCents, beganAt, lookAt: null }));
  if (known.state === 'done') return;
  if (known.amountCents !== amountCents)
    throw new Error(`The provider's reversal ${reversal.id} is not the amount of reversal ${known.id}`);
  if (reversal.balanceTransaction === null)
    throw new Error(`Reversal ${reversal.id} has not moved our balance`);
  await postTransfer(tx, {
    kind: 'reversal',
    ...moneyOf(ctx, ours),
    amountCents,
    transaction: reversal.balanceTransaction,
  });
  await updateReversal(tx, known.id, { state: 'done', providerId: reversal.id, lookAt: null, error: null });
  await updateTransfer(tx, transferId, { reversedCents: ours.reversedCents + amountCents });
}

/** Locks the payout of a transfer and the transfer, and returns the transfer as it is then. */
export async function lockTransfer(tx: Tx, { id, payoutId }: TransferRow): Promise<TransferRow> {
  await lockPayout(tx, payoutId);
  return (await findTransfer(tx, id, { lock: true })) as TransferRow;
}

function moneyOf(ctx: Context, { id, payoutId, publisherId, book, currency, adId }: TransferRow) {
  return {
    publisherId,
    book,
    currency,
    adId,
    meta: { payout: payoutId, transfer: id },
    recordedAt: ctx.now(),
  };
}
