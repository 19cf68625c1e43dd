import type { FastifyRequest } from 'fastify';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../database/database.ts';
import { HttpError, unauthorized } from './errors.ts';
import { sessionOf } from './sessions.ts';
import { MINUTE_MS } from '#domain/time.ts';

const RECENT_MS = 15 * MINUTE_MS;

/**
 * Refuses a session that was neither opened nor confirmed in the last 15 minutes. The web application then asks for the
 * password, and for a code if there is a second factor, and repeats the call. A stranger who finds an open session
 * therefore can neither take over the account nor its money. A route that always needs this declares it
 * (`confirmed` in who-may-call.ts). [SEC-07]
 */
export async function requireRecentSignIn(
  ctx: Context,
  request: Pick<FastifyRequest, 'session'>,
): Promise<void> {
  const confirmedAt = await readConfirmedAt(ctx.db, sessionOf(request).id);
  // The account was deleted, or the session ended, since the session was checked.
  if (confirmedAt === undefined) throw unauthorized();
  if (confirmedAt && ctx.realNow().getTime() - confirmedAt.getTime() <= RECENT_MS) return;
  throw new HttpError(403, 'Enter your password again to continue.', { details: { code: REAUTHENTICATE } });
}

/** Returns when the user last signed in or repeated the password in this session; undefined if it has ended. */
async function readConfirmedAt(tx: Tx, sid: string): Promise<Date | null | undefined> {
  const row = await tx.selectFrom('sessions').select('confirmedAt').where('sid', '=', sid).executeTakeFirst();
  return row?.confirmedAt;
}
