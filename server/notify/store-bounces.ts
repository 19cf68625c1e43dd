import { type BounceReport, type Bounces, MAX_HARD_BOUNCES } from '#domain/notifications/bounces.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** Stores a report once, even if it arrives repeatedly. */
export async function insertBounce(tx: Tx, bounce: BounceReport): Promise<void> {
  await tx
    .insertInto('mailBounces')
    .values(bounce)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function countBounces(tx: Tx, recipient: string): Promise<Bounces> {
  return await tx
    .selectFrom('mailBounces')
    .select([
      sql<number>`count(*) filter (where kind = 'hard')`.as('hard'),
      sql<number>`count(*) filter (where kind = 'soft')`.as('soft'),
      sql<Date | null>`max(at) filter (where kind = 'hard')`.as('lastHardAt'),
    ])
    .where('recipient', '=', recipient)
    .executeTakeFirstOrThrow();
}

const turnedOff = (tx: Tx) =>
  tx
    .selectFrom('mailBounces')
    .select('recipient')
    .where('kind', '=', 'hard')
    .groupBy('recipient')
    .having(sql<number>`count(*)`, '>=', MAX_HARD_BOUNCES);

export type TurnedOff = { recipient: string; hardBounces: number; lastBounceAt: Date };

export async function listTurnedOff(
  tx: Tx,
  { to, limit }: { to?: string | undefined; limit: number },
): Promise<TurnedOff[]> {
  return await turnedOff(tx)
    .select([sql<number>`count(*)`.as('hardBounces'), sql<Date>`max(at)`.as('lastBounceAt')])
    .$if(to !== undefined, (query) => query.where('recipient', '=', to as string))
    .orderBy('lastBounceAt', 'desc')
    .orderBy('recipient')
    .limit(limit)
    .execute();
}

export async function deleteBouncesOf(tx: Tx, recipient: string): Promise<void> {
  await tx.deleteFrom('mailBounces').where('recipient', '=', recipient).execute();
}

/** Deletes older bounces of addresses that still get mail. */
export async function deleteBouncesBefore(tx: Tx, instant: Date): Promise<void> {
  await tx
    .deleteFrom('mailBounces')
    .where('at', '<', instant)
    .where('recipient', 'not in', turnedOff(tx))
    .execute();
}
