import type { FastifyRequest } from 'fastify';
import { EXPIRED_CODE, INVALID_CODE, TOO_MANY_WRONG_CODES } from '#domain/accounts/codes.ts';
import type { resendCode, verifyEmail, verifyEmailByLink } from '#domain/accounts/contract.ts';
import { PASSWORD_NEEDED } from '#domain/accounts/password-needed.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { HttpError, invalid } from '#server/platform/http/errors.ts';
import { startSession } from '#server/platform/http/sessions.ts';
import { noteProven } from '#server/notify/bounces.ts';
import { findLinkAddress, hasMailedEnough, issueCode, tryCode, tryLink } from './codes.ts';
import { isKnownFor, rememberDevice } from '../record/known-devices.ts';
import { limitCall } from '../record/limits.ts';
import { verifyPassword } from '../keys/passwords.ts';
import type { Verdict } from '../record/rules.ts';
import { secondFactorOf } from '../keys/second-factor.ts';
import { logFailure, logSecurity } from '../record/security-log.ts';
import { showUser } from '../record/show-user.ts';
import { findUserByEmail, lockUserByEmail, markVerified, type UserRow } from '../record/store.ts';
import { voidCodes } from '../record/store-codes.ts';
import { closeOpenChange } from '../record/store-email-changes.ts';

const OTHER_BROWSER =
  'Enter the password of this account to verify the address. If you did not sign up yourself, choose a new password instead.';
const WRONG_PASSWORD =
  'This password is wrong. If you did not sign up yourself, choose a new password instead.';

/** Verifies the address and opens a session. [OP-029] */
export async function verifyByCode(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof verifyEmail>,
  request: FastifyRequest,
): Promise<Reply<typeof verifyEmail>> {
  const taken = await limitCall(ctx, request, 'code', body.email);
  const reply = await verify(ctx, request, body.email, async (tx, user) => {
    return await tryCode(ctx, tx, user, { purpose: 'verify', code: body.code });
  });
  await taken.returnPoint();
  return reply;
}

export async function verifyByLink(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof verifyEmailByLink>,
  request: FastifyRequest,
): Promise<Reply<typeof verifyEmailByLink>> {
  const email = await findLinkAddress(ctx.db, body.token, 'verify');
  // Only wrong links are limited. The right one can't be guessed and must never be refused. [SEC-15]
  if (email === null) {
    await limitCall(ctx, request, 'code');
    throw invalid(INVALID_CODE);
  }
  await requireOwnAccount(ctx, request, email, body.password);
  return await verify(ctx, request, email, async (tx, user) => {
    return await tryLink(ctx, tx, user, { purpose: 'verify', token: body.token });
  });
}

/**
 * A stranger can sign up with another person's address. If that person opened the link in the mail, they would activate
 * an account with the stranger's password. So the link needs the password, or a browser that is known for the account,
 * such as the one that signed up. A person who has neither sets a new password, which replaces the stranger's. [SEC-14]
 */
async function requireOwnAccount(
  ctx: Context,
  request: FastifyRequest,
  email: string,
  password: string | undefined,
): Promise<void> {
  const user = await findUserByEmail(ctx.db, email);
  if (!user || request.session?.userId === user.id || (await isKnownFor(ctx, request, email))) return;
  if (password === undefined) {
    throw new HttpError(403, OTHER_BROWSER, { details: { code: PASSWORD_NEEDED } });
  }
  const taken = await limitCall(ctx, request, 'login', email);
  if (!(await verifyPassword(user.password, password))) throw invalid(WRONG_PASSWORD, 'password');
  await taken.returnPoint();
}

async function verify(
  ctx: Context,
  request: FastifyRequest,
  email: string,
  attempt: (tx: Tx, user: UserRow) => Promise<Verdict>,
): Promise<Reply<typeof verifyEmail>> {
  let failed: number | null = null;
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUserByEmail(tx, email);
    if (!user) return 'wrong';
    const verdict = await attempt(tx, user);
    if (verdict !== 'right') {
      failed = user.id;
      return verdict;
    }
    await voidCodes(tx, user.email, 'verify');
    await closeOpenChange(tx, user.id, ctx.realNow());
    await noteProven(tx, user.email);
    await logSecurity(ctx, tx, { userId: user.id, kind: 'email-verified', client: request });
    return await markVerified(tx, user.id, ctx.now());
  });
  // An error inside the transaction would roll back the counted try.
  if (failed !== null) await logFailure(ctx, { userId: failed, kind: 'code-failed', client: request });
  if (outcome === 'wrong') throw invalid(INVALID_CODE);
  if (outcome === 'expired') throw invalid(EXPIRED_CODE);
  if (outcome === 'locked') throw invalid(TOO_MANY_WRONG_CODES);
  // A code from the mailbox is one factor. It must not replace the second one. [SEC-02]
  const { isOn } = await secondFactorOf(ctx.db, outcome.id);
  if (isOn && request.session?.userId !== outcome.id) return { requiresSecondFactor: true };
  if (!isOn) await startSession(ctx, request, outcome.id);
  await rememberDevice(ctx, request, outcome.id);
  return { user: await showUser(ctx.db, outcome) };
}

/** Mails a new code to an unverified address. Every other address gets the same answer and no mail. [OP-030] */
export async function resend(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof resendCode>,
  request: FastifyRequest,
): Promise<Reply<typeof resendCode>> {
  await limitCall(ctx, request, 'code-mail', body.email);
  await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUserByEmail(tx, body.email);
    if (!user || user.isEmailVerified || (await hasMailedEnough(ctx, tx, user, 'verify'))) return;
    await issueCode(ctx, tx, user, 'verify');
  });
  return { success: true };
}
