import type { Tx } from '#server/platform/database/database.ts';

// Callers of the writing functions hold the lock on the user's row, except for the cleanup.

export async function insertChange(
  tx: Tx,
  change: { userId: number; oldEmail: string; linkHash: Buffer; expiresAt: Date; createdAt: Date },
): Promise<void> {
  await tx.insertInto('emailChanges').values(change).execute();
}

/** Returns the change whose new address is not verified yet. There is at most one. */
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

/** Closes the change after the new address was verified. The link in the notice to the old address still works. */
export async function closeOpenChange(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable('emailChanges')
    .set({ closedAt: now })
    .where('userId', '=', userId)
    .where('closedAt', 'is', null)
    .execute();
}

/**
 * Voids a change that was undone and all later ones. Otherwise an attacker who changed the address twice could restore
 * their own address with a later link.
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

/** Deletes the changes that can no longer be undone. */
export async function deleteChangesPast(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('emailChanges')
    .where('expiresAt', '<', now)
    .where('closedAt', 'is not', null)
    .execute();
}
