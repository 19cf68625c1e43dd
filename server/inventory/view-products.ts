import type { Product } from '#domain/inventory/contract.ts';
import { areFinished } from '../ads/availability.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { ProductRow } from './store.ts';
import { viewProduct } from './view.ts';

/** Options of one zone, with whether each is expected to be delivered in time. */
export async function viewProducts(
  ctx: Context,
  tx: Tx,
  zone: { id: number; websiteId: number },
  products: readonly ProductRow[],
): Promise<Product[]> {
  const finished = await areFinished(tx, { zoneId: zone.id, websiteId: zone.websiteId }, products, ctx.now());
  return products.map((product, index) => viewProduct(product, finished[index]!));
}
