import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { enqueue } from '#server/platform/database/job-queue.ts';
import { removeIfUnused } from '#server/platform/database/remove-if-unused.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { forgetRecipient } from '#server/notify/mails/account-mail.ts';
import { dropAvatar } from './avatar.ts';
import { anonymizeUser, deleteUser, holdsOperator, lockUser, type UserRow } from './record/store.ts';
import { deleteCodesOf } from './record/store-codes.ts';
import { deleteChangesOf } from './record/store-email-changes.ts';
import { deleteEventsOf } from './record/store-security-events.ts';

/** Locks the account until the transaction ends. Throws 401 if it was deleted since the session was checked. */
export async function lockAccount(tx: Tx, userId: number): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  if (!user) throw unauthorized();
  return user;
}

/** Whether the account is an operator's. Until the transaction ends, no account becomes one. [OPER-02] */
export async function isOperatorAccount(tx: Tx, userId: number): Promise<boolean> {
  return await holdsOperator(tx, userId);
}

/**
 * The last step of an account's deletion removes its codes, mail and avatar, after every way into the account has ended
 * (server/people/access/end-access.ts). It deletes the user's row unless paid ads refer to it. In that case the row stays without
 * any personal data.
 */
export async function forgetPerson(ctx: Context, tx: Tx, user: UserRow): Promise<void> {
  await deleteCodesOf(tx, user.email);
  await deleteChangesOf(tx, user.id);
  await deleteEventsOf(tx, user.id);
  await dropAvatar(tx, user);
  await forgetRecipient(tx, user.email);
  if (user.stripeCustomerId !== null) {
    await enqueue(tx, 'forget-customer', { customerId: user.stripeCustomerId });
  }
  await anonymizeUser(tx, user.id, ctx.now());
  await removeIfUnused(tx, () => deleteUser(tx, user.id));
}
