import { reversalsOf } from '#domain/payments/payouts.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Reversal } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { type RequestKind, type RequestRow, sendRequest, sweep } from '../provider-requests/request.ts';
import { applyReversal, lockTransfer } from './apply.ts';
import { listSoldAds } from './store.ts';
import {
  findReversal,
  findTransfer,
  insertReversal,
  isReversing,
  listExcess,
  lockReversible,
  type ReversalRow,
  takeDueReversals,
  type TransferRow,
  updateReversal,
} from './store-transfers.ts';

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

/**
 * Whether an excess of this publisher is being taken back, or will be by the next run. Locks the transfers in question until
 * the transaction ends, so that nothing of them is.
 */
export async function isTakenBack(
  { payments, config, now }: Context,
  tx: Tx,
  publisherId: number,
): Promise<boolean> {
  const { book } = payments;
  const since = later(now(), -REVERSED_WITHIN_MS);
  for (const ad of await listSoldAds(tx, publisherId, { book, currency: config.currency })) {
    if (ad.sentCents <= ad.earnedCents) continue;
    const reversible = await lockReversible(tx, ad.adId);
    const [excess] = await listExcess(tx, book, since, ad.adId);
    if ((excess && reversible.length > 0) || (await isReversing(tx, ad.adId))) return true;
  }
  return false;
}

const REVERSAL: RequestKind<ReversalRow & RequestRow & { transfer: TransferRow }, Reversal> = {
  name: 'reversal',
  async lock(tx, id) {
    const found = await findReversal(tx, id);
    const sent = found && (await findTransfer(tx, found.transferId));
    const transfer = sent && (await lockTransfer(tx, sent));
    const reversal = await findReversal(tx, id);
    return transfer && reversal?.state === 'trying' ? { ...reversal, transfer, book: transfer.book } : null;
  },
  update: async (tx, { id }, changes) => await updateReversal(tx, id, changes),
  async find(ctx, { transfer, key }) {
    const { reversals } = await ctx.payments.getTransfer(String(transfer.providerId));
    return reversals.find(({ metadata }) => metadata['reversal_key'] === key) ?? null;
  },
  async send(ctx, { transfer, key, amountCents }, installation) {
    const metadata = { installation, reversal_key: key };
    const transferId = String(transfer.providerId);
    return await ctx.payments.reverse({ transferId, amount: amountCents, metadata }, `trr:${key}`);
  },
  async apply(ctx, tx, { transfer }, reversal) {
    await lockTransfer(tx, transfer);
    await applyReversal(ctx, tx, transfer.id, reversal);
  },
  /** A refused reversal is not repeated: later earnings settle it. */
  refuse: async (_ctx, tx, { id }, reason) =>
    await updateReversal(tx, id, { state: 'refused', lookAt: null, error: reason }),
  logRefusal: (log, details) =>
    log.warn(details, 'the publisher’s account does not have the money; later earnings settle it'),
};

/** Sends all reversals that are due. */
export async function sendDueReversals(ctx: Context): Promise<void> {
  await sweep(ctx, 'reversals', takeDueReversals, (id) => sendRequest(ctx, REVERSAL, id));
}
