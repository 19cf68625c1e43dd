import type { PayoutRefusal } from '#domain/payments/payout-contract.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { findChangeHold } from '../payees/change-hold.ts';
import { type KnownPayee, readBankPayee } from '../payees/read.ts';
import { bankAccountIdOf } from '../payees/bank-ids.ts';
import { bookOf, hasOpenPayout, postedBalance } from './balance.ts';
import {
  insertBankPayout,
  insertPayout,
  lockPayoutsOf,
  lockPublisher,
  lockUnpaidAds,
  type RequestedBy,
} from './store.ts';

export type Begun =
  | { id: number; amountCents: number }
  /** `missingCents` is the difference to the smallest payout. `until` ends the hold after a change of the account. */
  | { refused: PayoutRefusal; availableCents: number; missingCents: number; until?: Date };

/**
 * Records a payout of the available balance, in the caller's transaction. A job sends its transfers, or the payout waits
 * for the next file for the operator's bank. `dueAt` is the
 * time at which the hold days must be over. The last payout of an account has no minimum. The caller has posted the
 * publisher's earnings. [PAYO-03, GONE-04]
 */
export async function beginPayout(
  ctx: Context,
  tx: Tx,
  {
    userId,
    payee: known,
    requestedBy,
    dueAt,
    isFinal = false,
  }: { userId: number; payee: KnownPayee; requestedBy: RequestedBy; dueAt: Date; isFinal?: boolean },
): Promise<Begun> {
  // The publisher may have given up these earnings by deleting their account.
  const isKept = await lockPublisher(tx, userId);
  // A bank account may have been replaced since it was read, and changes only under the lock of its user.
  const payee = ctx.config.payoutMethod === 'bank' ? await readBankPayee(ctx, tx, userId) : known;
  await lockPayoutsOf(tx, userId);
  await lockUnpaidAds(tx, userId, bookOf(ctx));
  const { availableCents, heldCents, parts, ads } = await postedBalance(ctx, tx, userId, dueAt);
  const minimumCents = isFinal ? 1 : ctx.config.payouts.minimumCents;
  const missingCents = Math.max(0, minimumCents - availableCents);
  const refuse = (refused: PayoutRefusal) => ({ refused, availableCents, missingCents });
  const changed = await findChangeHold(tx, userId, ctx.now());
  if (changed) return { ...refuse('held'), until: changed.until };
  if (await hasOpenPayout(tx, userId, ctx.payments.book)) return refuse('running');
  if (!isKept || payee.state !== 'ready' || payee.accountId === null) return refuse('not_onboarded');
  if (missingCents > 0) return refuse(heldCents >= missingCents ? 'held' : 'below_minimum');
  const charges = new Map(ads.map(({ adId, chargeId }) => [adId, chargeId]));
  const payout = {
    ...bookOf(ctx),
    userId,
    accountId: payee.accountId,
    amountCents: availableCents,
    requestedBy,
  };
  const transfers = parts.map((part) => ({
    ...part,
    chargeId: part.adId === null ? null : charges.get(part.adId)!,
  }));
  const bankAccountId = bankAccountIdOf(payee.accountId);
  const id = await insertPayout(tx, payout, transfers, { at: ctx.now(), isSent: bankAccountId === null });
  if (bankAccountId === null) await enqueue(tx, 'send-payout', { payoutId: id });
  else await insertBankPayout(tx, { payoutId: id, bankAccountId });
  return { id, amountCents: availableCents };
}
