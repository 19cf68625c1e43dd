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
const RESET_LINK_USED =
  'This link has already been used or replaced by a newer one. Open the latest email, or request a new code.';
const RESET_LINK_EXPIRED = 'This link has expired. Please request a new code.';

/** Answers known and unknown addresses alike, and mails only known ones. [OP-030] */
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
 * Sets a new password and ends every session. The code came by mail, so it also verifies the address. In this way the
 * owner of an address takes over an account that someone else opened with it. [OP-032] [OP-026]
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
    await mailPasswordChanged(ctx, tx, { recipient: user.email, staysSignedIn: false });
    return verdict;
  });
  // An error inside the transaction would roll back the counted try.
  if (verdict === 'wrong') throw invalid(INVALID_RESET_CODE);
  if (verdict === 'expired') throw invalid(EXPIRED_RESET_CODE);
  await taken.giveBack();
  return { success: true };
}

/**
 * Returns the address and the code behind the link in the password mail. Mail scanners follow links, so opening the
 * link neither uses the code nor counts as a try. Only the mail holds the token, so the answer does not reveal to
 * others who has an account. [ACCT-12]
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
  if (found.code === null || !isLive(found, ctx.now())) throw invalid(RESET_LINK_EXPIRED);
  await taken.giveBack();
  return { email: found.email, code: found.code };
}
