import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import { MAX_SESSIONS } from '#server/platform/http/sessions.ts';

/** The owner of a session, as the index expression has it. */
const owner: RawBuilder<string> = sql`sess ->> 'userId'`;

/** Returns the sessions that have not expired, the most recently used first. */
export async function selectSessionsOf(tx: Tx, userId: number) {
  return await tx
    .selectFrom('sessions')
    .select(['sid', 'publicId', 'device', 'startedAt', 'lastUsedAt'])
    .where(owner, '=', String(userId))
    .where('expire', '>', sql<Date>`now()`)
    .orderBy('lastUsedAt', (order) => order.desc().nullsLast())
    .limit(MAX_SESSIONS)
    .execute();
}
export type SessionRow = Awaited<ReturnType<typeof selectSessionsOf>>[number];

/** Returns the secret id of a session, or null if the user has no such session. */
export async function findSessionOf(tx: Tx, userId: number, publicId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('sessions')
    .select('sid')
    .where(owner, '=', String(userId))
    .where('publicId', '=', publicId)
    .executeTakeFirst();
  return row?.sid ?? null;
}

/** Returns the secret id of the deleted session, or null if the user has no such session. */
export async function deleteSessionOf(tx: Tx, userId: number, publicId: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('sessions')
    .where(owner, '=', String(userId))
    .where('publicId', '=', publicId)
    .returning('sid')
    .executeTakeFirst();
  return row?.sid ?? null;
}

/** Ends all sessions of the user, or all except one. Returns how many. */
export async function deleteSessionsOf(tx: Tx, userId: number, exceptSid?: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where(owner, '=', String(userId))
    .$if(exceptSid !== undefined, (query) => query.where('sid', '<>', exceptSid as string))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
