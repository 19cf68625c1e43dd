/** A session that acts for an account of which its person is a member (docs/decisions/109-members.md). */
import type { FastifyRequest } from 'fastify';
import { MEMBER_ROLE_NAMES, memberMay, type MemberRight, type MemberRole } from '#domain/accounts/members.ts';
import { NOT_A_MEMBER } from '#domain/endpoint.ts';
import type { Caller } from '../../context.ts';
import { memberNeed, type MemberNeed } from './member-routes.ts';

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
  need: MemberNeed | null;
};

export function readActing(request: FastifyRequest, row: ActingRow): Acting | null {
  if (row.actingFor === null) return null;
  return {
    accountId: row.actingFor,
    memberRole: row.memberRole as MemberRole | null,
    role: row.accountRole,
    suspendedReason: row.accountSuspendedReason,
    need: memberNeed(request.method, request.routeOptions.url),
  };
}

const NEED_WORDS: Record<MemberRight, string> = {
  figures: 'read figures',
  ads: 'read ads and ad zones',
  change: 'change anything',
  money: 'see or change payments, documents, payouts and billing details',
  owner: 'manage the account',
};

/**
 * Returns the role with which the person may make the call, or why they may not: they are no member any more, their role
 * lacks the right that the route needs, no member may make the call at all, or the account is suspended.
 * [RES-72, RES-73, RES-74]
 */
export function judgeActing(
  { memberRole, suspendedReason, need }: Acting,
  isOpenToSuspended: boolean,
): { role: MemberRole } | { refusal: string; code?: string } {
  if (memberRole === null)
    return {
      refusal: 'You’re no longer a member of this account. Go back to your own account.',
      code: NOT_A_MEMBER,
    };
  if (need === null || need === 'self' || need === 'person')
    return { refusal: 'Only the person who signs in with this account can do this.' };
  if (!memberMay(memberRole, need))
    return {
      refusal: `Your role in this account, ${MEMBER_ROLE_NAMES[memberRole]}, doesn’t let you ${NEED_WORDS[need]}. Ask an owner of the account.`,
    };
  if (suspendedReason !== null && !isOpenToSuspended)
    return {
      refusal: `This account is suspended, so you can only read its documents and its balance. Reason: ${suspendedReason}`,
    };
  return { role: memberRole };
}
