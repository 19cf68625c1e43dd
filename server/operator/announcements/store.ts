/** The SQL of announcements. server/platform/database/settings.ts reads the present one. */
import { type Insertable, sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import type { Announcements } from '#server/platform/database/tables.ts';

/**
 * Makes changes wait for each other and for a batch of the mailing. Readers do not wait. A weaker lock than `exclusive`
 * would let a batch lock its row meanwhile, and the two would deadlock at its end.
 */
export async function lockAnnouncements(tx: Tx): Promise<void> {
  await sql`lock table announcements in exclusive mode`.execute(tx);
}

/** Ends the present announcement, and returns it if there is one. */
export async function endAnnouncement(tx: Tx, at: Date): Promise<{ id: number; text: string } | undefined> {
  return await tx
    .updateTable('announcements')
    .set({ endedAt: at })
    .where('endedAt', 'is', null)
    .returning(['id', 'text'])
    .executeTakeFirst();
}

export async function insertAnnouncement(tx: Tx, row: Insertable<Announcements>): Promise<number> {
  const { id } = await tx.insertInto('announcements').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** An announcement that is mailed, was not ended and is not over at this time, locked. */
export async function findMailing(
  tx: Tx,
  id: number,
  now: Date,
): Promise<{ text: string; mailedThrough: number } | undefined> {
  return await tx
    .selectFrom('announcements')
    .select(['text', 'mailedThrough'])
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
    .$narrowType<{ mailedThrough: number }>()
    .where('mailedThrough', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function moveMailing(tx: Tx, id: number, mailedThrough: number): Promise<void> {
  await tx.updateTable('announcements').set({ mailedThrough }).where('id', '=', id).execute();
}

const wantsMail = (tx: Tx) =>
  tx
    .selectFrom('users')
    .leftJoin('userSettings', 'userSettings.userId', 'users.id')
    .where('users.isEmailVerified', '=', true)
    .where('users.deletedAt', 'is', null)
    .where('users.suspendedAt', 'is', null)
    .where((eb) => eb.fn.coalesce('userSettings.emailNotifications', sql<boolean>`true`), '=', true);

/** The next accounts that get mail, by their numbers. Leaves out those that turned it off. */
export async function listMailed(
  tx: Tx,
  { after, limit }: { after: number; limit: number },
): Promise<{ id: number; email: string }[]> {
  return await wantsMail(tx)
    .select(['users.id', 'users.email'])
    .where('users.id', '>', after)
    .orderBy('users.id')
    .limit(limit)
    .execute();
}

/** How many accounts the mail of the present announcement has reached; null if it is not mailed. */
export async function countMailed(tx: Tx): Promise<number | null> {
  const present = await tx
    .selectFrom('announcements')
    .select('mailedThrough')
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  if (!present || present.mailedThrough === null) return null;
  const { n } = await wantsMail(tx)
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('users.id', '<=', present.mailedThrough)
    .executeTakeFirstOrThrow();
  return Number(n);
}
