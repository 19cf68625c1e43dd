import { nextTry } from '#domain/payments/refunds.ts';
import { HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { ProviderError, type Transfer } from '../../adapters/payment-provider.ts';
import type { Context } from '../../context.ts';
import { installationId } from '../ledger/installation.ts';
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
import { tellIfFailed } from './tell.ts';

const BATCH = 100;

/** The job: sends the transfers of a payout. sendDueTransfers sends failed ones again. */
export async function sendPayout(ctx: Context, payoutId: number): Promise<void> {
  for (const id of await listTrying(ctx.db, payoutId)) await sendTransfer(ctx, id);
}

/**
 * Sends all transfers that are due, and asks about those that should be at a bank by now. One that fails does not hold up
 * the others. Returns how many it looked at.
 */
export async function sendDueTransfers(ctx: Context): Promise<number> {
  let looked = 0;
  for (;;) {
    const now = ctx.now();
    const due = await takeDueTransfers(ctx.db, now, later(now, 2 * MINUTE_MS), BATCH);
    const accounts = new Set(due.filter(({ state }) => state === 'sent').map(({ accountId }) => accountId));
    const work = [
      ...due
        .filter(({ state }) => state === 'trying')
        .map(
          ({ id }) =>
            () =>
              sendTransfer(ctx, id),
        ),
      ...[...accounts].map((accountId) => () => followToBank(ctx, accountId)),
    ];
    for (const step of work) {
      try {
        await step();
      } catch (error) {
        ctx.log.error({ err: error }, 'a transfer could not be brought up to date; trying again');
      }
    }
    looked += due.length;
    if (due.length < BATCH) return looked;
  }
}

/**
 * Sends a transfer to the provider under its committed key. After an unknown outcome, the sweep repeats it with the
 * same key. After a refusal nothing is booked and its money is available again. [PAYO-04]
 */
export async function sendTransfer(ctx: Context, id: number): Promise<void> {
  const ours = await beginTry(ctx, id);
  if (!ours) return;
  let transfer: Transfer;
  try {
    transfer = await ask(ctx, ours);
  } catch (error) {
    await noteFailure(ctx, ours, error);
    return;
  }
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await applyTransfer(ctx, tx, transfer)))
      throw new Error(`Transfer ${transfer.id} is not one of ours`);
    await tellIfFailed(ctx, tx, ours.payoutId);
  });
}

async function beginTry(ctx: Context, id: number): Promise<TransferRow | null> {
  return await ctx.db.transaction().execute(async (tx) => {
    const found = await findTransfer(tx, id);
    const ours = found && (await lockTransfer(tx, found));
    if (ours?.state !== 'trying') return null;
    const now = ctx.now();
    if (ours.book !== ctx.payments.book) {
      // The money is at another provider, which only its own settings can reach.
      await updateTransfer(tx, id, { lookAt: later(now, HOUR_MS) });
      return null;
    }
    const attempts = ours.attempts + 1;
    await updateTransfer(tx, id, { attempts, lookAt: nextTry(attempts, now) });
    return { ...ours, attempts };
  });
}

async function ask(ctx: Context, ours: TransferRow): Promise<Transfer> {
  const transferGroup = `ad_${ours.publicId}`;
  // An earlier request may have succeeded although its answer was lost. Look for it first, because a repetition may be
  // refused, or made twice if the provider has forgotten its key.
  if (ours.attempts > 1) {
    for await (const transfer of ctx.payments.transfersOf(transferGroup))
      if (transfer.metadata['transfer_key'] === ours.key) return transfer;
  }
  return await ctx.payments.transfer(
    {
      payeeId: ours.accountId,
      amount: ours.amountCents,
      currency: ours.currency,
      sourceChargeId: ours.chargeId,
      transferGroup,
      metadata: {
        installation: await installationId(ctx.db),
        transfer_key: ours.key,
        payout_id: String(ours.payoutId),
        ad_public_id: ours.publicId,
        publisher_id: String(ours.publisherId),
      },
    },
    `tr:${ours.key}`,
  );
}

/** Whether the provider has decided not to act. Otherwise it may have acted, or will with the same key. */
export function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && ['declined', 'invalid', 'not_found'].includes(error.kind);
}

async function noteFailure(ctx: Context, ours: TransferRow, error: unknown): Promise<void> {
  const reason = error instanceof ProviderError ? (error.code ?? error.kind) : 'error';
  const isRefused = isRefusal(error);
  await ctx.db.transaction().execute(async (tx) => {
    const known = await lockTransfer(tx, ours);
    // An event may have brought the transfer up to date meanwhile.
    if (known.state !== 'trying') return;
    if (!isRefused) return await updateTransfer(tx, ours.id, { error: reason });
    await updateTransfer(tx, ours.id, { state: 'refused', lookAt: null, error: reason });
    await closePayout(tx, ours.payoutId);
    await tellIfFailed(ctx, tx, ours.payoutId);
  });
  const details = { err: error, transferId: ours.id, attempts: ours.attempts };
  if (isRefused) ctx.log.error(details, 'the provider refused a transfer; its money is available again');
  else ctx.log.warn(details, 'a transfer could not be sent; trying again with the same key');
}
