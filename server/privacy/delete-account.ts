import type { FastifyRequest } from 'fastify';
import type { deleteAccount } from '#domain/accounts/contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { hasActiveCampaigns, rejectOrRemoveForAccount } from '../ads/close-account.ts';
import type { Context, Who } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { removeIfUnused } from '../db/remove-if-unused.ts';
import { conflict, unauthorized } from '../http/errors.ts';
import { endSession } from '../http/sessions.ts';
import { closeInventoryOf, removeUnusedInventoryOf } from '../inventory/close-account.ts';
import { enqueue } from '../db/job-queue.ts';
import { removeMediaOf } from '../media/close-account.ts';
import { forgetRecipient } from '../notifications/account-mail.ts';
import { dropPicture } from '../accounts/avatar.ts';
import { anonymizeUser, deleteUser, lockUser, type UserRow } from '../accounts/store.ts';
import { deleteCodesOf } from '../accounts/store-codes.ts';
import { deleteChangesOf } from '../accounts/store-email-changes.ts';
import { deleteSessionsOf } from '../accounts/store-sessions.ts';

const CAMPAIGNS_RUN =
  'You have active campaigns, or campaigns run on your ad zones. Your account can be deleted once they have completed.';

/**
 * Deletes the caller's account, or refuses while campaigns run on either side (OP-037). Everything in one transaction:
 * there is no half deleted account. What others paid for, or were paid for, stays without the person's data.
 */
export async function deleteOwnAccount(
  ctx: Context,
  who: Who,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof deleteAccount>> {
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    await closeInventoryOf(ctx, tx, user.id);
    if (await hasActiveCampaigns(tx, user.id)) throw conflict(CAMPAIGNS_RUN);
    await rejectOrRemoveForAccount(ctx, tx, user.id);
    await removeMediaOf(tx, user.id);
    await removeUnusedInventoryOf(tx, user.id);
    await forgetPerson(ctx, tx, user);
  });
  await endSession(request);
  return { success: true };
}

async function forgetPerson(ctx: Context, tx: Tx, user: UserRow): Promise<void> {
  await deleteSessionsOf(tx, user.id);
  await deleteCodesOf(tx, user.email);
  await deleteChangesOf(tx, user.id);
  await dropPicture(tx, user);
  await forgetRecipient(tx, user.email);
  if (user.stripeCustomerId !== null) {
    await enqueue(tx, 'forget-customer', { customerId: user.stripeCustomerId });
  }
  await anonymizeUser(tx, user.id, ctx.now());
  await removeIfUnused(tx, () => deleteUser(tx, user.id));
}
