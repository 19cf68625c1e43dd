import type { Tx } from '#server/platform/database/database.ts';
import { removePageViews } from './page-views/store.ts';
import { forgetOwnership } from './ownership/store-ownership.ts';
import { NO_TEXTS } from './store.ts';

export { hideZone } from './store.ts';

// These locks still let other transactions write rows that refer to the locked ones. Counting holds an ad while it
// writes such rows, and would deadlock with a deletion that holds the zone and waits for the ad.

export async function lockWebsitesOf(
  tx: Tx,
  userId: number,
): Promise<{ id: number; picture: string | null }[]> {
  return await tx
    .selectFrom('websites')
    .select(['id', 'picture'])
    .where('userId', '=', userId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Locks all of the user's zones, including deleted ones. */
export async function lockZonesOf(tx: Tx, userId: number): Promise<{ id: number }[]> {
  return await tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select('adZones.id')
    .where('websites.userId', '=', userId)
    .orderBy('adZones.id')
    .forNoKeyUpdate('adZones')
    .execute();
}

/**
 * Hides the website, erases what its publisher says about it, and gives up its site, so that its next owner can verify it.
 * The name stays for the history of other users' ads.
 */
export async function hideWebsite(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('websites')
    .set({
      isActive: false,
      ...NO_TEXTS,
      picture: null,
      verificationToken: null,
      updatedAt: now,
    })
    .where('id', '=', id)
    .execute();
  await forgetOwnership(tx, id, now);
  await removePageViews(tx, id);
}

export async function deleteZone(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('adZones').where('id', '=', id).execute();
}

export async function deleteWebsite(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('websites').where('id', '=', id).execute();
}
