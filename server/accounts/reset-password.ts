import type { FastifyRequest } from 'fastify';
import { TOO_MANY_WRONG_CODES } from '#domain/accounts/codes.ts';
import type { forgotPassword, openResetLink, resetPassword } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { mailPasswordChanged } from '../notifications/account-mail.ts';
import { noteProven } from '../notifications/bounces.ts';
import { codeOfLink, hasMailedEnough, issueCode, tryCode, tryLink } from './codes.ts';
import { refuseCommonPassword } from './common-passwords.ts';
import { limitCall } from './limits.ts';
import { hashPassword } from './passwords.ts';
import { hashToken } from './rules.ts';
import { logFailure, logSecurity } from './security-log.ts';
import { lockUserByEmail, markVerified, updatePassword } from './store.ts';
import { findCodeByLink, mirrorCode, voidCodes } from './store-codes.ts';
import { closeOpenChange } from './store-email-changes.ts';
import { deleteDevicesOf } from './store-devices.ts';
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
    if (!user || (await hasMailedEnough(ctx, tx, user, 'reset'))) return;
    await issueCode(ctx, tx, user, 'reset');
  });
  return { success: true };
}

/**
 * Sets a new password and ends every session. The code came by mail, so it also verifies the address. In this way the
 * owner of an address takes over an account that another person opened with it. [OP-032] [OP-026]
 */
export async function reset(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof resetPassword>,
  request: FastifyRequest,
): Promise<Reply<typeof resetPassword>> {
  refuseCommonPassword(body.newPassword, 'newPassword');
  const byLink = body.token === undefined ? null : await findLink(ctx, request, body.token);
  const taken = byLink ? null : await limitCall(ctx, request, 'code', body.email);
  const password = await hashPassword(body.newPassword);
  let userId: number | null = null;
  const verdict = await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUserByEmail(tx, byLink?.email ?? body.email);
    if (!user) return 'wrong';
    userId = user.id;
    const verdict = byLink
      ? await tryLink(ctx, tx, user, { purpose: 'reset', token: byLink.token })
      : await tryCode(ctx, tx, user, { purpose: 'reset', code: body.code });
    if (verdict !== 'right') return verdict;
    await updatePassword(tx, user.id, password, ctx.now());
    if (!user.isEmailVerified) {
      await markVerified(tx, user.id, ctx.now());
      await voidCodes(tx, user.email, 'verify');
      await mirrorCode(tx, user.id, 'verify', null);
      await closeOpenChange(tx, user.id, ctx.realNow());
    }
    await noteProven(tx, user.email);
    await deleteSessionsOf(tx, user.id);
    await deleteDevicesOf(tx, user.id);
    await logSecurity(ctx, tx, { userId: user.id, kind: 'password-reset', client: request });
    await mailPasswordChanged(ctx, tx, { recipient: user.email, staysSignedIn: false });
    return verdict;
  });
  // An error inside the transaction would roll back the counted try.
  if (verdict !== 'right' && userId !== null)
    await logFailure(ctx, { userId, kind: 'code-failed', client: request });
  if (verdict === 'wrong') throw invalid(byLink ? RESET_LINK_USED : INVALID_RESET_CODE);
  if (verdict === 'expired') throw invalid(EXPIRED_RESET_CODE);
  if (verdict === 'locked') throw invalid(TOO_MANY_WRONG_CODES);
  await taken?.returnPoint();
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
  const { email, code: hash } = await findLink(ctx, request, body.token);
  return { email, code: codeOfLink(ctx, body.token, { email, purpose: 'reset', hash }) };
}

/** Throws 400 for a link that doesn't work. Only these are limited: the right one can't be guessed. [SEC-15] */
async function findLink(
  ctx: Context,
  request: FastifyRequest,
  token: string,
): Promise<{ email: string; code: string | null; token: string }> {
  const found = await findCodeByLink(ctx.db, hashToken(token), 'reset');
  if (!found) {
    await limitCall(ctx, request, 'code');
    throw invalid(RESET_LINK_USED);
  }
  if (found.linkExpiresAt <= ctx.realNow()) throw invalid(RESET_LINK_EXPIRED);
  return { email: found.email, code: found.code, token };
}
