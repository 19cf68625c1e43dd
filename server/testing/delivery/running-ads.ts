/**
 * Fixtures that insert publishers, zones and paid ads into the tables. They need no test runner, because the tools
 * bench and fraud use them, too.
 */
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import type { Context } from '#server/platform/context.ts';

/** The page that shows the ads, and the browser that requests them. */
export const SITE = 'https://daily.example';
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';

/** The parts of the context that these fixtures need. */
export type Tables = Pick<Context, 'db' | 'now'>;

export type Place = { websiteId: number; websitePublicId: string; zoneId: number; zone: string };

let count = 0;

/** Creates a publisher with a website and an ad zone on it. */
export async function makeSiteWithZone(
  ctx: Tables,
  site: { url?: string; monthlyVisitors?: number } = {},
): Promise<Place> {
  const userId = await makeUser(ctx);
  const website = await ctx.db
    .insertInto('websites')
    .values({ userId, name: 'The Daily', url: 'https://daily.example', category: 'Technology', ...site })
    .returning(['id', 'publicId'])
    .executeTakeFirstOrThrow();
  const { zoneId, zone } = await addZone(ctx, website.id);
  return { websiteId: website.id, websitePublicId: website.publicId, zoneId, zone };
}

export async function addZone(ctx: Tables, websiteId: number): Promise<{ zoneId: number; zone: string }> {
  const zone = await ctx.db
    .insertInto('adZones')
    .values({ websiteId, name: 'Sidebar', width: 300, height: 250, zoneType: 'rectangle' })
    .returning(['id', 'publicId'])
    .executeTakeFirstOrThrow();
  return { zoneId: zone.id, zone: zone.publicId };
}

export async function makeUser(ctx: Tables): Promise<number> {
  const { id } = await ctx.db
    .insertInto('users')
    .values({
      email: `delivery-${++count}@example.test`,
      password: 'none',
      firstName: 'Ada',
      lastName: 'Lane',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db.insertInto('userSettings').values({ userId: id }).execute();
  return id;
}

export type AdFields = {
  /** The advertiser. A new account by default. */
  userId?: number;
  pricingModel?: PricingModel;
  /** The number of days, impressions or clicks, depending on the pricing model. */
  amount?: number;
  title?: string;
  targetUrl?: string;
  adType?: 'text' | 'image' | 'video';
  imageUrl?: string;
  videoUrl?: string;
  targeting?: Targeting;
};

let videos = 0;

/** Stores a video without its file, and returns its path. */
export async function storeVideo(ctx: Tables, userId: number): Promise<string> {
  const name = `video-${String(++videos).padStart(20, '0')}`;
  const now = ctx.now();
  await ctx.db
    .insertInto('uploads')
    .values({
      name,
      userId,
      expiresAt: now,
      storedAt: now,
      rendition: `${name}.mp4`,
      contentType: 'video/mp4',
      byteSize: 8192,
      width: 320,
      height: 180,
      durationMs: 3033,
    })
    .execute();
  return `/ad-images/${name}`;
}

/** Creates a paid ad that runs from now on, by the status changes that the database's trigger allows. */
export async function makeRunningAd(
  ctx: Tables,
  zoneId: number,
  fields: AdFields = {},
): Promise<{ id: number; publicId: string }> {
  const {
    pricingModel = 'per_day',
    amount = 1,
    title = 'Fresh coffee',
    targetUrl = 'https://coffee.example/start',
  } = fields;
  const { adType = 'text', imageUrl = null, videoUrl = null, targeting = null } = fields;
  const userId = fields.userId ?? (await makeUser(ctx));
  const now = ctx.now();
  const video = adType === 'video' ? (videoUrl ?? (await storeVideo(ctx, userId))) : null;
  return await ctx.db.transaction().execute(async (tx) => {
    const ad = await tx
      .insertInto('ads')
      .values({
        userId,
        adZoneId: zoneId,
        adType,
        imageUrl,
        videoUrl: video,
        title,
        description: 'Roasted on Monday.',
        targetUrl,
        targeting,
        totalAmount: '100.00',
        commissionAmount: '15.00',
        pricingModel,
        duration: pricingModel === 'per_day' ? amount : null,
        impressions: pricingModel === 'per_impression' ? amount : null,
        clicks: pricingModel === 'per_click' ? amount : null,
      })
      .returning(['id', 'publicId'])
      .executeTakeFirstOrThrow();
    const intentId = `sbx_pi_${ad.publicId}`;
    await tx
      .updateTable('ads')
      .set({ status: 'approved', approvedAt: now })
      .where('id', '=', ad.id)
      .execute();
    await tx
      .insertInto('payments')
      .values({
        adId: ad.id,
        userId,
        book: 'sandbox',
        currency: 'USD',
        intentId,
        amountCents: 10_000,
        commissionCents: 1500,
        status: 'succeeded',
        chargeId: `sbx_ch_${ad.publicId}`,
        paidAt: now,
      })
      .execute();
    const endDate = pricingModel === 'per_day' ? new Date(now.getTime() + amount * 86_400_000) : null;
    await tx
      .updateTable('ads')
      .set({ status: 'active', paymentIntentId: intentId, startDate: now, endDate })
      .where('id', '=', ad.id)
      .execute();
    return ad;
  });
}
