import { reversalsOf } from '#domain/payments/payouts.ts';
import { nextTry } from '#domain/payments/refunds.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS } from '#domain/time.ts';
import { ProviderError, type Reversal } from '../../adapters/payment-provider.ts';
import type { Context } from '../../context.ts';
import { installationId } from '../ledger/installation.ts';
import { applyReversal, lockTransfer } from './apply.ts';
import { isRefusal } from './send.ts';
import {
  findReversal,
  findTransfer,
  insertReversal,
  listExcess,
  lockReversible,
  type ReversalRow,
  takeDueReversals,
  type TransferRow,
  updateReversal,
} from './store-transfers.ts';

const BATCH = 100;
/** Reductions that are older than this are settled from later earnings only. */
const REVERSED_WITHIN_MS = 60 * DAY_MS;

/**
 * Takes back excess payouts for ended ads whose earnings were reduced since, because traffic was withdrawn or a dispute
 * was lost. The rest is settled from later earnings. [PAYO-05]
 */
export async function reverseExcess(ctx: Context): Promise<void> {
  const { book } = ctx.payments;
  const since = later(ctx.now(), -REVERSED_WITHIN_MS);
  for (const { adId } of await listExcess(ctx.db, book, since)) {
    await ctx.db.transaction().execute(async (tx) => {
      const transfers = await lockReversible(tx, adId);
      // Another instance may have begun the same reversals before the lock.
      const [excess] = await listExcess(tx, book, since, adId);
      const now = ctx.now();
      for (const { id, cents } of reversalsOf(excess?.excessCents ?? 0, transfers))
        await insertReversal(tx, { transferId: id, amountCents: cents, beganAt: now, lookAt: now });
    });
  }
}

/** Sends all reversals that are due. One that fails does not hold up the others. Returns how many it looked at. */
export async function sendDueReversals(ctx: Context): Promise<number> {
  let looked = 0;
  for (;;) {
    const now = ctx.now();
    const due = await takeDueReversals(ctx.db, now, later(now, 2 * MINUTE_MS), BATCH);
    for (const reversalId of due) {
      try {
        await sendReversal(ctx, reversalId);
      } catch (error) {
        ctx.log.error({ err: error, reversalId }, 'a reversal could not be brought up to date; trying again');
      }
    }
    looked += due.length;
    if (due.length < BATCH) return looked;
  }
}

type Request = { ours: ReversalRow; transfer: TransferRow };

/** Sends a reversal under its committed key, like a transfer. A refused one is not repeated. */
export async function sendReversal(ctx: Context, id: number): Promise<void> {
  const request = await beginTry(ctx, id);
  if (!request) return;
  let reversal: Reversal;
  try {
    reversal = await ask(ctx, request);
  } catch (error) {
    await noteFailure(ctx, request, error);
    return;
  }
  await ctx.db.transaction().execute(async (tx) => {
    await lockTransfer(tx, request.transfer);
    await applyReversal(ctx, tx, request.transfer.id, reversal);
  });
}

async function beginTry(ctx: Context, id: number): Promise<Request | null> {
  return await ctx.db.transaction().execute(async (tx) => {
    const found = await findReversal(tx, id);
    const sent = found && (await findTransfer(tx, found.transferId));
    const transfer = sent && (await lockTransfer(tx, sent));
    const ours = await findReversal(tx, id);
    if (!transfer || ours?.state !== 'trying') return null;
    const now = ctx.now();
    if (transfer.book !== ctx.payments.book) {
      // The money is at another provider, which only its own settings can reach.
      await updateReversal(tx, id, { lookAt: later(now, HOUR_MS) });
      return null;
    }
    const attempts = ours.attempts + 1;
    await updateReversal(tx, id, { attempts, lookAt: nextTry(attempts, now) });
    return { ours: { ...ours, attempts }, transfer };
  });
}

async function ask(ctx: Context, { ours, transfer }: Request): Promise<Reversal> {
  const transferId = transfer.providerId as string;
  // An earlier request may have succeeded although its answer was lost. Look for it first, because a repetition may be
  // refused, or made twice if the provider has forgotten its key.
  if (ours.attempts > 1) {
    const { reversals } = await ctx.payments.getTransfer(transferId);
    const known = reversals.find(({ metadata }) => metadata['reversal_key'] === ours.key);
    if (known) return known;
  }
  const metadata = { installation: await installationId(ctx.db), reversal_key: ours.key };
  return await ctx.payments.reverse({ transferId, amount: ours.amountCents, metadata }, `trr:${ours.key}`);
}

async function noteFailure(ctx: Context, { ours, transfer }: Request, error: unknown): Promise<void> {
  const reason = error instanceof ProviderError ? (error.code ?? error.kind) : 'error';
  const isRefused = isRefusal(error);
  await ctx.db.transaction().execute(async (tx) => {
    await lockTransfer(tx, transfer);
    const known = await findReversal(tx, ours.id);
    // An event may have brought the reversal up to date meanwhile.
    if (known?.state !== 'trying') return;
    await updateReversal(tx, ours.id, {
      error: reason,
      ...(isRefused && { state: 'refused' as const, lookAt: null }),
    });
  });
  const details = { err: error, reversalId: ours.id, attempts: ours.attempts };
  if (isRefused)
    ctx.log.warn(details, 'the publisher’s account does not have the money; later earnings settle it');
  else ctx.log.warn(details, 'a reversal could not be sent; trying again with the same key');
}
