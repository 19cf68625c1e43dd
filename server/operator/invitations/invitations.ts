/** An owner invites somebody by mail to become an operator, and the terminal of the server the first one by a link. */
import { randomBytes } from 'node:crypto';
import { ROLE_WORDS, type OperatorRole } from '#domain/operator/rights.ts';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, forbidden, notFound } from '#server/platform/http/errors.ts';
import { postMessage } from '#server/notify/post-message.ts';
import { type Operator, perform, record } from '../act.ts';
import { addOrAsk } from '../requests/requests.ts';
import type { WithRole } from '../rights.ts';
import { findAccount, listOperators, lockOperators, operatorRole } from '../store.ts';
import {
  deleteInvitationsTo,
  deleteOldInvitations,
  endInvitation,
  endInvitationOf,
  findInvitation,
  insertInvitation,
  type Invitation,
  listInvitations,
  listInvitationsTo,
} from './store.ts';
import { hashToken } from '#server/platform/net/secrets.ts';

export type { Invitation };

/** How long an invitation can be accepted. */
const INVITATION_DAYS = 7;
/** How long the address of an invitation is kept after its end. */
const KEPT_DAYS = 30;
const TOKEN_BYTES = 32;
/** How long the link for the first operator works. */
const FIRST_LINK_HOURS = 1;

export async function openInvitations(ctx: Context) {
  return await listInvitations(ctx.db, ctx.realNow());
}

/**
 * Mails a link by which the owner of the address becomes an operator. A new invitation replaces an open one. Throws 409 if
 * the address is an operator's already. [OWNS-27]
 */
export async function inviteOperator(
  ctx: Context,
  operator: Operator,
  { email, role, reason }: WithRole,
): Promise<{ id: number; email: string; expiresAt: Date }> {
  const now = ctx.realNow();
  const expiresAt = later(now, INVITATION_DAYS * DAY_MS);
  return await perform(ctx, operator, async (tx) => {
    await lockOperators(tx);
    const account = await findAccount(tx, email);
    if (account && (await operatorRole(tx, account.id)) !== null)
      throw conflict(`${email} is an operator already.`);
    await endInvitationOf(tx, email, now);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const id = await insertInvitation(tx, {
      email,
      role,
      reason,
      tokenHash: hashToken(token),
      invitedBy: operator.id,
      invitedAt: now,
      expiresAt,
    });
    await mailInvitation(ctx, tx, { recipient: email, role, token });
    await record(ctx, tx, operator, {
      act: 'invite-operator',
      subject: 'invitation',
      subjectId: id,
      affectedId: null,
      reason: `${reason} (${role})`,
    });
    return { id, email, expiresAt };
  });
}

/**
 * A link that makes whoever opens it first, signed in, an owner. Only somebody at the terminal of the server gets it. A new
 * link replaces the one before. Throws 409 if there is an operator.
 */
export async function linkForFirstOperator(ctx: Context): Promise<{ url: string; expiresAt: Date }> {
  const now = ctx.realNow();
  const expiresAt = later(now, FIRST_LINK_HOURS * HOUR_MS);
  const terminal: Operator = { id: null };
  return await perform(ctx, terminal, async (tx) => {
    await lockOperators(tx);
    await requireNoOperator(tx);
    await endInvitationOf(tx, null, now);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const reason = 'The first operator';
    const id = await insertInvitation(tx, {
      email: null,
      role: 'owner',
      reason,
      tokenHash: hashToken(token),
      invitedBy: null,
      invitedAt: now,
      expiresAt,
    });
    await record(ctx, tx, terminal, {
      act: 'invite-operator',
      subject: 'invitation',
      subjectId: id,
      affectedId: null,
      reason,
    });
    return { url: `${ctx.config.publicUrl}/operator-invitation?token=${token}`, expiresAt };
  });
}

async function requireNoOperator(tx: Tx): Promise<void> {
  if ((await listOperators(tx)).length > 0)
    throw conflict(
      'There is an operator already. Another one is invited in the console, or by: openslot operator invite EMAIL',
    );
}

