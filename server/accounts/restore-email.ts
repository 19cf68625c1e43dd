import type { FastifyRequest } from 'fastify';
import type { restoreEmail, takeBackEmail } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { conflict, invalid, unauthorized } from '../http/errors.ts';
import { restoreAddress } from './change-email.ts';
import { limitCall } from './limits.ts';
import { hashToken } from './rules.ts';
import { showUser } from './show-user.ts';
import { lockUser } from './store.ts';
import { findChangeByLink, findOpenChange } from './store-email-changes.ts';
import { deleteSessionsOf } from './store-sessions.ts';

const LINK_USED = 'This link has been used already, or the change was taken back.';
const LINK_TOO_OLD = 'This link is too old: it worked for 7 days.';

/** Takes an unproven change of one's own back; the present session stays (ACCT-06). */
export async function takeBack(ctx: Context, who: Who): Promise<Reply<typeof takeBackEmail>> {
  return await ctx.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, who.id);
    if (!user) throw unauthorized();
    const open = await findOpenChange(tx, user.id);
    if (!open) throw conflict('There is no change of address to take back.');
    return await showUser(tx, await restoreAddress(ctx, tx, user, open));
  });
}

/**
 * The link of the notice that went to the replaced address (ACCT-07). Whoever reads that mail owned the account, so the
 * address counts as proven again, and everybody who is signed in is signed out.
 */
export async function restoreByLink(
  ctx: Context,
  _who: unknown,
  { body }: Parsed<typeof restoreEmail>,
  request: FastifyRequest,
): Promise<Reply<typeof restoreEmail>> {
  const taken = await limitCall(ctx, request, 'code');
  const reply = await ctx.db.transaction().execute(async (tx) => await restore(ctx, tx, body.token));
  await taken.giveBack();
  return reply;
}

async function restore(ctx: Context, tx: Tx, token: string): Promise<Reply<typeof restoreEmail>> {
  const found = await findChangeByLink(tx, hashToken(token));
  const user = found && (await lockUser(tx, found.userId));
  // Looked up anew: of two clicks at once the second finds the link used.
  const change = user && (await findChangeByLink(tx, hashToken(token)));
  if (!user || !change) throw invalid(LINK_USED);
  if (change.expiresAt <= ctx.now()) throw invalid(LINK_TOO_OLD);
  const { email } = await restoreAddress(ctx, tx, user, change);
  await deleteSessionsOf(tx, user.id);
  return { email };
}
