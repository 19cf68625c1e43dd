import type { Tx } from '../db/database.ts';

// All of these but the two that look something up are called while the user's row is locked.

export async function insertChange(
  tx: Tx,
  change: { userId: number; oldEmail: string; linkHash: Buffer; expiresAt: Date; createdAt: Date },
): Promise<void> {
  await tx.insertInto('emailChanges').values(change).execute();
}

/** The change that is not proven yet; there is at most one. */
export async function findOpenChange(tx: Tx, userId: number) {
  return await tx
    .selectFrom('emailChanges')
    .selectAll()
    .where('userId', '=', userId)
    .where('closedAt', 'is', null)
    .executeTakeFirst();
}
export type ChangeRow = NonNullable<Awaited<ReturnType<typeof findOpenChange>>>;

export async function findChangeByLink(tx: Tx, linkHash: Buffer): Promise<ChangeRow | undefined> {
  return await tx.selectFrom('emailChanges').selectAll().where('linkHash', '=', linkHash).executeTakeFirst();
}

/** The new address was proven; the link of the notice goes on working. */
export async function closeOpenChange(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable('emailChanges')
    .set({ closedAt: now })
    .where('userId', '=', userId)
    .where('closedAt', 'is', null)
    .execute();
}

/**
 * A change was taken back, and with it every later one: their links would else bring back the address of whoever made
 * the change.
 */
export async function voidChangesFrom(tx: Tx, { id, userId }: ChangeRow, now: Date): Promise<void> {
  await tx
    .updateTable('emailChanges')
    .set({ linkHash: null, closedAt: now })
    .where('userId', '=', userId)
    .where('id', '>=', id)
    .execute();
}

export async function deleteChangesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('emailChanges').where('userId', '=', userId).execute();
}

/** Those that nothing can be done with any more. */
export async function deleteChangesPast(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('emailChanges')
    .where('expiresAt', '<', now)
    .where('closedAt', 'is not', null)
    .execute();
}
