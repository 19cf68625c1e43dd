import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

// An arbitrary number. Together with a user's id it names one advisory lock per user.
const ATTEMPTS_LOCK = 5_301;

/**
 * Takes one of the `allowed` attempts that a user has in the window after `since`. Returns its id, or the time of the
 * oldest attempt if none is left. A lock makes concurrent attempts of one user wait for each other.
 */
export async function takeAttempt(
  tx: Tx,
  userId: number,
  window: { since: Date; allowed: number; now: Date },
): Promise<{ id: number } | { oldest: Date }> {
  await sql`select pg_advisory_xact_lock(${ATTEMPTS_LOCK}, ${userId})`.execute(tx);
  await tx
    .deleteFrom('cardAttempts')
    .where('userId', '=', userId)
    .where('createdAt', '<=', window.since)
    .execute();
  const taken = await tx
    .selectFrom('cardAttempts')
    .select('createdAt')
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute();
  if (taken.length >= window.allowed) return { oldest: taken[0]?.createdAt ?? window.now };
  return tx
    .insertInto('cardAttempts')
    .values({ userId, createdAt: window.now })
    .returning('id')
    .executeTakeFirstOrThrow();
}

export async function releaseAttempt(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('cardAttempts').where('id', '=', id).execute();
}
