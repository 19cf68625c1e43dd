import type { FastifyRequest } from 'fastify';
import type { endOtherSessions, endSession, listSessions } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { requireRecentSignIn } from '#server/platform/http/recent-sign-in.ts';
import { sessionOf } from '#server/platform/http/sessions.ts';
import { logSecurity } from './record/security-log.ts';
import { endOwnSession } from './sign-in.ts';
import {
  deleteSessionOf,
  deleteSessionsOf,
  findSessionOf,
  selectSessionsOf,
} from './record/store-sessions.ts';
import { sessionReply } from './record/reply.ts';

/** Lists the devices on which the caller is signed in. [ACCT-01] */
export async function ownSessions(
  ctx: Context,
  who: Caller,
  _input: unknown,
  request: Pick<FastifyRequest, 'session'>,
): Promise<Reply<typeof listSessions>> {
  const rows = await selectSessionsOf(ctx.db, who.id);
  return rows.map((row) => sessionReply(row, sessionOf(request).id));
}

/** The devices on which a person is signed in, for the operator. */
export async function openSessionsOf(tx: Tx, userId: number) {
  return await selectSessionsOf(tx, userId);
}

const ENDED = 'This session has already ended. Reload the page to see your open sessions.';

/**
 * Ends one session of the caller. Ending another session than the current one needs a recent sign-in (ASVS 7.5.2). The
 * session of another user is answered with 404, like an unknown one. [ACCT-01, KEY-06]
 */
export async function endOneSession(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof endSession>,
  request: FastifyRequest,
): Promise<Reply<typeof endSession>> {
  const sid = await findSessionOf(ctx.db, who.id, params.id);
  if (sid === null) throw notFound(ENDED);
  if (sid === sessionOf(request).id) {
    await endOwnSession(ctx, who, request);
    return { success: true };
  }
  await requireRecentSignIn(ctx, request);
  if ((await deleteSessionOf(ctx.db, who.id, params.id)) === null) throw notFound(ENDED);
  await logSecurity(ctx, ctx.db, { userId: who.id, kind: 'session-ended', client: request });
  return { success: true };
}

export async function endSessionsElsewhere(
  ctx: Context,
  who: Caller,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof endOtherSessions>> {
  await requireRecentSignIn(ctx, request);
  await deleteSessionsOf(ctx.db, who.id, sessionOf(request).id);
  await logSecurity(ctx, ctx.db, { userId: who.id, kind: 'signed-out-everywhere', client: request });
  return { success: true };
}

/** Signs the user out everywhere, in the caller's transaction. Returns the number of sessions. */
export async function endSessionsOf(tx: Tx, userId: number): Promise<number> {
  return await deleteSessionsOf(tx, userId);
}
