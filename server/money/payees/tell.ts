import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { instantText } from '#server/platform/http/dates.ts';
import { payoutAccountMail, payoutChangeMail } from '#server/notify/mails/payout-mail.ts';
import { postMessage } from '#server/notify/post-message.ts';
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
 * Mails the publisher that the page with the details of their payouts was opened. `until` ends the hold of their payouts.
 * No setting turns it off, because somebody else may have opened the page. [PAYO-09]
 */
export async function tellChange(ctx: Context, tx: Tx, userId: number, until: Date | null): Promise<void> {
  const { email } = await findPerson(tx, userId);
  await postMessage(ctx, tx, {
    recipient: email,
    kind: 'payout-account-changed',
    mail: payoutChangeMail(until && instantText(until), ctx.config.publicUrl, ctx.payments.mode),
  });
}
