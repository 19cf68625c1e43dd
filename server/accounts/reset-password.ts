import type { FastifyRequest } from 'fastify';
import type { forgotPassword, openResetLink, resetPassword } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { mailPasswordChanged } from '../notifications/account-mail.ts';
import { issueCode, tryCode } from './codes.ts';
import { limitCall } from './limits.ts';
import { hashPassword } from './passwords.ts';
import { hashToken, isLive } from './rules.ts';
import { lockUserByEmail, markVerified, updatePassword } from './store.ts';
import { findCodeByLink, mirrorCode, voidCodes } from './store-codes.ts';
import { closeOpenChange } from './store-email-changes.ts';
import { deleteSessionsOf } from './store-sessions.ts';

const INVALID_RESET_CODE = 'Invalid reset code';
const EXPIRED_RESET_CODE = 'Reset code has expired';
const RESET_LINK_USED = 'This link has been used already, or a newer mail has taken its place.';
const RESET_LINK_TOO_OLD = 'This link is too old. Please ask for a new code.';

/** The same answer for known and unknown addresses; mail goes to known ones only (OP-030). */
export async function forgot(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof forgotPassword>,
  request: FastifyRequest,
): Promise<Reply<typeof forgotPassword>> {
  await limitCall(ctx, request, 'code-mail', body.email);
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUserByEmail(tx, body.email);
    if (user) await issueCode(ctx, tx, user, 'reset');
  });
  return { success: true };
}

/**
 * Sets a new password and ends every session (OP-032). The code came by mail, so it proves the address, too: that is
 * how an owner takes over an account somebody else opened with it (OP-026).
 */
export async function reset(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof resetPassword>,
  request: FastifyRequest,
): Promise<Reply<typeof resetPassword>> {
  const taken = await limitCall(ctx, request, 'code', body.email);
  const password = await hashPassword(body.newPassword);
  const verdict = await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUserByEmail(tx, body.email);
    if (!user) return 'wrong';
    const verdict = await tryCode(ctx, tx, user, { purpose: 'reset', code: body.code });
    if (verdict !== 'right') return verdict;
    await updatePassword(tx, user.id, password, ctx.now());
    if (!user.isEmailVerified) {
      await markVerified(tx, user.id, ctx.now());
      await voidCodes(tx, user.email, 'verify');
      await mirrorCode(tx, user.id, 'verify', null);
      await closeOpenChange(tx, user.id, ctx.now());
    }
    await deleteSessionsOf(tx, user.id);
    await mailPasswordChanged(ctx, tx, user.email);
    return verdict;
  });
  // Thrown out here, so that a counted try is kept.
  if (verdict === 'wrong') throw invalid(INVALID_RESET_CODE);
  if (verdict === 'expired') throw invalid(EXPIRED_RESET_CODE);
  await taken.giveBack();
  return { success: true };
}

/**
 * What the link of the password mail stands for (ACCT-12). It uses nothing up, since mail scanners follow links: the
 * code is worth what it was, and its five tries go on counting. Only the mail holds the token, so the answer tells
 * nobody who has an account.
 */
export async function readResetLink(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof openResetLink>,
  request: FastifyRequest,
): Promise<Reply<typeof openResetLink>> {
  const taken = await limitCall(ctx, request, 'code');
  const found = await findCodeByLink(ctx.db, hashToken(body.token), 'reset');
  if (!found) throw invalid(RESET_LINK_USED);
  if (found.code === null || !isLive(found, ctx.now())) throw invalid(RESET_LINK_TOO_OLD);
  await taken.giveBack();
  return { email: found.email, code: found.code };
}
