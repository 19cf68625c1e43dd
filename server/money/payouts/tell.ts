import { type Currency, decimalOf, moneyText } from '#domain/money.ts';
import { payoutState, type TransferState } from '#domain/payments/payout-history.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { TRANSFERS_INACTIVE } from '#server/platform/provider/payment-provider.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { isolated } from '#server/notify/layout.ts';
import { type Alarm, mailAlarm } from '#server/notify/mails/operator-mail.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { payoutFailedMail, payoutRequestedMail, payoutSentMail } from '#server/notify/mails/payout-mail.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { listFailing, listTransferStates } from './store.ts';

/**
 * Mails the publisher and the operator the failure of a closed payout, with the next step. Does nothing if the payout is
 * open or has not failed. The caller has changed one of its transfers in the same transaction. [PAYO-06]
 */
export async function tellIfFailed(ctx: Context, tx: Tx, payoutId: number): Promise<void> {
  const payout = await tx
    .selectFrom('payouts as p')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .leftJoin('userSettings as s', 's.userId', 'u.id')
    .select(['p.id', 'p.status', 'p.amountCents', 'p.currency', 'p.userId', 'u.email', 'u.deletedAt'])
    .select('s.emailNotifications')
    .where('p.id', '=', payoutId)
    .executeTakeFirst();
  if (!payout || payout.status !== 'closed') return;
  const transfers = (await listTransferStates(tx, [payoutId])).get(payoutId) ?? [];
  const failed = failureOf(payout, transfers);
  if (failed === null) return;
  await mailAlarm(ctx, tx, failed.alarm);
  if (payout.deletedAt !== null || payout.emailNotifications === false) return;
  await postMessage(ctx, tx, {
    recipient: payout.email,
    kind: 'payout-failed',
    offSwitch: 'emailNotifications',
    mail: payoutFailedMail(failed.amount, failed.message, ctx.config.publicUrl, ctx.payments.mode),
  });
}

/**
 * Mails the publisher what was sent of a payout. Does nothing if all of it was refused, which `tellIfFailed` tells. The
 * caller has closed the payout in the same transaction, so that there is one mail.
 */
export async function tellSent(ctx: Context, tx: Tx, payoutId: number): Promise<void> {
  const payout = await tx
    .selectFrom('payouts as p')
    .innerJoin('users as u', 'u.id', 'p.userId')
    .leftJoin('userSettings as s', 's.userId', 'u.id')
    .select(['p.amountCents', 'p.currency', 'u.email', 'u.deletedAt'])
    .select(['s.emailNotifications', 's.campaignUpdates', 's.paymentAlerts'])
    .where('p.id', '=', payoutId)
    .executeTakeFirstOrThrow();
  const { email, deletedAt, currency, emailNotifications, campaignUpdates, paymentAlerts } = payout;
  const settings = {
    email,
    emailNotifications: emailNotifications ?? true,
    campaignUpdates: campaignUpdates ?? true,
    paymentAlerts: paymentAlerts ?? true,
  };
  if (deletedAt !== null) return;
  const transfers = (await listTransferStates(tx, [payoutId])).get(payoutId) ?? [];
  const { status, amountCents, message } = payoutState(payout.amountCents, transfers, TRANSFERS_INACTIVE);
  if (status !== 'sent' && status !== 'paid') return;
  const amount = moneyText(decimalOf(amountCents), currency);
  const mail = payoutSentMail(amount, message, ctx.config.publicUrl, ctx.payments.mode);
  await notifyPerson(ctx, tx, settings, { kind: 'payout-sent', mail });
}

type ClosedPayout = { id: number; userId: number; amountCents: number; currency: Currency };

/** The alarm about a closed payout, with its amount and what the publisher reads. Null if it has not failed. */
function failureOf(
  { id, userId, amountCents, currency }: ClosedPayout,
  transfers: readonly TransferState[],
): { alarm: Alarm; amount: string; message: string } | null {
  const { status, message, amountCents: cents } = payoutState(amountCents, transfers, TRANSFERS_INACTIVE);
  if (status !== 'failed' || message === null) return null;
  const amount = moneyText(decimalOf(cents), currency);
  const alarm: Alarm = {
    kind: 'payout-failed',
    cause: `payout ${id}`,
    title: 'A payout failed',
    text: `The payout ${id} of ${amount} to the publisher with the number ${userId} failed. The publisher reads: ${isolated(message)}`,
    action: { label: 'Open the publisher', path: `/operator/people/${userId}` },
  };
  return { alarm, amount, message };
}

/** After this time, the bank reports no payout any more, and a publisher who did not mend their account will not soon. */
const ALARM_FOR_MS = 30 * DAY_MS;

/**
 * The alarms about the payouts of a book that failed in the last 30 days, and whose money has not left with a later one.
 * [OWNS-30]
 */
export async function failedPayoutAlarms(tx: Tx, book: PaymentBook, now: Date): Promise<Alarm[]> {
  const payouts = await listFailing(tx, book, later(now, -ALARM_FOR_MS));
  const transfers = await listTransferStates(
    tx,
    payouts.map(({ id }) => id),
  );
  return payouts.flatMap(({ isLatest, ...payout }) => {
    const states = transfers.get(payout.id) ?? [];
    // The next payout contains what was refused or came back to us, but not what waits at the publisher's account at the provider.
    const isOpen =
      isLatest || states.some(({ bankStatus, isByBank }) => bankStatus === 'failed' && !isByBank);
    const alarm = isOpen ? failureOf(payout, states)?.alarm : undefined;
    return alarm ? [alarm] : [];
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
