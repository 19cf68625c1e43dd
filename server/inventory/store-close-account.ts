import type { Tx } from '../db/database.ts';

export { hideZone } from './store.ts';

export async function lockWebsitesOf(tx: Tx, userId: number): Promise<{ id: number }[]> {
  return await tx
    .selectFrom('websites')
    .select('id')
    .where('userId', '=', userId)
    .orderBy('id')
    .forUpdate()
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
    .forUpdate('adZones')
    .execute();
}

/**
 * Hides the website, erases its description, and gives up its site, so that its next owner can verify it. The name stays
 * for the history of other users' ads.
 */
export async function hideWebsite(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('websites')
    .set({
      isActive: false,
      description: null,
      verifiedAt: null,
      vouchedAt: null,
      verificationToken: null,
      updatedAt: now,
    })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('siteChecks').where('websiteId', '=', id).execute();
  await tx.deleteFrom('ownershipDisputes').where('websiteId', '=', id).execute();
}

export async function deleteZone(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('adZones').where('id', '=', id).execute();
}

export async function deleteWebsite(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('websites').where('id', '=', id).execute();
}
