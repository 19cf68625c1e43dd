import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { removeIfUnused } from '../db/remove-if-unused.ts';
import {
  deleteWebsite,
  deleteZone,
  hideWebsite,
  hideZone,
  lockWebsitesOf,
  lockZonesOf,
} from './store-close-account.ts';

/** First step of deleting an account: from here on nobody can submit an ad to one of its zones (OP-037). */
export async function closeInventoryOf(ctx: Context, tx: Tx, userId: number): Promise<void> {
  const now = ctx.now();
  // Zones before websites, the order in which a submission holds them: the other way round the two block each other.
  for (const { id } of await lockZonesOf(tx, userId)) await hideZone(tx, id, now);
  for (const { id } of await lockWebsitesOf(tx, userId)) await hideWebsite(tx, id, now);
}

/** Last step: what no ad of anybody refers to is removed. The rest stays, hidden, as the history of its ads. */
export async function removeUnusedInventoryOf(tx: Tx, userId: number): Promise<void> {
  for (const { id } of await lockZonesOf(tx, userId)) await removeIfUnused(tx, () => deleteZone(tx, id));
  for (const { id } of await lockWebsitesOf(tx, userId))
    await removeIfUnused(tx, () => deleteWebsite(tx, id));
}
