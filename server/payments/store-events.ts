import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

export function findEvent(tx: Tx, id: string) {
  return tx
    .selectFrom('providerEvents')
    .select(['id', 'type', 'doneAt', sql<string>`payload ->> 'objectId'`.as('objectId')])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Locks the event until the transaction ends. Returns false if it has already been handled. */
export async function lockEvent(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('providerEvents')
    .select('id')
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function markEventDone(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.updateTable('providerEvents').set({ doneAt: at }).where('id', '=', id).execute();
}

/** Ids of events that were received at `before` or earlier and have not been handled, oldest first. */
export async function listWaitingEvents(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('providerEvents')
    .select('id')
    .where('doneAt', 'is', null)
    .where('receivedAt', '<=', before)
    .orderBy('receivedAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
