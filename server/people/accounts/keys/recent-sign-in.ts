import type { FastifyRequest } from 'fastify';
import type { reauthenticate } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { invalid, unauthorized } from '#server/platform/http/errors.ts';
import { renewSession } from '#server/platform/http/sessions.ts';
import { logSecurity } from '../record/security-log.ts';
import { requirePassword, secondFactorOf, takeSecondFactor } from './second-factor.ts';
import { WRONG_SECOND_FACTOR } from '#domain/accounts/codes.ts';

/** Confirms the current session with the password, and with a code if the account has a second factor. [SEC-07] */
export async function confirmOwnSession(
  ctx: Context,
  who: Caller,
  { body }: Parsed<typeof reauthenticate>,
  request: FastifyRequest,
): Promise<Reply<typeof reauthenticate>> {
  const user = await requirePassword(ctx, who, body.password, request);
  const byCode = (await secondFactorOf(ctx.db, user.id)).isOn;
  if (byCode) {
    if (body.code === undefined) throw invalid('Enter a code of your authenticator app, too.', 'code');
    if (!(await takeSecondFactor(ctx, user.id, body.code, request)))
      throw invalid(WRONG_SECOND_FACTOR, 'code');
  }
  await noteConfirmed(ctx, request, user.id, { byCode });
  return { success: true };
}

/** Records the confirmation and gives the session a new id. Throws 401 if the session has ended meanwhile. [KEY-06] */
export async function noteConfirmed(
  ctx: Context,
  request: FastifyRequest,
  userId: number,
  { byPasskey = false, byCode = false } = {},
): Promise<void> {
  const now = ctx.realNow().getTime();
  const notes = { ...(byPasskey && { passkeyAt: now }), ...(byCode && { codeAt: now }) };
  if (!(await renewSession(ctx, request, notes))) throw unauthorized();
  await logSecurity(ctx, ctx.db, { userId, kind: 'reauthenticated', client: request });
}
