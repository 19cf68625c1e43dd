import type { listOwnActs, OwnAct } from '#domain/operator/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Page } from '#server/platform/http/route.ts';

/**
 * What the operator's console keeps about an account. The operator's rooms stand above this one, so the list of all rooms hands
 * it in.
 */
export type OperatorData = {
  /** The acts of operators that concern the caller. */
  ownActs: (ctx: Context, who: Caller, input: Parsed<typeof listOwnActs>) => Promise<Page<OwnAct>>;
  /** The invitations of an address to become an operator. */
  invitationsTo: (ctx: Context, email: string) => Promise<unknown[]>;
  forgetInvitations: (tx: Tx, email: string) => Promise<void>;
};