/** Ends an open invitation, so that its link no longer works. Throws 404 if there is none. [OWNS-27] */
export async function revokeInvitation(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<{ id: number; email: string | null }> {
  return await perform(ctx, operator, async (tx) => {
    const ended = await endInvitation(tx, id, ctx.realNow());
    if (!ended) throw notFound('There is no open invitation with this number.');
    await record(ctx, tx, operator, {
      act: 'revoke-invitation',
      subject: 'invitation',
      subjectId: id,
      affectedId: null,
      reason,
    });
    return { id, ...ended };
  });
}

/** The invitation behind a mailed link. Throws 404 if it was accepted, revoked or replaced, or has expired. */
export async function readInvitation(ctx: Context, token: string): Promise<Invitation> {
  return await requireInvitation(ctx, ctx.db, token);
}

async function requireInvitation(ctx: Context, tx: Tx, token: string): Promise<Invitation> {
  const invitation = await findInvitation(tx, hashToken(token), ctx.realNow());
  if (!invitation)
    throw notFound('This invitation no longer works. Ask the person who invited you for a new one.');
  return invitation;
}

/**
 * Makes the signed-in person an operator, as the one who invited them would by `addOperator`: with two owners or more,
 * another one has to confirm it. Throws 404 for an invitation that no longer works, 403 for another address than the
 * invited one, and 409 if the one who invited is no owner any more. [OWNS-27]
 */
export async function acceptInvitation(
  ctx: Context,
  who: { email: string },
  token: string,
): Promise<{ waits: boolean; role: OperatorRole }> {
  const { invitedBy } = await readInvitation(ctx, token);
  const inviter: Operator = { id: invitedBy };
  return await perform(ctx, inviter, async (tx) => {
    await lockOperators(tx);
    // Again, because another browser may have accepted it before the lock.
    const { email, role, reason } = await requireInvitation(ctx, tx, token);
    if (email === null) await requireNoOperator(tx);
    else if (email !== who.email)
      throw forbidden(`This invitation is for ${email}. Sign in with that address.`);
    if (invitedBy !== null && (await operatorRole(tx, invitedBy)) !== 'owner')
      throw conflict('The person who invited you is no owner any more. Ask another owner for an invitation.');
    await endInvitationOf(tx, email, ctx.realNow());
    const { waits } = await addOrAsk(ctx, tx, inviter, { email: who.email, role, reason });
    return { waits, role };
  });
}

/** The invitations of the user's address, for the export of their data. */
export async function invitationsTo(
  ctx: Context,
  email: string,
): Promise<{ role: OperatorRole; invitedAt: string; expiresAt: string }[]> {
  const rows = await listInvitationsTo(ctx.db, email);
  return rows.map(({ role, invitedAt, expiresAt }) => ({
    role,
    invitedAt: invitedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** Before an account is deleted. */
export async function forgetInvitations(tx: Tx, email: string): Promise<void> {
  await deleteInvitationsTo(tx, email);
}

/** Part of the job 'remove-expired'. The audit trail keeps the acts, without the address. */
export async function removeOldInvitations(ctx: Context): Promise<void> {
  await deleteOldInvitations(ctx.db, later(ctx.realNow(), -KEPT_DAYS * DAY_MS));
}

async function mailInvitation(
  ctx: Context,
  tx: Tx,
  { recipient, role, token }: { recipient: string; role: OperatorRole; token: string },
): Promise<void> {
  const { brand, publicUrl } = ctx.config;
  await postMessage(ctx, tx, {
    recipient,
    kind: 'operator-invitation',
    mail: {
      subject: `Help to run ${brand.name}`,
      heading: `Help to run ${brand.name}`,
      paragraphs: [
        `You’re invited to become an operator of ${brand.name}: ${ROLE_WORDS[role]}.`,
        `Sign in or sign up with this address, and accept the invitation. It works for ${INVITATION_DAYS} days.`,
      ],
      action: { label: 'Read the invitation', url: `${publicUrl}/operator-invitation?token=${token}` },
      note: 'If you don’t know what this is about, ignore this email. Nothing happens without you.',
    },
  });
}
