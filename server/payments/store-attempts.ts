import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

// Any number will do; with a user's id it names one turn per user.
const TURN = 5_301;

/**
 * Takes one of a user's tries since `since`, of `allowed` ones. Its id, or the instant the oldest was taken when none
 * is left. Tries of one user wait for each other, so that many at once are counted like one after the other.
 */
export async function takeAttempt(
  tx: Tx,
  userId: number,
  window: { since: Date; allowed: number; now: Date },
): Promise<{ id: number } | { oldest: Date }> {
  await sql`select pg_advisory_xact_lock(${TURN}, ${userId})`.execute(tx);
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

export async function giveAttemptBack(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('cardAttempts').where('id', '=', id).execute();
}
