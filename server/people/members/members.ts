/** The members of an account: inviting, changing and removing them. */
import type { FastifyRequest } from 'fastify';
import type {
  AccountMember,
  changeMember,
  inviteMember,
  listMembers,
  removeMember,
} from '#domain/accounts/members-contract.ts';
import { FOUNDER, INVITATION_DAYS, MAX_MEMBERS } from '#domain/accounts/members.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { newToken } from '../accounts/record/rules.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, forbidden, notFound, unauthorized } from '#server/platform/http/errors.ts';
import { logSecurity } from '#server/platform/http/security-log.ts';
import { mailMemberInvitation } from '#server/notify/mails/member-mail.ts';
import {
  deleteAllOf,
  deleteExpired,
  deleteMember,
  deleteMembersSince,
  findAccount,
  hasMember,
  lockAccounts,
  type MemberRow,
  selectMembers,
  updateRole,
  upsertInvitation,
} from './store.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

/** Far more than a team needs, and few enough that nobody sends mail in bulk. */
const INVITATIONS_A_DAY = { points: 100, seconds: 24 * 60 * 60 };

const UNKNOWN = 'This account has no such member any more. Reload the page to see its members.';
const IS_FOUNDER =
  'This account belongs to its founder, who always stays its owner. The founder can delete the account in Settings.';

/** Lists the founder, the members and the open invitations. */
export async function ownMembers(ctx: Context, who: Caller): Promise<Reply<typeof listMembers>> {
  const founder = await requireAccount(ctx.db, who);
  const rows = await selectMembers(ctx.db, who.id, ctx.realNow());
  const isYou = who.member === undefined;
  return [
    {
      id: FOUNDER,
      email: founder.email,
      name: founder.person,
      role: 'owner',
      isYou,
      invitedUntil: null,
    },
    ...rows.map((row) => memberReply(row, who)),
  ];
}

/**
 * Mails a link by which the owner of the address becomes a member. The link is worth nothing without a session of that
 * address. A new invitation replaces the open one.
 */
export async function invite(
  ctx: Context,
  who: Caller,
  { body: { email, role } }: Parsed<typeof inviteMember>,
  request: FastifyRequest,
): Promise<AccountMember> {
  await ctx.limits('invite-member', INVITATIONS_A_DAY)(String(personOf(who)));
  const now = ctx.realNow();
  return await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, who);
    // The mail names this address as the sender of the invitation.
    if (!account.isEmailVerified) throw forbidden('Verify the email address of the account first.');
    const rows = await selectMembers(tx, who.id, now);
    if (email === account.email) throw conflict('This is the address of the account itself.');
    const known = rows.find((row) => row.email === email);
    if (known?.userId === personOf(who)) throw conflict('This is your own address. You’re a member already.');
    if (known && known.userId !== null)
      throw conflict(`${email} is a member already. Change the role in the list of members.`);
    if (!known && rows.length >= MAX_MEMBERS)
      throw conflict(
        `An account has at most ${MAX_MEMBERS} members and open invitations. Remove one that nobody needs.`,
      );
    const token = newToken();
    const id = await upsertInvitation(tx, {
      accountId: who.id,
      email,
      role,
      tokenHash: hashToken(token),
      expiresAt: later(now, INVITATION_DAYS * DAY_MS),
      invitedBy: personOf(who),
      invitedAt: now,
    });
    await mailMemberInvitation(ctx, tx, { recipient: email, account, role, token });
    await logSecurity(ctx, tx, { userId: who.id, kind: 'member-invited', client: request });
    return await memberOf(ctx, tx, who, id);
  });
}

/** Changes the role of a member or of an open invitation, with the next call of the member. */
export async function change(
  ctx: Context,
  who: Caller,
  { params: { id }, body: { role } }: Parsed<typeof changeMember>,
  request: FastifyRequest,
): Promise<AccountMember> {
  if (id === FOUNDER) throw forbidden(IS_FOUNDER);
  return await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, who);
    if (!(await updateRole(tx, { accountId: who.id, id, role, at: ctx.realNow() }))) throw notFound(UNKNOWN);
    await logSecurity(ctx, tx, { userId: who.id, kind: 'member-role-changed', client: request });
    return await memberOf(ctx, tx, who, id);
  });
}

/** Removes a member, whose next call for the account is refused, or withdraws an open invitation. */
export async function remove(
  ctx: Context,
  who: Caller,
  { params: { id } }: Parsed<typeof removeMember>,
  request: FastifyRequest,
): Promise<Reply<typeof removeMember>> {
  if (id === FOUNDER) throw forbidden(IS_FOUNDER);
  await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, who);
    if (!(await deleteMember(tx, who.id, id))) throw notFound(UNKNOWN);
    await logSecurity(ctx, tx, { userId: who.id, kind: 'member-removed', client: request });
  });
  return { success: true };
}

/** Ends memberships and invitations of an account: all, or those that were made or changed since then. [WARD-02] */
export async function endMembers(tx: Tx, accountId: number, since: Date | null): Promise<void> {
  await deleteMembersSince(tx, accountId, since);
}

export async function isMemberOf(tx: Tx, accountId: number, personId: number): Promise<boolean> {
  return await hasMember(tx, accountId, personId);
}

/** Before an account is deleted. */
export async function forgetMembers(tx: Tx, { id, email }: { id: number; email: string }): Promise<void> {
  await deleteAllOf(tx, id, email);
}

/** Part of the job 'remove-expired': nothing of an invitation is kept after its end. [RES-77] */
export async function removeExpiredInvitations(ctx: Context): Promise<void> {
  await deleteExpired(ctx.db, ctx.realNow());
}

async function lockAccount(tx: Tx, who: Caller) {
  await lockAccounts(tx, [who.id]);
  return await requireAccount(tx, who);
}

/** Throws 401 if the account was deleted since the session was checked. */
async function requireAccount(tx: Tx, who: Caller) {
  const account = await findAccount(tx, who.id);
  if (!account) throw unauthorized();
  return account;
}

async function memberOf(ctx: Context, tx: Tx, who: Caller, id: number): Promise<AccountMember> {
  const row = (await selectMembers(tx, who.id, ctx.realNow())).find((each) => each.id === id);
  if (!row) throw notFound(UNKNOWN);
  return memberReply(row, who);
}

function memberReply(row: MemberRow, who: Caller): AccountMember {
  return {
    id: row.id,
    email: row.email,
    name: row.userId === null ? null : row.name,
    role: row.role,
    isYou: row.userId !== null && row.userId === who.member?.id,
    invitedUntil: row.expiresAt?.toISOString() ?? null,
  };
}
