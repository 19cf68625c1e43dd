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
import { type AdPlan, planOf } from '#domain/inventory/pricing.ts';
import { type Quantities, quantitiesOf, quantityProblem } from '#domain/inventory/quantity.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { MAXIMUM_CENTS } from '#domain/payments/limits.ts';
import { blockedDaysOf, changeCalendar } from '#server/ads/booking/zone-calendar.ts';
import { notifyOfPause, resumeClocks } from '#server/ads/clock/clock.ts';
import { requireSomebodyForEach } from '#server/ads/review-rules/excluded.ts';
import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { lockLiveAccount, requireRoom } from '#server/platform/http/limits/quotas.ts';
import { normalizeAddress } from './ownership/site-address.ts';
import {
  countProducts,
  countWebsites,
  countZones,
  insertProduct,
  insertWebsite,
  insertZone,
  lockOwnZone,
  lockOwnProduct,
  writeProduct,
  writeZone,
} from './store.ts';
import { lockCategories } from './categories/categories.ts';
import { admissionOfNew } from './admission/admission.ts';
import { lockOwnWebsite, ruleColumns, textColumns } from './store-websites.ts';
import { websiteReply } from './reply.ts';
import { productsReply, writtenZoneReply } from './reply-zones.ts';

// Far more than a publisher needs. They keep one account from filling the marketplace and the snapshots. [DOOR-10]
const MAX_WEBSITES = 100;
const MAX_ZONES = 100;
const MAX_PRODUCTS = 200;

/**
 * Adds a website for the caller and ignores a `userId` in the body. Two websites may have the same URL, because only a
 * proof of ownership decides which account holds it.
 */
export async function registerWebsite(
  ctx: Context,
  who: Caller,
  { body }: Pick<Parsed<typeof createWebsite>, 'body'>,
): Promise<Website> {
  await ctx.limits('create-website', { points: 30, seconds: 3600 })(String(personOf(who)));
  const url = normalizeAddress(body.url);
  if (url === null) throw invalid('Please enter a valid URL', 'url');
  const { rules, ...words } = body;
  const website = {
    ...words,
    ...ruleColumns(rules),
    url,
    ...textColumns(words),
    userId: who.id,
  };
  return ctx.db.transaction().execute(async (tx) => {
    const requireCategory = await lockCategories(tx, ctx.config);
    requireCategory(body.category);
    await lockLiveAccount(tx, who.id);
    await requireRoom(ctx, tx, {
      name: 'websites',
      owner: who.id,
      max: MAX_WEBSITES,
      count: () => countWebsites(tx, who.id),
      message: (max) => `An account can have at most ${max} websites. Ask the operator if you need more.`,
    });
    const about = { figures: [], usualAnswerHours: null };
    const row = await insertWebsite(tx, { ...website, ...(await admissionOfNew(ctx, tx, url)) }, ctx.now());
    return websiteReply(ctx.config, row, about);
  });
}

export async function addZone(
  ctx: Context,
  who: Caller,
  { body }: Pick<Parsed<typeof createZone>, 'body'>,
): Promise<AdZone> {
  const { websiteId: ref, slots = null, blockedDays = [], excludes = null, ...zone } = body;
  await ctx.limits('create-zone', { points: 200, seconds: 3600 })(String(personOf(who)));
  return ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    const website = await lockOwnWebsite(tx, ref, who.id);
    if (!website) throw notFound('Website not found. Please reload the page.');
    await requireRoom(ctx, tx, {
      name: 'zones',
      owner: website.id,
      max: MAX_ZONES,
      count: () => countZones(tx, website.id),
      message: (max) =>
        `A website can have at most ${max} ad zones. Delete one that you no longer use first.`,
    });
    const calendar = { slots, blockedDays: blockedDaysOf(blockedDays) };
    const row = await insertZone(tx, { ...zone, ...calendar, excludes, websiteId: website.id }, ctx.now());
    return await writtenZoneReply(ctx, tx, row);
  });
}

