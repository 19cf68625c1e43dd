import type { FastifyRequest } from 'fastify';
import type { restoreEmail, undoEmailChange } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { later } from '#domain/time.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid, unauthorized } from '#server/platform/http/errors.ts';
import { SESSION_LIFETIME_MS } from '#server/platform/http/sessions.ts';
import { mailAccountRestored } from '#server/notify/mails/account-mail.ts';
import { noteProven } from '#server/notify/bounces.ts';
import { restoreAddress } from './change-email.ts';
import { issueCode } from './codes.ts';
import type { TakeBack } from '../keys/end-sign-ins.ts';
import { limitCall } from '../record/limits.ts';
import { NO_PASSWORD } from '../keys/passwords.ts';
import { logSecurity } from '../record/security-log.ts';
import { showUser } from '../record/show-user.ts';
import { lockUser, updatePassword } from '../record/store.ts';
import { findChangeByLink, findOpenChange } from '../record/store-email-changes.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

const LINK_USED =
  'This link has already been used, or the change has already been undone. Sign in to check your email address.';
const LINK_EXPIRED =
  'This link has expired, because it worked for 7 days. If you didn’t make the change, contact the marketplace operator.';

/** Undoes the caller's own unverified change. The current session stays open. [ACCT-06] */
export async function undoChange(ctx: Context, who: Caller): Promise<Reply<typeof undoEmailChange>> {
  return await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    const open = await findOpenChange(tx, user.id);
    if (!open)
      throw conflict('There’s no email change to undo. Reload the page to see your current address.');
    return await showUser(tx, await restoreAddress(ctx, tx, user, open));
  });
}

/**
 * Undoes a change with the link in the notice to the replaced address. The reader of that mail owned the account, so
 * the address counts as verified again. The person who made the change may have the password, or any other way into the
 * account. All of these end, and the owner sets a new password with a mailed link. [ACCT-07, SEC-13, WARD-02]
 */
export const restoreByLinkWith =
  (takeBack: TakeBack) =>
  async (
    ctx: Context,
    _who: unknown,
    { body }: Parsed<typeof restoreEmail>,
    request: FastifyRequest,
  ): Promise<Reply<typeof restoreEmail>> => {
    // Only wrong links are limited. The right one can't be guessed and must never be refused. [SEC-15]
    if (!(await findChangeByLink(ctx.db, hashToken(body.token)))) await limitCall(ctx, request, 'code');
    return await ctx.db
      .transaction()
      .execute(async (tx) => await restore(ctx, tx, { token: body.token, takeBack, client: request }));
  };

async function restore(
  ctx: Context,
  tx: Tx,
  { token, takeBack, client }: { token: string; takeBack: TakeBack; client: FastifyRequest },
): Promise<Reply<typeof restoreEmail>> {
  const found = await findChangeByLink(tx, hashToken(token));
  const user = found && (await lockUser(tx, found.userId));
  // The row is read again under the lock, so that the second of two parallel clicks finds the link used.
  const change = user && (await findChangeByLink(tx, hashToken(token)));
  if (!user || !change) throw invalid(LINK_USED);
  if (change.expiresAt <= ctx.realNow()) throw invalid(LINK_EXPIRED);
  const restored = await restoreAddress(ctx, tx, user, change);
  await noteProven(tx, restored.email);
  await updatePassword(tx, user.id, NO_PASSWORD, ctx.now());
  // The person who made the change was in the account before it, for at most as long as a session lasts.
  await takeBack(ctx, tx, restored, later(change.createdAt, -SESSION_LIFETIME_MS));
  await logSecurity(ctx, tx, { userId: user.id, kind: 'email-restored', client });
  await mailAccountRestored(ctx, tx, { recipient: restored.email });
  await issueCode(ctx, tx, restored, 'reset');
  return { email: restored.email };
}
