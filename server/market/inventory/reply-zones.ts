import type { AdZone, Product } from '#domain/inventory/contract.ts';
import { outlooksOf } from '#server/ads/availability.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { figuresOfWebsites } from '#server/delivery/forecast/zone-figures.ts';
import type { OfferedZoneRow, ProductRow } from './store.ts';
import { productReply, zoneReply } from './reply.ts';

/** Shows zones of one website with their forecasts. A zone that was deleted meanwhile is left out. */
export async function zonesReply(
  ctx: Context,
  tx: Tx,
  websiteId: number,
  rows: readonly OfferedZoneRow[],
): Promise<AdZone[]> {
  const figures = (await figuresOfWebsites(tx, [websiteId])).get(websiteId) ?? [];
  const byZone = new Map(figures.map((zone) => [zone.zoneId, zone]));
  return rows.flatMap((row) => {
    const own = byZone.get(row.id);
    return own ? zoneReply(row, own, ctx.config) : [];
  });
}

/** Shows a zone that the caller's transaction has just written. */
export async function writtenZoneReply(ctx: Context, tx: Tx, row: OfferedZoneRow): Promise<AdZone> {
  const [zone] = await zonesReply(ctx, tx, row.websiteId, [row]);
  if (!zone) throw new Error(`The ad zone ${row.id} was written and cannot be read`);
  return zone;
}

/** Options of one zone, with their outlooks. */
export async function productsReply(
  ctx: Context,
  tx: Tx,
  zone: { id: number; websiteId: number },
  products: readonly ProductRow[],
): Promise<Product[]> {
  const outlooks = await outlooksOf(tx, { zoneId: zone.id, websiteId: zone.websiteId }, products, ctx.now());
  return products.map((product, index) => ({ ...productReply(product), ...outlooks[index]! }));
}
