import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { removeIfUnused } from '#server/platform/database/remove-if-unused.ts';
import { dropSitePicture } from './site-picture.ts';
import {
  deleteWebsite,
  deleteZone,
  hideWebsite,
  hideZone,
  lockWebsitesOf,
  lockZonesOf,
} from '../store-close-account.ts';

/** The first step of deleting an account. Afterwards, no ad can be submitted to the account's zones. [OP-037] */
export async function closeInventoryOf(ctx: Context, tx: Tx, userId: number): Promise<void> {
  const now = ctx.now();
  // Lock zones before websites, in the same order as a submission does, so that the two cannot deadlock.
  for (const { id } of await lockZonesOf(tx, userId)) await hideZone(tx, id, now);
  for (const website of await lockWebsitesOf(tx, userId)) {
    await dropSitePicture(tx, website);
    await hideWebsite(tx, website.id, now);
  }
}

/** The last step: removes zones and websites that no ad refers to. The others stay hidden, for their ads' history. */
export async function removeUnusedInventoryOf(tx: Tx, userId: number): Promise<void> {
  for (const { id } of await lockZonesOf(tx, userId)) await removeIfUnused(tx, () => deleteZone(tx, id));
  for (const { id } of await lockWebsitesOf(tx, userId))
    await removeIfUnused(tx, () => deleteWebsite(tx, id));
}
