/** A publisher adds and changes websites, ad zones and pricing options. */
import type { Parsed } from '#domain/endpoint.ts';
import type {
  AdZone,
  createProduct,
  createWebsite,
  createZone,
  Product,
  updateProduct,
  updateZone,
  Website,
} from '#domain/inventory/contract.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { resumeClocks, stopClocks } from '../ads/clock.ts';
import type { Context, Who } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { holdLiveAccount } from '../http/live-account.ts';
import {
  insertProduct,
  insertWebsite,
  insertZone,
  lockOwnZone,
  selectOwnWebsite,
  writeOwnProduct,
  writeZone,
} from './store.ts';
import { viewProduct, viewWebsite, viewZone } from './view.ts';

/** Adds a website for the caller and ignores a `userId` in the body. Two websites may have the same URL. */
export async function registerWebsite(
  ctx: Context,
  who: Who,
  { body }: Pick<Parsed<typeof createWebsite>, 'body'>,
): Promise<Website> {
  const website = { ...body, description: body.description || null, userId: who.id };
  return await ctx.db.transaction().execute(async (tx) => {
    await holdLiveAccount(tx, who.id);
    return viewWebsite(await insertWebsite(tx, website, ctx.now()));
  });
}

export async function addZone(
  ctx: Context,
  who: Who,
  { body }: Pick<Parsed<typeof createZone>, 'body'>,
): Promise<AdZone> {
  const { websiteId: ref, ...zone } = body;
  return await ctx.db.transaction().execute(async (tx) => {
    await holdLiveAccount(tx, who.id);
    const website = await selectOwnWebsite(tx, ref, who.id);
    if (!website) throw notFound('Website not found. Please reload the page.');
    const row = await insertZone(tx, { ...zone, websiteId: website.id }, ctx.now());
    return viewZone(row, ctx.config.deliveryUrl);
  });
}

export async function addProduct(
  ctx: Context,
  who: Who,
  { body }: Pick<Parsed<typeof createProduct>, 'body'>,
): Promise<Product> {
  const { adZoneId: ref, ...product } = body;
  return ctx.db.transaction().execute(async (tx) => {
    await holdLiveAccount(tx, who.id);
    const zone = await lockOwnZone(tx, ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    const price = decimalOf(centsOf(product.price));
    return viewProduct(await insertProduct(tx, { ...product, price, adZoneId: zone.id }, ctx.now()));
  });
}

/**
 * Renames, pauses or resumes a zone. A paused zone is neither sold nor served. When it is resumed, its campaigns continue
 * and its per-day campaigns are extended by the length of the pause. [DEL-44]
 */
export async function changeZone(
  ctx: Context,
  who: Who,
  { params, body }: Pick<Parsed<typeof updateZone>, 'params' | 'body'>,
): Promise<AdZone> {
  return ctx.db.transaction().execute(async (tx) => {
    const zone = await lockOwnZone(tx, params.ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    const now = ctx.now();
    const { isActive = zone.isActive } = body;
    let { pausedAt } = zone;
    if (zone.isActive && !isActive) {
      pausedAt = now;
      await stopClocks(ctx, tx, zone.id, now);
    } else if (!zone.isActive && isActive) {
      if (pausedAt) await resumeClocks(ctx, tx, zone.id, { from: pausedAt, to: now });
      pausedAt = null;
    }
    return viewZone(await writeZone(tx, zone.id, { ...body, pausedAt }, now), ctx.config.deliveryUrl);
  });
}

export async function changeProduct(
  ctx: Context,
  who: Who,
  { params, body }: Pick<Parsed<typeof updateProduct>, 'params' | 'body'>,
): Promise<Product> {
  const product = await writeOwnProduct(ctx.db, params.id, who.id, body);
  if (!product) throw notFound('Pricing option not found. Please reload the page.');
  return viewProduct(product);
}
