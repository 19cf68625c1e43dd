/** The SQL of pause.ts. The caller has locked the ad. */
import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** Pauses an ad that its advertiser has not paused. */
export async function beginPause(tx: Tx, adId: number, at: Date, until: Date | null): Promise<void> {
  await tx.updateTable('ads').set({ advertiserPausedAt: at, updatedAt: at }).where('id', '=', adId).execute();
  await tx.insertInto('advertiserPauses').values({ adId, beganAt: at, until }).execute();
}

export async function replaceUntil(tx: Tx, adId: number, until: Date | null): Promise<void> {
  await tx
    .updateTable('advertiserPauses')
    .set({ until })
    .where('adId', '=', adId)
    .where('endedAt', 'is', null)
    .execute();
}

/** Ends the pause of an ad, only if it is due at `at` where that is asked for. Returns false if there is none. */
export async function endPause(tx: Tx, adId: number, at: Date, only?: 'due'): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('advertiserPauses')
    .set({ endedAt: sql<Date>`greatest(began_at, ${at})` })
    .where('adId', '=', adId)
    .where('endedAt', 'is', null)
    .$if(only === 'due', (query) => query.where('until', '<=', at))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await tx
    .updateTable('ads')
    .set({ advertiserPausedAt: null, updatedAt: at })
    .where('id', '=', adId)
    .execute();
  return true;
}

/** Ids above `after` of ads whose pause ends by itself at `now` or before, ascending. */
export async function listDuePauses(tx: Tx, now: Date, after: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('advertiserPauses')
    .select('adId')
    .where('endedAt', 'is', null)
    .where('until', '<=', now)
    .where('adId', '>', after)
    .orderBy('adId')
    .limit(limit)
    .execute();
  return rows.map(({ adId }) => adId);
}
