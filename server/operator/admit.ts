import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorRole } from '#domain/operator/rights.ts';
import { requireSecondFactor } from '#server/people/accounts/keys/second-factor.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound, unauthorized } from '#server/platform/http/errors.ts';
import { renewSession, sessionOf, signedInUser } from '#server/platform/http/sessions.ts';
import type { Operator } from './act.ts';
import { operatorRole } from './store.ts';
import { MINUTE_MS } from '#domain/time.ts';

declare module 'fastify' {
  interface Session {
    /** When this session's operator last gave a code of the second factor, in milliseconds. */
    operatorConfirmedAt?: number;
  }
}

/** How long a code of the second factor, or a passkey, allows dangerous acts. */
const CONFIRMED_MS = 15 * MINUTE_MS;

export type SignedInOperator = Operator & { id: number; role: OperatorRole };

/** A request of an operator who was admitted to the console. */
export type Visit = {
  operator: SignedInOperator;
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, string>;
  /** The file of a form that sends one. */
  file?: Buffer;
  /** Whether dangerous acts are allowed now. */
  confirmed: boolean;
  request: FastifyRequest;
};

/**
 * A visitor without a session signs in first. `unconfirmed`: neither a code nor a passkey opened or confirmed the session,
 * so the operator gives one, or sets one up first.
 */
export type Admission =
  | { kind: 'operator' | 'unconfirmed'; operator: SignedInOperator }
  | { kind: 'visitor' };

/**
 * The session counts, not the account: a session that a password alone opened stays outside when the account gets a second
 * factor. Throws 404 for a user who is no operator, as if the console did not exist. [OPER-03]
 */
export async function admit(ctx: Context, request: FastifyRequest): Promise<Admission> {
  const who = await signedInUser(ctx, request);
  if (!who) {
    if (request.method === 'GET' || request.method === 'HEAD') return { kind: 'visitor' };
    throw notFound();
  }
  const role = await operatorRole(ctx.db, who.id);
  if (role === null) throw notFound();
  const { passkeyAt, codeAt } = sessionOf(request);
  const isConfirmedOnce = passkeyAt !== undefined || codeAt !== undefined;
  return { kind: isConfirmedOnce ? 'operator' : 'unconfirmed', operator: { id: who.id, role } };
}

/** Whether this session may do dangerous acts now: after a code, or a passkey, of the last 15 minutes. [KEY-05] */
export function isConfirmed(ctx: Context, request: FastifyRequest): boolean {
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
  operator: SignedInOperator,
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
