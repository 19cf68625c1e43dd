import { sql } from 'kysely';
import type { Database } from '#server/platform/database/database.ts';

/** Locks an ad as every change of it does. Returns when it is locked. `release` resolves when the lock is gone. */
export async function lockAdForTest(db: Database, adId: number): Promise<{ release: () => Promise<void> }> {
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = db.transaction().execute(async (tx) => {
    await tx.selectFrom('ads').select('id').where('id', '=', adId).forNoKeyUpdate().execute();
    taken.resolve();
    await released.promise;
  });
  await Promise.race([taken.promise, held]);
  return {
    release: async () => {
      released.resolve();
      await held;
    },
  };
}

/** How many connections of this database wait for a lock. */
export async function countWaiting(db: Database): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
