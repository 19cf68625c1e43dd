import type { FastifyRequest } from 'fastify';
import { EXPIRED_CODE, INVALID_CODE } from '#domain/accounts/codes.ts';
import type { resendCode, verifyEmail, verifyEmailByLink } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { invalid } from '../http/errors.ts';
import { startSession } from '../http/sessions.ts';
import { findLinkAddress, issueCode, tryCode, tryLink } from './codes.ts';
import { limitCall } from './limits.ts';
import type { Verdict } from './rules.ts';
import { secondFactorOf } from './second-factor.ts';
import { showUser } from './show-user.ts';
import { lockUserByEmail, markVerified, type UserRow } from './store.ts';
import { voidCodes } from './store-codes.ts';
import { closeOpenChange } from './store-email-changes.ts';

/** Verifies the address and opens a session. [OP-029] */
export async function verifyByCode(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof verifyEmail>,
  request: FastifyRequest,
): Promise<Reply<typeof verifyEmail>> {
  return await verify(ctx, request, body.email, async (tx, user) => {
    return await tryCode(ctx, tx, user, { purpose: 'verify', code: body.code });
  });
}

export async function verifyByLink(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof verifyEmailByLink>,
  request: FastifyRequest,
): Promise<Reply<typeof verifyEmailByLink>> {
  const email = await findLinkAddress(ctx.db, body.token, 'verify');
  return await verify(ctx, request, email, async (tx, user) => await tryLink(ctx, tx, user, body.token));
}

async function verify(
  ctx: Context,
  request: FastifyRequest,
  email: string | null,
  attempt: (tx: Tx, user: UserRow) => Promise<Verdict>,
): Promise<Reply<typeof verifyEmail>> {
  const taken = await limitCall(ctx, request, 'code', email ?? undefined);
  const outcome = await ctx.db.transaction().execute(async (tx) => {
    const user = email === null ? undefined : await lockUserByEmail(tx, email);
    if (!user) return 'wrong';
    const verdict = await attempt(tx, user);
    if (verdict !== 'right') return verdict;
    await voidCodes(tx, user.email, 'verify');
    await closeOpenChange(tx, user.id, ctx.now());
    return await markVerified(tx, user.id, ctx.now());
  });
  // An error inside the transaction would roll back the counted try.
  if (outcome === 'wrong') throw invalid(INVALID_CODE);
  if (outcome === 'expired') throw invalid(EXPIRED_CODE);
  await taken.giveBack();
  // A code from the mailbox is one factor. It must not replace the second one. [SEC-02]
  const { isOn } = await secondFactorOf(ctx.db, outcome.id);
  if (isOn && request.session.userId !== outcome.id) return { requiresSecondFactor: true };
  if (!isOn) await startSession(ctx, request, outcome.id);
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
    if (user && !user.isEmailVerified) await issueCode(ctx, tx, user, 'verify');
  });
  return { success: true };
}
