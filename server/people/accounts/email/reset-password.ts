import type { FastifyRequest } from 'fastify';
import { TOO_MANY_WRONG_CODES } from '#domain/accounts/codes.ts';
import type { forgotPassword, openResetLink, resetPassword } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, invalid } from '#server/platform/http/errors.ts';
import { mailAddressGoesBack, mailPasswordChanged } from '#server/notify/mails/account-mail.ts';
import { noteProven } from '#server/notify/bounces.ts';
import { restoreAddress } from './change-email.ts';
import { codeOfLink, hasMailedEnough, issueCode, tryCode, tryLink } from './codes.ts';
import { refuseCommonPassword, hashPassword } from '../keys/passwords.ts';
import { limitCall } from '../record/limits.ts';
import { endPasswordSignIns, type TakeBack } from '../keys/end-sign-ins.ts';
import { EMAIL_TAKEN } from './register.ts';
import { logFailure, logSecurity } from '../record/security-log.ts';
import { insertUser, lockUserByEmail, markVerified, updatePassword, type UserRow } from '../record/store.ts';
import { findCodeByLink, mirrorCode } from '../record/store-codes.ts';
import { findOpenChange } from '../record/store-email-changes.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

const INVALID_RESET_CODE = 'Invalid reset code';
const EXPIRED_RESET_CODE = 'Reset code has expired';
const RESET_LINK_USED =
  'This link has already been used or replaced by a newer one. Open the latest email, or request a new code.';
const FORMER_ADDRESS_TAKEN =
  'Another account entered this address and can’t get its former one back. Contact the marketplace operator.';
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
 * Sets a new password and ends every session. The code came by mail, so it also verifies the address. If that is the first
 * time, the caller begins anew: nothing of the time before opens what they own from now on. [OP-032] [OP-026] [WARD-01]
 */
export const resetWith =
  (takeBack: TakeBack) =>
  async (
    ctx: Context,
    _who: unknown,
    { body }: Parsed<typeof resetPassword>,
    request: FastifyRequest,
  ): Promise<Reply<typeof resetPassword>> => {
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
      const outcome = user.isEmailVerified
        ? await keepAccount(ctx, tx, user, password)
        : await beginAnew(ctx, tx, { user, password, takeBack });
      await noteProven(tx, user.email);
      await logSecurity(ctx, tx, { userId: outcome.id, kind: 'password-reset', client: request });
      await mailPasswordChanged(ctx, tx, { recipient: user.email, after: outcome.after });
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
  };

type Outcome = { id: number; after: 'reset' | 'first-reset' | 'new-account' };

async function keepAccount(ctx: Context, tx: Tx, { id }: UserRow, password: string): Promise<Outcome> {
  await updatePassword(tx, id, password, ctx.now());
  await endPasswordSignIns(tx, id);
  return { id, after: 'reset' };
}

/**
 * Nobody has verified this address before, so another person may have entered it. If they only signed up with it, the
 * caller gets the account, without any way in of that person. If they changed a verified address to it, the account is not
 * the caller's: it gets its verified address back, and the caller an account of their own.
 */
async function beginAnew(
  ctx: Context,
  tx: Tx,
  { user, password, takeBack }: { user: UserRow; password: string; takeBack: TakeBack },
): Promise<Outcome> {
  const change = await findOpenChange(tx, user.id);
  if (change) {
    const former = await restoreAddress(ctx, tx, user, change, FORMER_ADDRESS_TAKEN);
    await mailAddressGoesBack(ctx, tx, { recipient: former.email });
    const names = { firstName: null, lastName: null };
    const own = await insertUser(tx, { email: user.email, password, ...names }, ctx.now());
    if (!own) throw conflict(EMAIL_TAKEN);
    await markVerified(tx, own.id, ctx.now());
    return { id: own.id, after: 'new-account' };
  }
  await updatePassword(tx, user.id, password, ctx.now());
  await markVerified(tx, user.id, ctx.now());
  await mirrorCode(tx, user.id, 'verify', null);
  await takeBack(ctx, tx, user, null);
  return { id: user.id, after: 'first-reset' };
}

/**
 * Returns the address and the code behind the link in the password mail. Mail scanners follow links, so opening the
 * link neither uses the code nor counts as a try. Only the mail holds the token, so the answer does not reveal to
 * others who has an account.
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
