import type { FastifyRequest } from 'fastify';
import type { OperatorRole, Right } from '#domain/operator/rights.ts';
import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import type { Caller, Context } from '../context.ts';
import type { Needed } from './acting/acting.ts';
import type { InView } from './acting/view.ts';
import { forbidden } from './errors.ts';
import { requireRecentSignIn } from './recent-sign-in.ts';
import { requireUser } from './sessions.ts';

/**
 * The callers that a route admits. Users choose their role themselves, so it only separates the two sides of the
 * product. The use case decides by ownership what a caller may read or change.
 */
export type Access = 'anyone' | 'user' | 'buyer' | 'seller';

type ForAnyone = {
  access: 'anyone';
  /** Every caller receives the same answer, on pages of other sites, too. */
  public?: true;
  right?: never;
  whileSuspended?: never;
  confirmed?: never;
};

type ForUsers = Needed & {
  access: Exclude<Access, 'anyone'>;
  /** The session must have been confirmed within 15 minutes. This is checked before the input is read. */
  confirmed?: true;
  public?: never;
};

/** Operators, in a session that a code or a passkey opened. To everybody else the console does not exist. */
export type ForOperators = {
  access: 'operator';
  /** What the operator's role must allow. Null for what every operator may do, which is reading. */
  right?: Right | null;
  /** The operator must have given a code or a passkey within 15 minutes. */
  confirmed?: true;
  /** The session may have been opened with a password alone: the call is what asks for the code. */
  whileUnproven?: true;
  whileSuspended?: never;
  public?: never;
};

/** An operator who makes a call of the console. */
export type OperatorCaller = { id: number; role: OperatorRole };

/** Returns the operator, or throws. server/operator/admit.ts has it, because it knows the operators. */
export type AdmitOperator = (
  ctx: Context,
  request: FastifyRequest,
  needs: Pick<ForOperators, 'right' | 'confirmed' | 'whileUnproven'>,
) => Promise<OperatorCaller>;

/** The callers of a route, who are declared in its own `routes.ts`. `npm run -s lab rights` prints all of them. */
export type WhoMayCall = (ForAnyone | ForUsers | ForOperators) & InView;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For routes with an endpoint object. All others declare it in `call`. */
    who?: WhoMayCall;
  }
}

/**
 * Returns the account for which the signed-in user makes the call. Throws 401 or 403 if the route does not admit them, by what
 * it declares, and an error if the route does not declare that it requires a user. [RES-73]
 */
export async function admitUser(ctx: Context, request: FastifyRequest): Promise<Caller> {
  const { config, url } = request.routeOptions;
  const declared = config.who ?? config.call;
  if (declared === undefined || declared.access === 'anyone' || declared.access === 'operator')
    throw new Error(`The route ${url} does not declare which user may call it`);
  const who = await requireUser(ctx, request, declared);
  if (declared.access === 'buyer' && !hasBuyerAccess(who.role))
    throw forbidden('You need the Ad Buyer role to do this. You can change your role in Settings.');
  if (declared.access === 'seller' && !hasSellerAccess(who.role))
    throw forbidden('You need the Ad Seller role to do this. You can change your role in Settings.');
  if (declared.confirmed) await requireRecentSignIn(ctx, request);
  return who;
}
