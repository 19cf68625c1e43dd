/** The SQL of the review of new websites. Deleted websites wait no more. */
import type { Tx } from '#server/platform/database/database.ts';

const OF_ADMISSION = ['id', 'name', 'userId as ownerId'] as const;

/** A website of the queue, for the operator. */
export type WaitingWebsite = Awaited<ReturnType<typeof selectWaiting>>[number];

/** The websites that wait, oldest first. */
export async function selectWaiting(tx: Tx, after: number | null, limit: number) {
  const rows = await tx
    .selectFrom('websites as w')
    .innerJoin('users', 'users.id', 'w.userId')
    .select(['w.id', 'w.publicId', 'w.name', 'w.url', 'w.category', 'w.description', 'w.userId as ownerId'])
    .select(['users.email as ownerEmail', 'w.reviewSince', 'w.createdAt', 'w.reviewText as question'])
    .where('w.review', '=', 'waiting')
    .where('w.archivedAt', 'is', null)
    .where('w.id', '>', after ?? 0)
    .orderBy('w.id')
    .limit(limit)
    .execute();
  return rows.map(({ reviewSince, createdAt, ...row }) => ({ ...row, since: reviewSince ?? createdAt }));
}

export async function countWaiting(tx: Tx): Promise<number> {
  const { n } = await tx
    .selectFrom('websites')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('review', '=', 'waiting')
    .where('archivedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** A website about which the operator has decided or asked. */
export type WebsiteInAdmission = { id: number; name: string; ownerId: number };
type Admission = Promise<WebsiteInAdmission | undefined>;

/** Offers a website that waits or was refused. Returns undefined if it does neither. */
export function admitWebsite(tx: Tx, id: number): Admission {
  return tx
    .updateTable('websites')
    .set({ review: null, reviewSince: null, reviewText: null })
    .where('id', '=', id)
    .where('review', 'is not', null)
    .where('archivedAt', 'is', null)
    .returning(OF_ADMISSION)
    .executeTakeFirst();
}

/** Refuses a website that waits. Returns undefined if it does not wait. */
export function refuseWaiting(tx: Tx, id: number, { reason, now }: { reason: string; now: Date }): Admission {
  return tx
    .updateTable('websites')
    .set({ review: 'hidden', reviewSince: now, reviewText: reason })
    .where('id', '=', id)
    .where('review', '=', 'waiting')
    .where('archivedAt', 'is', null)
    .returning(OF_ADMISSION)
    .executeTakeFirst();
}

/** Keeps the question about a website that waits. Returns undefined if it does not wait. */
export function writeQuestion(tx: Tx, id: number, question: string): Admission {
  return tx
    .updateTable('websites')
    .set({ reviewText: question })
    .where('id', '=', id)
    .where('review', '=', 'waiting')
    .where('archivedAt', 'is', null)
    .returning(OF_ADMISSION)
    .executeTakeFirst();
}
