import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

export type WholeCheck = {
  dueAt: Date;
  /** When the last one ended; null if none has yet. */
  checkedAt: Date | null;
  seconds: number | null;
  postings: number | null;
  differences: number;
  /** In words. */
  firstDifference: string | null;
  /** Why the last try failed; null if it ended. */
  error: string | null;
};

export async function findWholeCheck(tx: Tx): Promise<WholeCheck> {
  return await tx
    .selectFrom('wholeChecks')
    .select(['dueAt', 'checkedAt', 'seconds', 'differences', 'firstDifference', 'error'])
    .select(sql<number | null>`postings::float8`.as('postings'))
    .executeTakeFirstOrThrow();
}

export async function isWholeCheckDue(tx: Tx): Promise<boolean> {
  const due = await tx
    .selectFrom('wholeChecks')
    .select('dueAt')
    .where('dueAt', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  return due !== undefined;
}

/** The next one is due in a week, at the same time of the week. One that somebody started by hand does not move it. */
export async function noteWholeCheck(
  tx: Tx,
  found: Pick<WholeCheck, 'firstDifference'> & { seconds: number; postings: number; differences: number },
): Promise<void> {
  await tx
    .updateTable('wholeChecks')
    .set({
      ...found,
      checkedAt: sql<Date>`now()`,
      error: null,
      dueAt: sql<Date>`due_at + interval '7 days'
        * greatest(0, ceil(extract(epoch from now() - due_at) / extract(epoch from interval '7 days')))`,
    })
    .execute();
}

/** It is tried again in an hour. */
export async function noteFailedCheck(tx: Tx, error: string): Promise<void> {
  await tx
    .updateTable('wholeChecks')
    .set({ error, dueAt: sql<Date>`now() + interval '1 hour'` })
    .execute();
}
