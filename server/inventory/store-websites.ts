/** The SQL of changing, hiding and deleting a website. */
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '../db/database.ts';
import { matchesReference, type WebsiteRow } from './store.ts';

/**
 * Locks the owner's website until the transaction ends. No ad is submitted to it and no zone is added in the meantime.
 * Leaves out deleted websites.
 */
export function lockOwnWebsite(tx: Tx, ref: Reference, userId: number): Promise<WebsiteRow | undefined> {
  return tx
    .selectFrom('websites')
    .selectAll()
    .where(matchesReference('websites', ref))
    .where('userId', '=', userId)
    .where('archivedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export type WebsiteChange = Partial<
  Pick<
    WebsiteRow,
    | 'name'
    | 'url'
    | 'description'
    | 'audience'
    | 'category'
    | 'monthlyVisitors'
    | 'isActive'
    | 'pausedAt'
    | 'picture'
  >
>;

export function writeWebsite(tx: Tx, id: number, change: WebsiteChange, now: Date): Promise<WebsiteRow> {
  return tx
    .updateTable('websites')
    .set({ ...change, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Locks the row of a website in any state. The job that removes a picture's file waits for a new picture. */
export function lockWebsite(tx: Tx, id: number): Promise<WebsiteRow | undefined> {
  return tx.selectFrom('websites').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}
