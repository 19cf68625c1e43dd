import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../db/database.ts';

// The rows are written by server/http/sessions.ts and connect-pg-simple, whose clock is the machine's.

/** Owner of a session, as the index on it is written. */
const owner: RawBuilder<string> = sql`sess ->> 'userId'`;

/** More than these nobody looks through. */
const MAX_SHOWN = 100;

/** Those that still open something, last used first. */
export async function selectSessionsOf(tx: Tx, userId: number) {
  return await tx
    .selectFrom('sessions')
    .select(['sid', 'publicId', 'device', 'startedAt', 'lastUsedAt'])
    .where(owner, '=', String(userId))
    .where('expire', '>', sql<Date>`now()`)
    .orderBy('lastUsedAt', (order) => order.desc().nullsLast())
    .limit(MAX_SHOWN)
    .execute();
}
export type SessionRow = Awaited<ReturnType<typeof selectSessionsOf>>[number];

/** The session's own id, or null when there is none of this user. */
export async function deleteSessionOf(tx: Tx, userId: number, publicId: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('sessions')
    .where(owner, '=', String(userId))
    .where('publicId', '=', publicId)
    .returning('sid')
    .executeTakeFirst();
  return row?.sid ?? null;
}

/** Signs the user out everywhere, or everywhere else. */
export async function deleteSessionsOf(tx: Tx, userId: number, exceptSid?: string): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where(owner, '=', String(userId))
    .$if(exceptSid !== undefined, (query) => query.where('sid', '<>', exceptSid as string))
    .execute();
}
