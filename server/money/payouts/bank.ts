import { nextLookAtDone } from '#domain/payments/refunds.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { BankPayout } from '#server/platform/provider/payment-provider.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { listAtBank, lockAtBank, noteBankPayout, updateTransfer } from './store-transfers.ts';
import { tellIfFailed } from './tell.ts';

/** After this time, a bank does not return a payout any more. */
const RETURNED_WITHIN_MS = 30 * DAY_MS;
/** The provider's clock may be behind ours. */
const SKEW_MS = DAY_MS;

/** Asks for the state of an account's transfers at its bank, and records it. [PAYO-06] */
export async function followToBank(ctx: Context, accountId: string): Promise<void> {
  const answer = await askForBankPayouts(ctx, accountId);
  if (answer) await ctx.db.transaction().execute((tx) => recordBankPayouts(ctx, tx, answer));
}

/** The payouts of an account to its bank, the oldest first. `since`: when the transfers began that they may carry. */
export type BankAnswer = { accountId: string; since: Date; payouts: readonly BankPayout[] };

/** Asks the provider for the payouts of an account to its bank. Returns null if no transfer of the account can be on its way. */
export async function askForBankPayouts(ctx: Context, accountId: string): Promise<BankAnswer | null> {
  const since = later(ctx.now(), -RETURNED_WITHIN_MS);
  const [oldest] = await listAtBank(ctx.db, accountId, since);
  if (!oldest) return null;
  const payouts: BankPayout[] = [];
  for await (const payout of ctx.payments.bankPayoutsSince(accountId, later(oldest.beganAt, -SKEW_MS)))
    payouts.unshift(payout);
  return { accountId, since, payouts };
}

/**
 * Records the payouts of an account to its bank. A transfer stays with the last payout that carried it, so that the
 * account's next payout pays a transfer that the bank sent back.
 */
export async function recordBankPayouts(
  ctx: Context,
  tx: Tx,
  { accountId, since, payouts }: BankAnswer,
): Promise<void> {
  await lockAtBank(tx, accountId, since, payouts);
  for (const { id, status, failureMessage, transferIds, retriedIds } of payouts) {
    const message = status === 'failed' ? failureMessage : null;
    const changed = await noteBankPayout(tx, accountId, { id, status, message, transferIds, retriedIds });
    if (status === 'failed') for (const payoutId of changed) await tellIfFailed(ctx, tx, payoutId);
  }
  const now = ctx.now();
  for (const { id, beganAt } of await listAtBank(tx, accountId, since))
    await updateTransfer(tx, id, { lookAt: nextLookAtDone(beganAt, now) });
}
