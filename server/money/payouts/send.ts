import type { Transfer } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import { type RequestKind, sendRequest, sweep } from '../provider-requests/request.ts';
import { applyTransfer, lockTransfer } from './apply.ts';
import { followToBank } from './bank.ts';
import { closePayout } from './store.ts';
import {
  findTransfer,
  listTrying,
  takeDueTransfers,
  type TransferRow,
  updateTransfer,
} from './store-transfers.ts';
import { tellIfFailed, tellSent } from './tell.ts';

const TRANSFER: RequestKind<TransferRow, Transfer> = {
  name: 'transfer',
  async lock(tx, id) {
    const found = await findTransfer(tx, id);
    const transfer = found && (await lockTransfer(tx, found));
    return transfer?.state === 'trying' && !transfer.isByBank ? transfer : null;
  },
  update: async (tx, { id }, changes) => await updateTransfer(tx, id, changes),
  async find(ctx, { key, ...ours }) {
    for await (const transfer of ctx.payments.transfersOf(groupOf(ours)))
      if (transfer.metadata['transfer_key'] === key) return transfer;
    return null;
  },
  async send(ctx, { key, payoutId, publicId, publisherId, ...ours }, installation) {
    return await ctx.payments.transfer(
      {
        payeeId: ours.accountId,
        amount: ours.amountCents,
        currency: ours.currency,
        sourceChargeId: ours.chargeId,
        transferGroup: groupOf({ publicId, payoutId }),
        metadata: {
          installation,
          transfer_key: key,
          payout_id: String(payoutId),
          ...(publicId !== null && { ad_public_id: publicId }),
          publisher_id: String(publisherId),
        },
      },
      `tr:${key}`,
    );
  },
  async apply(ctx, tx, { payoutId }, transfer) {
    if (!(await applyTransfer(ctx, tx, transfer)))
      throw new Error(`Transfer ${transfer.id} is not one of ours`);
    await tellIfFailed(ctx, tx, payoutId);
  },
  /** Nothing is booked, and the money is available again. */
  async refuse(ctx, tx, { id, payoutId }, reason) {
    await updateTransfer(tx, id, { state: 'refused', lookAt: null, error: reason });
    if (await closePayout(tx, payoutId)) await tellSent(ctx, tx, payoutId);
    await tellIfFailed(ctx, tx, payoutId);
  },
  logRefusal: (log, details) =>
    log.error(details, 'the provider refused a transfer; its money is available again'),
};

const groupOf = ({ publicId, payoutId }: Pick<TransferRow, 'publicId' | 'payoutId'>) =>
  publicId === null ? `tax_${payoutId}` : `ad_${publicId}`;

/** Sends a transfer to the provider. [PAYO-04] */
export async function sendTransfer(ctx: Context, id: number): Promise<void> {
  await sendRequest(ctx, TRANSFER, id);
}

/** The job: sends the transfers of a payout. sendDueTransfers sends failed ones again. */
export async function sendPayout(ctx: Context, payoutId: number): Promise<void> {
  for (const id of await listTrying(ctx.db, payoutId)) await sendTransfer(ctx, id);
}

/** Sends all transfers that are due, and asks about those that should be at a bank by now. */
export async function sendDueTransfers(ctx: Context): Promise<void> {
  // One question covers all transfers of an account.
  const asked = new Set<string>();
  await sweep(ctx, 'transfers', takeDueTransfers, async ({ id, state, accountId }) => {
    if (state === 'trying') return await sendTransfer(ctx, id);
    if (state !== 'sent' || asked.has(accountId)) return;
    asked.add(accountId);
    await followToBank(ctx, accountId);
  });
}
