import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { payoutAccountMail, payoutChangeMail } from '#server/notify/mails/payout-mail.ts';
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
 * Holds a publisher's payouts after a change of the account that receives them, notes it in their security log, and
 * mails them. No setting turns the mail off, because somebody else may have made the change. `last4` is the end of the
 * saved IBAN; null if the page of the provider was opened. [PAYO-09]
 */
export async function holdAndTell(
  ctx: Context,
  tx: Tx,
  { userId, client, last4 }: { userId: number; client: Client; last4: string | null },
): Promise<void> {
  const until = await holdAfterChange(ctx, tx, userId);
  await logSecurity(ctx, tx, { userId, kind: 'payout-account-changed', client });
  const { email } = await findPerson(tx, userId);
  const change = { last4, until: until && instantText(until) };
  await postMessage(ctx, tx, {
    recipient: email,
    kind: 'payout-account-changed',
    mail: payoutChangeMail(change, ctx.config.publicUrl, ctx.payments.mode),
  });
}