export async function addProduct(
  ctx: Context,
  who: Caller,
  { body }: Pick<Parsed<typeof createProduct>, 'body'>,
): Promise<Product> {
  const { adZoneId: ref, ...product } = body;
  await ctx.limits('create-product', { points: 600, seconds: 3600 })(String(personOf(who)));
  return ctx.db.transaction().execute(async (tx) => {
    await lockLiveAccount(tx, who.id);
    const zone = await lockOwnZone(tx, ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    await requireRoom(ctx, tx, {
      name: 'pricing options',
      owner: zone.id,
      max: MAX_PRODUCTS,
      count: () => countProducts(tx, zone.id),
      message: (max) =>
        `An ad zone can have at most ${max} pricing options, withdrawn ones included. Offer one of those again, or create another ad zone.`,
    });
    const quantities = checkedQuantities(ctx, product, planOf(product));
    const row = await insertProduct(tx, { ...product, ...quantities, adZoneId: zone.id }, ctx.now());
    return (await productsReply(ctx, tx, zone, [row]))[0]!;
  });
}

/**
 * Renames, pauses, resumes or restyles a zone, or changes its slots, blocked days and exclusions. A paused zone is neither
 * sold nor served. When it is resumed, its campaigns continue and its per-day campaigns are extended by the length of the
 * pause. [DEL-44]
 */
export async function changeZone(
  ctx: Context,
  who: Caller,
  { params, body }: Pick<Parsed<typeof updateZone>, 'params' | 'body'>,
): Promise<AdZone> {
  return ctx.db.transaction().execute(async (tx) => {
    const zone = await lockOwnZone(tx, params.ref, who.id);
    if (!zone) throw notFound('Ad zone not found. Please reload the page.');
    const now = ctx.now();
    const { slots, blockedDays, ...change } = body;
    const { isActive = zone.isActive } = change;
    let { pausedAt } = zone;
    if (zone.isActive && !isActive) {
      pausedAt = now;
      await notifyOfPause(ctx, tx, { of: 'zone', id: zone.id }, now);
    } else if (!zone.isActive && isActive) {
      pausedAt = null;
    }
    if (slots !== undefined || blockedDays !== undefined)
      await changeCalendar(ctx, tx, zone, { slots, blockedDays });
    if (change.excludes !== undefined) await requireSomebodyForEach(tx, zone.id, change.excludes);
    const written = await writeZone(tx, zone.id, { ...change, pausedAt }, now);
    if (zone.pausedAt && isActive)
      await resumeClocks(ctx, tx, { of: 'zone', id: zone.id }, { from: zone.pausedAt, to: now });
    return await writtenZoneReply(ctx, tx, written);
  });
}

/**
 * Changes the price or the quantities of a pricing option, withdraws it or offers it again. Submitted ads keep the price
 * that they were submitted with; an ad that is being submitted has the old price or the new one.
 */
export async function changeProduct(
  ctx: Context,
  who: Caller,
  { params, body }: Pick<Parsed<typeof updateProduct>, 'params' | 'body'>,
): Promise<Product> {
  return ctx.db.transaction().execute(async (tx) => {
    const product = await lockOwnProduct(tx, params.id, who.id);
    if (!product) throw notFound('Pricing option not found. Please reload the page.');
    const { isActive = product.isActive, ...change } = body;
    const given = { ...quantitiesOf(product), ...change };
    // An option that the marketplace's lowest price has overtaken can still be withdrawn.
    const isWithdrawal = !isActive && Object.keys(change).length === 0;
    const quantities = isWithdrawal ? given : checkedQuantities(ctx, given, planOf(product));
    const written = await writeProduct(tx, product.id, { ...quantities, isActive });
    return (
      await productsReply(ctx, tx, { id: product.adZoneId, websiteId: product.websiteId }, [written])
    )[0]!;
  });
}

/** Returns the quantities with their prices as the database stores them. Throws 400 if they cannot be offered. */
function checkedQuantities(ctx: Context, given: Quantities, plan: AdPlan): Quantities {
  const asStored = (price: string) => decimalOf(centsOf(price));
  const option: Quantities = {
    ...quantitiesOf(given),
    price: asStored(given.price),
    volumePrices: given.volumePrices.map((each) => ({ ...each, price: asStored(each.price) })),
  };
  const problem = quantityProblem(option, plan, {
    minimumCents: ctx.config.minimumPriceCents,
    maximumCents: MAXIMUM_CENTS,
  });
  if (problem) throw invalid(problem.message, problem.field);
  return option;
}
