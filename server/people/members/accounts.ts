/** The accounts that a person can act for: joining one, switching between them, leaving one. */
import type { FastifyRequest } from 'fastify';
import type {
  Account,
  joinAccount,
  leaveAccount,
  listAccounts,
  readInvitation,
  switchAccount,
} from '#domain/accounts/members-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, forbidden, notFound, unauthorized } from '#server/platform/http/errors.ts';
import { logSecurity } from '#server/platform/http/security-log.ts';
import { sessionOf } from '#server/platform/http/sessions.ts';
import { mailMemberJoined } from '#server/notify/mails/member-mail.ts';
import { mailHeld } from '#server/notify/mails/operator-mail.ts';
import { holdIfPaidTogether } from '#server/money/payees/same-person.ts';
import {
  acceptInvitation,
  actFor,
  actForOneself,
  deleteMembership,
  findAccount,
  findInvitation,
  lockAccounts,
  readActingFor,
  selectAccountsOf,
  selectInvitationsTo,
} from './store.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

/** Far more tries than a person needs. */
const TRIES_AN_HOUR = { points: 60, seconds: 3600 };

const GONE = 'This invitation no longer works. Ask the person who invited you for a new one.';
const NOT_YOURS = 'You’re not a member of this account. Ask one of its owners for an invitation.';

/** Lists the person's own account and those of which they are a member. [RES-73] */
export async function ownAccounts(
  ctx: Context,
  who: Caller,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof listAccounts>> {
  return await accountsOf(ctx.db, who.id, sessionOf(request).id);
}

async function accountsOf(tx: Tx, personId: number, sid: string): Promise<Account[]> {
  const own = await findAccount(tx, personId);
  if (!own) throw unauthorized();
  const current = (await readActingFor(tx, sid)) ?? null;
  const others = await selectAccountsOf(tx, personId);
  return [
    { id: null, name: own.name, role: 'owner', isCurrent: current === null },
    ...others.map(({ id, name, role }) => ({ id, name, role, isCurrent: id === current })),
  ];
}

/** The account and the role of an invitation, so that nobody joins unseen. Throws what `join` throws. [RES-77] */
export async function showInvitation(
  ctx: Context,
  who: Caller,
  { body: { token } }: Parsed<typeof readInvitation>,
): Promise<Reply<typeof readInvitation>> {
  await ctx.limits('join-account', TRIES_AN_HOUR)(String(who.id));
  const invitation = await findInvitation(ctx.db, hashToken(token), ctx.realNow());
  if (!invitation) throw notFound(GONE);
  const { account } = await requireInvited(ctx.db, who, invitation);
  return { name: account.name, role: invitation.role };
}

type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

/** The inviting account and the invited person. Throws unless this is the invited person, who is no member yet. */
async function requireInvited(tx: Tx, who: Caller, { accountId, email }: Invitation) {
  const [account, person] = [await findAccount(tx, accountId), await findAccount(tx, who.id)];
  if (!person) throw unauthorized();
  if (!account) throw notFound(GONE);
  if (email !== person.email) throw forbidden(`This invitation is for ${email}. Sign in with that address.`);
  if (!person.isEmailVerified) throw forbidden('Verify your email address first, then open the link again.');
  if ((await selectAccountsOf(tx, who.id)).some(({ id }) => id === accountId))
    throw conflict('You’re a member of this account already.');
  return { account, person };
}

/**
 * Makes the signed-in person a member of the account that invited their address. Throws 404 for an invitation that no
 * longer works, and 403 for another address than the invited one, or one that is not verified: an address can be entered
 * by anybody until its owner confirms it. [RES-77]
 */
export async function join(
  ctx: Context,
  who: Caller,
  { body: { token } }: Parsed<typeof joinAccount>,
  request: FastifyRequest,
): Promise<Reply<typeof joinAccount>> {
  await ctx.limits('join-account', TRIES_AN_HOUR)(String(who.id));
  const tokenHash = hashToken(token);
  const now = ctx.realNow();
  return await ctx.db.transaction().execute(async (tx) => {
    const invitation = await findInvitation(tx, tokenHash, now);
    if (!invitation) throw notFound(GONE);
    const { accountId } = invitation;
    await lockAccounts(tx, [accountId, who.id]);
    const { account, person } = await requireInvited(tx, who, invitation);
    const role = await acceptInvitation(tx, { tokenHash, userId: who.id, at: now });
    if (role === null) throw notFound(GONE);
    // The two belong together from now on, so that sales between them are on hold until the operator has looked.
    await mailHeld(ctx, tx, await holdIfPaidTogether(tx, who.id, ctx.now()), 'same_person');
    const client = { ip: request.ip, headers: request.headers, memberId: who.id };
    await logSecurity(ctx, tx, { userId: accountId, kind: 'member-joined', client });
    await mailMemberJoined(ctx, tx, {
      recipient: account.email,
      person: { name: person.person, email: person.email },
      role,
    });
    return { account: accountId, name: account.name, role };
  });
}

/** Lets the session act for an account, or for its own person again. Throws 403 for an account of others. [RES-73] */
export async function switchTo(
  ctx: Context,
  who: Caller,
  { body: { account } }: Parsed<typeof switchAccount>,
  request: FastifyRequest,
): Promise<Account> {
  const { id: sid } = sessionOf(request);
  if (account === null || account === who.id) await actForOneself(ctx.db, sid);
  else if (!(await actFor(ctx.db, { sid, accountId: account, userId: who.id }))) throw forbidden(NOT_YOURS);
  const current = (await accountsOf(ctx.db, who.id, sid)).find(({ isCurrent }) => isCurrent);
  // Removed in this very moment.
  if (!current) throw forbidden(NOT_YOURS);
  return current;
}

/** Ends the person's own membership. A session that acts for the account acts for the person again. [RES-73] */
export async function leave(
  ctx: Context,
  who: Caller,
  { params: { id } }: Parsed<typeof leaveAccount>,
  request: FastifyRequest,
): Promise<Reply<typeof leaveAccount>> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockAccounts(tx, [id]);
    if (!(await deleteMembership(tx, id, who.id))) throw notFound(NOT_YOURS);
    await actForOneself(tx, sessionOf(request).id, id);
    const client = { ip: request.ip, headers: request.headers, memberId: who.id };
    await logSecurity(ctx, tx, { userId: id, kind: 'member-left', client });
  });
  return { success: true };
}

/** The person's memberships and the invitations to their address, for the export of their data. */
export async function membershipsOf(
  ctx: Context,
  { id, email }: { id: number; email: string },
): Promise<{ accounts: unknown[]; invitations: unknown[] }> {
  const accounts = await selectAccountsOf(ctx.db, id);
  const invitations = await selectInvitationsTo(ctx.db, email);
  return {
    accounts: accounts.map(({ name, role, joinedAt }) => ({ name, role, joinedAt: joinedAt.toISOString() })),
    invitations: invitations.map(({ role, invitedAt, expiresAt }) => ({
      role,
      invitedAt: invitedAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
  };
}
