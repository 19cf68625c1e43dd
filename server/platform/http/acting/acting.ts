/** A session that acts for an account of which its person is a member (docs/decisions/109-members.md). */
import { MEMBER_ROLE_NAMES, memberMay, type MemberRight, type MemberRole } from '#domain/accounts/members.ts';
import { NOT_A_MEMBER } from '#domain/endpoint.ts';
import type { Caller } from '../../context.ts';

/**
 * The need of a call while the session acts for another account: the right that the member has to have there, or one of two
 * words for calls that are no member's.
 *
 * - figures: figures, what everybody sees on the marketplace, and what one ad or plan costs. Those who pay read it, too.
 * - ads: to read ads, websites and ad zones of the account.
 * - change: creating, correcting, canceling, approving and pricing.
 * - money: paying and being paid, documents and billing details.
 * - owner: the account itself, with its members, its role, its sign-in and its deletion. Each change of the password and of the
 *   second factor also asks for the account's own password.
 * - person: the call is about the signed-in person and their accounts all the same.
 * - self: no member may make the call, whatever their role, because it makes a new way to sign in as the founder. An owner could
 *   act with it for every account of the founder.
 */
export type MemberNeed = MemberRight | 'person' | 'self';

export type Needed = {
  right: MemberNeed;
  /** A suspended account may make the call, too: it reads what concerns its money. */
  whileSuspended?: true;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The person, once the call is known to act for another account. The security log names them. */
    memberId: number | null;
  }
}

/** What a query of the session reads of the account for which it acts. */
export type ActingRow = {
  /** Null if the person acts for themselves. The others are then null, too. */
  actingFor: number | null;
  /** Null as well if the person is no member any more. */
  memberRole: string | null;
  accountRole: Caller['role'];
  accountSuspendedReason: string | null;
};

export type Acting = {
  accountId: number;
  /** Null if the person was removed, or the account was deleted. */
  memberRole: MemberRole | null;
  role: Caller['role'];
  suspendedReason: string | null;
};

export function readActing(row: ActingRow): Acting | null {
  if (row.actingFor === null) return null;
  return {
    accountId: row.actingFor,
    memberRole: row.memberRole as MemberRole | null,
    role: row.accountRole,
    suspendedReason: row.accountSuspendedReason,
  };
}

const RIGHT_WORDS: Record<MemberRight, string> = {
  figures: 'read figures',
  ads: 'read ads and ad zones',
  change: 'change anything',
  money: 'see or change payments, documents, payouts and billing details',
  owner: 'manage the account',
};

/**
 * Returns the role with which the person may make the call, or why they may not: they are no member any more, their role
 * lacks the right that the route needs, no member may make the call at all, or the account is suspended.
 * [RES-73, RES-74]
 */
export function judgeActing(
  { memberRole, suspendedReason }: Acting,
  { right, whileSuspended }: Needed,
): { role: MemberRole } | { refusal: string; code?: string } {
  if (memberRole === null)
    return {
      refusal: 'You’re no longer a member of this account. Go back to your own account.',
      code: NOT_A_MEMBER,
    };
  if (right === 'self' || right === 'person')
    return { refusal: 'Only the person who signs in with this account can do this.' };
  if (!memberMay(memberRole, right))
    return {
      refusal: `Your role in this account, ${MEMBER_ROLE_NAMES[memberRole]}, doesn’t let you ${RIGHT_WORDS[right]}. Ask an owner of the account.`,
    };
  if (suspendedReason !== null && !whileSuspended)
    return {
      refusal: `This account is suspended, so you can only read its documents and its balance. Reason: ${suspendedReason}`,
    };
  return { role: memberRole };
}
