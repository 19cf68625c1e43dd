import { decimalOf, moneyText } from '#domain/money.ts';
import { payoutState } from '#domain/payments/payout-history.ts';
import { TRANSFERS_INACTIVE } from '../../adapters/payment-provider.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { isolated } from '../../notifications/isolated.ts';
import { mailOperator } from '../../notifications/operator-mail.ts';
import { payoutFailedMail, payoutRequestedMail } from '../../notifications/payout-mail.ts';
import { postMessage } from '../../notifications/post-message.ts';
import { listTransferStates } from './store.ts';

/**
 * Mails the publisher and the operator the failure of a closed payout, with the next step. Does nothing if the payout is
 * open or has not failed. The caller has changed one of its transfers in the same transaction. [PAYO-06]
 */
export async function tellIfFailed(ctx: Context, tx: Tx, payoutId: number): Promise<void> {
  const payout = await tx
    .selectFrom('payouts as p')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .leftJoin('userSettings as s', 's.userId', 'u.id')
    .select(['p.status', 'p.amountCents', 'p.currency', 'p.userId', 'u.email', 'u.deletedAt'])
    .select('s.emailNotifications')
    .where('p.id', '=', payoutId)
    .executeTakeFirst();
  if (!payout || payout.status !== 'closed') return;
  const transfers = (await listTransferStates(tx, [payoutId])).get(payoutId) ?? [];
  const state = payoutState(payout.amountCents, transfers, TRANSFERS_INACTIVE);
  if (state.status !== 'failed' || state.message === null) return;
  const amount = moneyText(decimalOf(state.amountCents), payout.currency);
  await mailOperator(ctx, tx, {
    kind: 'payout-failed',
    title: 'A payout failed',
    paragraphs: [
      `The payout ${payoutId} of ${amount} to the publisher with the number ${payout.userId} failed.`,
      `The publisher reads: ${isolated(state.message)}`,
    ],
    action: { label: 'Open the publisher', path: `/operator/people/${payout.userId}` },
  });
  if (payout.deletedAt !== null || payout.emailNotifications === false) return;
  await postMessage(ctx, tx, {
    recipient: payout.email,
    kind: 'payout-failed',
    offSwitch: 'emailNotifications',
    mail: payoutFailedMail(amount, state.message, ctx.config.publicUrl, ctx.payments.mode),
  });
}

/** Mails the publisher that they have requested a payout. No setting turns it off, because somebody else may have. [PAYO-09] */
export async function tellRequested(
  ctx: Context,
  tx: Tx,
  userId: number,
  amountCents: number,
): Promise<void> {
  const { email } = await tx
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const amount = moneyText(decimalOf(amountCents), ctx.config.currency);
  await postMessage(ctx, tx, {
    recipient: email,
    kind: 'payout-requested',
    mail: payoutRequestedMail(amount, ctx.config.publicUrl, ctx.payments.mode),
  });
}
