import type { FastifyReply, FastifyRequest } from 'fastify';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { SECOND_FACTOR } from '#domain/operator/limits.ts';
import { holds, ROLE_WORDS } from '#domain/operator/rights.ts';
import { requireSecondFactor } from '#server/people/accounts/keys/second-factor.ts';
import type { Context } from '#server/platform/context.ts';
import { forbidden, HttpError, notFound, unauthorized } from '#server/platform/http/errors.ts';
import { renewSession, sessionOf, signedInUser } from '#server/platform/http/sessions.ts';
import type { AdmitOperator, OperatorCaller } from '#server/platform/http/who-may-call.ts';
import { operatorRole } from './store.ts';
import { MINUTE_MS } from '#domain/time.ts';

/** How long a code of the second factor, or a passkey, allows dangerous acts. */
const CONFIRMED_MS = 15 * MINUTE_MS;

/**
 * Admits an operator to a call of the console. Throws 401 without a session, 404 for a user who is no operator, as if the
 * console did not exist, and 403 without the right, or until a code or a passkey was given: once for the session, and within
 * 15 minutes for a dangerous act. The session counts, not the account: one that a password alone opened stays outside when the
 * account gets a second factor. [OPER-03]
 */
export const admitOperator: AdmitOperator = async (
  ctx,
  request,
  { right = null, confirmed = false, whileUnproven = false },
) => {
  const operator = await findOperator(ctx, request);
  if (operator === null) throw unauthorized();
  if (!whileUnproven && !isProven(request))
    throw new HttpError(403, 'Confirm that it’s you, with a code or a passkey.', {
      details: { code: SECOND_FACTOR },
    });
  if (right !== null && !holds(operator.role, right))
    throw forbidden(`Your role doesn’t allow this. ${ROLE_WORDS[operator.role]}.`);
  if (confirmed && !isConfirmed(ctx, request))
    throw new HttpError(403, 'Confirm that it’s you to continue.', { details: { code: REAUTHENTICATE } });
  return operator;
};

/** Null without a session. Throws 404 for a user who is no operator. */
export async function findOperator(ctx: Context, request: FastifyRequest): Promise<OperatorCaller | null> {
  const who = await signedInUser(ctx, request);
  if (!who) return null;
  const role = await operatorRole(ctx.db, who.id);
  if (role === null) throw notFound();
  return { id: who.id, role };
}

/** Whether a code or a passkey has opened this session, or confirmed it once. */
export function isProven(request: FastifyRequest): boolean {
  const { passkeyAt, codeAt } = sessionOf(request);
  return passkeyAt !== undefined || codeAt !== undefined;
}

/** Whether this session may do dangerous acts now: after a code, or a passkey, of the last 15 minutes. [KEY-05] */
function isConfirmed(ctx: Context, request: FastifyRequest): boolean {
  const { operatorConfirmedAt = 0, passkeyAt = 0 } = sessionOf(request);
  const age = ctx.realNow().getTime() - Math.max(operatorConfirmedAt, passkeyAt);
  return age >= 0 && age < CONFIRMED_MS;
}

/**
 * Records that the operator has confirmed this session, and gives it a new id. Throws if the code of the second factor
 * is wrong, used or expired.
 */
export async function confirm(
  ctx: Context,
  request: FastifyRequest,
  operator: OperatorCaller,
  code: string,
): Promise<void> {
  await requireSecondFactor(ctx, operator.id, code);
  const now = ctx.realNow().getTime();
  if (!(await renewSession(ctx, request, { codeAt: now, operatorConfirmedAt: now }))) throw unauthorized();
}

/** Redirects to the product's own sign-in, which leads back to `request`. */
export function toSignIn(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .redirect(`/auth?return=${encodeURIComponent(request.url)}`, 303);
}
