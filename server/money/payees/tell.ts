import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { payoutAccountMail, payoutChangeMail, payoutSetUpMail } from '#server/notify/mails/payout-mail.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { type Client, logSecurity } from '#server/platform/http/security-log.ts';
import { holdAfterChange } from './change-hold.ts';
import { findPerson } from './store.ts';

/** Mails the publisher that their account can receive no payouts any more. `steps` are the missing steps. */
export async function tellNotReady(
  ctx: Context,
  tx: Tx,
  userId: number,
  steps: readonly string[],
): Promise<void> {
  const person = await tx
    .selectFrom('users as u')
    .innerJoin('userSettings as s', 's.userId', 'u.id')
    .select('u.email')
    .where('u.id', '=', userId)
    .where('u.deletedAt', 'is', null)
    .where('s.emailNotifications', '=', true)
    .executeTakeFirst();
  if (!person) return;
  await postMessage(ctx, tx, {
    recipient: person.email,
    kind: 'payout-account',
    offSwitch: 'emailNotifications',
    mail: payoutAccountMail(steps, ctx.config.publicUrl, ctx.payments.mode),
  });
}

/**
 * Notes in a publisher's security log that the account that receives their payouts is set up or changed, and mails them.
 * No setting turns the mail off, because somebody else may have done it. A change also holds their payouts; a first
 * set-up does not, because its session was confirmed a moment ago and there is no account that it could replace.
 * `last4` is the end of the saved IBAN; null if the page of the provider was opened. [PAYO-09]
 */
export async function tellOfAccount(
  ctx: Context,
  tx: Tx,
  {
    userId,
    client,
    last4,
    isChange,
  }: { userId: number; client: Client; last4: string | null; isChange: boolean },
): Promise<void> {
  const until = isChange ? await holdAfterChange(ctx, tx, userId) : null;
  await logSecurity(ctx, tx, { userId, kind: 'payout-account-changed', client });
  const { email } = await findPerson(tx, userId);
  const { config, payments } = ctx;
  await postMessage(ctx, tx, {
    recipient: email,
    kind: 'payout-account-changed',
    mail: isChange
      ? payoutChangeMail({ last4, until: until && instantText(until) }, config.publicUrl, payments.mode)
      : payoutSetUpMail(last4, config.publicUrl, payments.mode),
  });
}
