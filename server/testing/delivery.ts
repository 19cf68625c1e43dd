/** Fixtures for tests of the ad server: live ads inserted into the tables, and requests as a page sends them. */
import type { AddressInfo } from 'node:net';
import type { ServedAd } from '#domain/delivery/wire.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { Client } from './client.ts';
import { startTestServer, type TestServer } from './server.ts';

export const SITE = 'https://daily.example';
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';

export type Visit = { site?: string; userAgent?: string; headers?: Record<string, string> };

export type AdServerTest = TestServer & {
  /** A client that calls the server's real address and ignores PUBLIC_URL. */
  caller: Client;
  /** Sends an ad request of the site's page and returns one ad per zone. */
  ask: (zones: string[], visit?: Visit) => Promise<ServedAd[]>;
  /** Sends an ad request for one zone and returns the addresses that report its view and click. */
  decide: (zone: string, visit?: Visit) => Promise<{ view: string; click: string }>;
  /** Reports a view and returns the status of the answer. */
  view: (address: string, visit?: Visit) => Promise<number>;
  click: (address: string, visit?: Visit) => Promise<{ status: number; location: string | null }>;
};

/** Now, or the next UTC midnight if it is less than an hour away, because the caps and figures of a day start again then. */
function beginning(): Date {
  const soon = new Date(Date.now() + HOUR_MS);
  const midnight = soon.getTime() - (soon.getTime() % DAY_MS);
  return new Date(Math.max(Date.now(), midnight));
}

export async function startAdServerTest(
  env: Record<string, string> = {},
  log?: (line: string) => void,
): Promise<AdServerTest> {
  const server = await startTestServer({ env, start: beginning(), ...(log && { log }) });
  const { port } = server.app.fastify.server.address() as AddressInfo;
  const caller = new Client(`http://127.0.0.1:${port}`);
  const headersOf = ({ site = SITE, userAgent = BROWSER, headers = {} }: Visit) => ({
    ...(site && { origin: site }),
    'user-agent': userAgent,
    ...headers,
  });
  const local = (address: string) => new URL(address).pathname;

  const ask = async (zones: string[], visit: Visit = {}): Promise<ServedAd[]> => {
    const answer = await caller.get(`/api/serve/ads?z=${zones.join(',')}`, headersOf(visit));
    if (answer.status !== 200) throw new Error(`The ad request answered ${answer.status}: ${answer.text}`);
    return (answer.body as { ads: ServedAd[] }).ads;
  };
  return {
    ...server,
    caller,
    ask,
    decide: async (zone, visit) => {
      const [ad] = await ask([zone], visit);
      if (!ad?.view || !ad.click) throw new Error(`The zone shows no ad: ${JSON.stringify(ad)}`);
      return { view: ad.view, click: ad.click };
    },
    view: async (address, visit = {}) =>
      (await caller.send('POST', local(address), undefined, headersOf(visit))).status,
    click: async (address, visit = {}) => {
      // A navigation has no Origin.
      const { origin: _, ...headers } = headersOf(visit) as Record<string, string>;
      const answer = await caller.get(local(address), headers);
      return { status: answer.status, location: answer.headers.get('location') };
    },
  };
}

/** The parts of the context that these fixtures need. */
type Tables = Pick<Context, 'db' | 'now'>;

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
    .values({ userId, name: 'The Daily', url: SITE, category: 'Technology', ...site })
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
  const { adType = 'text', imageUrl = null, videoUrl = null } = fields;
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

/** An ad's status, counters and end date in the database. */
export async function adRow(ctx: Tables, id: number) {
  return await ctx.db
    .selectFrom('ads')
    .select(['status', 'totalImpressions', 'totalClicks', 'endDate'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** An ad's counted and filtered events, such as { 'view': 3, 'view too_fast': 1 }. */
export async function figures(ctx: Tables, adId: number | null): Promise<Record<string, number>> {
  const rows = await ctx.db
    .selectFrom('deliveryHourly')
    .select(['kind', 'reason', 'n'])
    .where('adId', adId === null ? 'is' : '=', adId)
    .where('kind', '<>', 'decision')
    .execute();
  const sums: Record<string, number> = {};
  for (const { kind, reason, n } of rows) {
    const name = `${kind} ${reason}`.trim();
    sums[name] = (sums[name] ?? 0) + Number(n);
  }
  return sums;
}
