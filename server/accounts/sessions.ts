import type { FastifyRequest } from 'fastify';
import type { endOtherSessions, endSession, listSessions } from '#domain/accounts/contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { Context, Who } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { notFound } from '../http/errors.ts';
import { endSession as endOwnSession } from '../http/sessions.ts';
import { logSecurity } from './security-log.ts';
import { deleteSessionOf, deleteSessionsOf, selectSessionsOf } from './store-sessions.ts';
import { viewSession } from './view.ts';

/** Lists the devices on which the caller is signed in. [ACCT-01] */
export async function ownSessions(
  ctx: Context,
  who: Who,
  _input: unknown,
  request: Pick<FastifyRequest, 'session'>,
): Promise<Reply<typeof listSessions>> {
  const rows = await selectSessionsOf(ctx.db, who.id);
  return rows.map((row) => viewSession(row, request.session.sessionId));
}

/** Ends one session of the caller. The session of another user is answered with 404, like an unknown one. [ACCT-03] */
export async function endOneSession(
  ctx: Context,
  who: Who,
  { params }: Parsed<typeof endSession>,
  request: FastifyRequest,
): Promise<Reply<typeof endSession>> {
  const sid = await deleteSessionOf(ctx.db, who.id, params.id);
  if (sid === null)
    throw notFound('This session has already ended. Reload the page to see your open sessions.');
  if (sid === request.session.sessionId) await endOwnSession(request);
  return { success: true };
}

export async function endSessionsElsewhere(
  ctx: Context,
  who: Who,
  _input: unknown,
  request: FastifyRequest,
): Promise<Reply<typeof endOtherSessions>> {
  await deleteSessionsOf(ctx.db, who.id, request.session.sessionId);
  await logSecurity(ctx, ctx.db, { userId: who.id, kind: 'signed-out-everywhere', client: request });
  return { success: true };
}

/** Signs the user out everywhere, in the caller's transaction. Returns the number of sessions. */
export async function endSessionsOf(tx: Tx, userId: number): Promise<number> {
  return await deleteSessionsOf(tx, userId);
}
