import type { listSecurityEvents, SecurityEvent, SecurityEventKind } from '#domain/accounts/contract.ts';
import type { Parsed } from '#domain/endpoint.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { type Client, logSecurity, networkName } from '#server/platform/http/security-log.ts';
import { findUserByEmail } from './store.ts';
import { deleteEventsBefore, selectEvents } from './store-security-events.ts';
import { securityEventReply } from './reply.ts';
import { DAY_MS } from '#domain/time.ts';

export { logSecurity };

const KEPT_MS = 365 * DAY_MS;
const DEFAULT_LIMIT = 20;

/** Events that an attacker causes are recorded at most this often, so that an attacker cannot fill the table. */
const ATTACKS_A_DAY = { points: 100, seconds: 24 * 60 * 60 };
const LOCK_OUTS_AN_HOUR = { points: 1, seconds: 60 * 60 };

/**
 * Records a failure. Runs outside of the caller's transaction, which the failure may roll back. The log of the process
 * gets every failure, also those beyond the limit.
 */
export async function logFailure(
  ctx: Context,
  event: { userId: number; kind: SecurityEventKind; client: Client | null },
): Promise<void> {
  warnOfFailure(ctx, event);
  if (await within(ctx, 'security-log', ATTACKS_A_DAY, event.userId)) await logSecurity(ctx, ctx.db, event);
}

/**
 * Writes a failure to the log of the process, with the network as the security log names it. `userId` is null for an account that does not exist.
 * [KEY-07]
 */
export function warnOfFailure(
  ctx: Context,
  { userId, kind, client }: { userId: number | null; kind: SecurityEventKind; client: Client | null },
): void {
  const network = client && networkName(ctx, client.ip);
  ctx.log.warn({ security: kind, userId, network }, 'an attempt to sign in or to confirm failed');
}

export async function noteLockOut(ctx: Context, client: Client, email: string): Promise<void> {
  const user = await findUserByEmail(ctx.db, email);
  if (user && (await within(ctx, 'lock-out-log', LOCK_OUTS_AN_HOUR, user.id)))
    await logSecurity(ctx, ctx.db, { userId: user.id, kind: 'locked-out', client });
}

async function within(
  ctx: Context,
  name: string,
  rule: { points: number; seconds: number },
  userId: number,
): Promise<boolean> {
  try {
    await ctx.limits(name, rule)(String(userId));
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}

/** Lists the security events of the caller's own account, newest first. [SEC-20] */
export async function ownSecurityEvents(
  ctx: Context,
  who: Caller,
  { query }: Pick<Parsed<typeof listSecurityEvents>, 'query'>,
): Promise<Page<SecurityEvent>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = await selectEvents(ctx.db, who.id, { before: decodeCursor(query.cursor), limit: limit + 1 });
  const { items, next } = pageOf(rows, limit);
  return { items: items.map(securityEventReply), next };
}

/** Removes events that are over a year old. */
export async function removeOldSecurityEvents(ctx: Context): Promise<void> {
  await deleteEventsBefore(ctx.db, new Date(ctx.realNow().getTime() - KEPT_MS));
}
