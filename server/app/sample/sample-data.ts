import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { Ad } from '#domain/ads/contract.ts';
import { DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import type { Product } from '#domain/inventory/contract.ts';
import type { UploadedFile } from '#domain/media/contract.ts';
import { VIDEO_TYPE } from '#domain/media/limits.ts';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { DAY_MS, later } from '#domain/time.ts';
import { hashPassword } from '#server/people/accounts/keys/passwords.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { approve, reject } from '#server/ads/submit/review.ts';
import { submitAd } from '#server/ads/submit/submit.ts';
import type { Context, Caller } from '#server/platform/context.ts';
import { measureZones } from '#server/delivery/forecast/measure-zones.ts';
import { addProduct, addZone, changeZone, registerWebsite } from '#server/market/inventory/offer.ts';
import { listLibrary, saveToLibrary } from '#server/platform/media/library.ts';
import { receiveFile } from '#server/platform/media/receive.ts';
import { openUpload } from '#server/platform/media/uploads.ts';
import { createSandbox, isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import { createIntent } from '#server/money/checkout/create-intent.ts';
import { reportSuccess } from '#server/money/checkout/payment-success.ts';
import { intentOfSecret } from '#server/platform/provider/sandbox/payments.ts';
import { confirmCard } from '#server/money/sandbox/sandbox.ts';
import { submitPlan } from '#server/market/plans/create.ts';
import { addAudiences } from './audience.ts';
import { SAMPLE_CAMPAIGNS, SAMPLE_PLAN, type SampleCampaign } from './campaigns.ts';
import { countMoments } from './count-moments.ts';
import { addUncounted } from './uncounted.ts';
import { momentsBetween } from './rhythm.ts';
import { SAMPLE_WEBSITES, type SampleProduct, type SampleWebsite } from './websites.ts';

const PEOPLE = {
  pat: { email: 'pat@openslot.test', role: 'seller', firstName: 'Pat', lastName: 'Porter' },
  ada: { email: 'ada@openslot.test', role: 'buyer', firstName: 'Ada', lastName: 'Archer' },
  bo: { email: 'bo@openslot.test', role: 'both', firstName: 'Bo', lastName: 'Baker' },
} as const;
type Person = keyof typeof PEOPLE;
type People = Record<Person, Caller>;

export const SAMPLE_ACCOUNTS: { email: string; what: string }[] = [
  { email: PEOPLE.pat.email, what: 'publisher, sells ad space' },
  { email: PEOPLE.ada.email, what: 'advertiser, buys ad space' },
  { email: PEOPLE.bo.email, what: 'publisher and advertiser' },
];

const ANSWERED_AFTER_DAYS = 0.2;
const PAID_AFTER_DAYS = 0.4;
const FILES = import.meta.dirname;

/**
 * Fills an empty database with sample accounts, websites and campaigns of the past weeks. The product's own use cases
 * create all of it, so it looks like real data. Returns true if the sample accounts exist, now or from an earlier start.
 */
export async function addSampleData(ctx: Context): Promise<boolean> {
  const people = await addPeople(ctx);
  if (people === null) return samplesExist(ctx);
  const products = await addWebsites(ctx, people);
  for (const campaign of SAMPLE_CAMPAIGNS) await runCampaign(ctx, people, products, campaign);
  await runPlan(ctx, people, products);
  await completeDueAds(ctx);
  await measureZones(ctx);
  await addAudiences(ctx);
  // No setting turns off the operator's mail, here about sample sales that the same person buys and sells.
  await ctx.db.deleteFrom('messages').where('recipient', '=', ctx.config.contactEmail).execute();
  await ctx.db
    .updateTable('userSettings')
    .set({ emailNotifications: true })
    .where(
      'userId',
      'in',
      Object.values(people).map(({ id }) => id),
    )
    .execute();
  return true;
}

/** Returns null if the database has users. The lock makes a second instance wait and then find these users. */
async function addPeople(ctx: Context): Promise<People | null> {
  const password = await hashPassword(SAMPLE_PASSWORD);
  const { taxTable } = ctx.config;
  // With a tax table, nobody can pay without a country.
  const country = taxTable === null ? null : (taxTable.seller ?? 'US');
  const since = ago(ctx, 60).now();
  return ctx.db.transaction().execute(async (tx) => {
    await sql`lock table users in share row exclusive mode`.execute(tx);
    if (await tx.selectFrom('users').select('id').limit(1).executeTakeFirst()) return null;
    const people: Partial<People> = {};
    for (const [name, person] of Object.entries(PEOPLE)) {
      const { id } = await tx
        .insertInto('users')
        .values({
          ...person,
          password,
          isEmailVerified: true,
          hasCompletedOnboarding: true,
          createdAt: since,
          updatedAt: since,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      // Turn mail off while the data is created, so that the first start does not send weeks of notices.
      await tx
        .insertInto('userSettings')
        .values({ userId: id, emailNotifications: false, country, createdAt: since, updatedAt: since })
        .execute();
      people[name as Person] = { id, role: person.role };
    }
    return people as People;
  });
}

async function samplesExist(ctx: Context): Promise<boolean> {
  const found = await ctx.db
    .selectFrom('users')
    .select('id')
    .where(
      'email',
      'in',
      SAMPLE_ACCOUNTS.map(({ email }) => email),
    )
    .where('deletedAt', 'is', null)
    .execute();
  return found.length === SAMPLE_ACCOUNTS.length;
}

/** The same context with its clock set back by some days. */
function ago(ctx: Context, days: number): Context {
  const instant = later(ctx.now(), -days * DAY_MS);
  const now = () => instant;
  // The sandbox dates its charges, and so the sales in the ledger, by its own clock.
  return { ...ctx, now, payments: isSandbox(ctx.payments) ? createSandbox(ctx.db, now) : ctx.payments };
}

/** Pricing options by the names of their website and zone. */
type Products = Map<string, Product[]>;
const productsKey = (website: string, zone: string) => `${website} / ${zone}`;

async function addWebsites(ctx: Context, people: People): Promise<Products> {
  const products: Products = new Map();
  for (const [index, website] of SAMPLE_WEBSITES.entries()) {
    const then = ago(ctx, 59 - index * 2);
    const who = people[website.owner];
    const { id } = await registerWebsite(then, who, { body: websiteBody(ctx, website) });
    for (const { name, type, size, products: options, slots } of website.zones) {
      const [width, height] = size;
      const body = { websiteId: { id }, name, width, height, zoneType: type, isActive: true, slots };
      const zone = await addZone(then, who, { body });
      if (website.style)
        await changeZone(then, who, { params: { ref: { id: zone.id } }, body: website.style });
      const added: Product[] = [];
      for (const option of options)
        added.push(await addProduct(then, who, { body: productBody(zone.id, option) }));
      products.set(productsKey(website.name, name), added);
    }
    // Set as if the ownership had been proven and the tag seen. The website's domain does not exist, so no check is due.
    if (website.isVerified) {
      await ctx.db.updateTable('websites').set({ verifiedAt: then.now() }).where('id', '=', id).execute();
      await ctx.db.updateTable('adZones').set({ tagSeenAt: ctx.now() }).where('websiteId', '=', id).execute();
    }
  }
  return products;
}

function websiteBody(
  { config: { categories } }: Context,
  { name, host, description, category, monthlyVisitors }: SampleWebsite,
) {
  const own = DEFAULT_CATEGORIES.indexOf(category);
  return {
    name,
    url: `https://${host}`,
    description,
    // The operator may have set others.
    category: categories.includes(category) ? category : (categories[own % categories.length] ?? category),
    monthlyVisitors,
    isActive: true,
    isListed: true,
  };
}

function productBody(zoneId: number, [adType, price, pricingModel, amount]: SampleProduct) {
  return {
    adZoneId: { id: zoneId },
    adType,
    price,
    pricingModel,
    duration: pricingModel === 'per_day' ? amount : null,
    impressions: pricingModel === 'per_impression' ? amount : null,
    clicks: pricingModel === 'per_click' ? amount : null,
    minQuantity: 1,
    // Up to two months, or five times the views or clicks.
    maxQuantity: pricingModel === 'per_day' ? Math.max(1, Math.floor(60 / amount)) : 5,
    step: 1,
    volumePrices: [],
    isActive: true,
  };
}

async function runCampaign(
  ctx: Context,
  people: People,
  products: Products,
  campaign: SampleCampaign,
): Promise<void> {
  const product = productOf(products, campaign);
  const ad = await submit(
    ago(ctx, campaign.submittedDaysAgo),
    people[campaign.advertiser],
    campaign,
    product,
  );
  await answerAd(ctx, people, ad, campaign);
}

/** Submits the ads of the sample plan together. Each of their publishers answers it. */
async function runPlan(ctx: Context, people: People, products: Products): Promise<void> {
  const { advertiser, name, adType, title, description, host, submittedDaysAgo, placements } = SAMPLE_PLAN;
  const { ads } = await submitPlan(ago(ctx, submittedDaysAgo), people[advertiser], {
    params: {},
    query: {},
    body: {
      requestId: randomUUID(),
      name,
      creative: { adType, title, description, targetUrl: `https://${host}/` },
      placements: placements.map(({ website, zone }) => {
        const { id, adZoneId } = productOf(products, { website, zone, adType });
        return { adZoneId: { id: adZoneId }, productId: id };
      }),
    },
  });
  for (const [index, placement] of placements.entries())
    await answerAd(ctx, people, ads[index] as Ad, { ...SAMPLE_PLAN, ...placement });
}

type Place = Pick<SampleCampaign, 'website' | 'zone' | 'adType'>;

function productOf(products: Products, { website, zone, adType }: Place): Product {
  const product = products.get(productsKey(website, zone))?.find((option) => option.adType === adType);
  if (!product) throw new Error(`The sample data sells no ${adType} ads in '${zone}' of '${website}'`);
  return product;
}

type Answered = Pick<
  SampleCampaign,
  'advertiser' | 'website' | 'submittedDaysAgo' | 'answer' | 'perDay' | 'weekends'
>;

/** The publisher's answer to a submitted ad, the payment, and what it delivered until now. */
async function answerAd(ctx: Context, people: People, ad: Ad, campaign: Answered): Promise<void> {
  const { website, advertiser, submittedDaysAgo, answer } = campaign;
  const owner = SAMPLE_WEBSITES.find(({ name }) => name === website)?.owner;
  if (owner === undefined || answer === undefined) return;
  const params = { ref: { id: ad.id } };
  const answered = ago(ctx, submittedDaysAgo - ANSWERED_AFTER_DAYS);
  if (typeof answer === 'object') {
    await reject(answered, people[owner], { params, query: {}, body: { rejectionReason: answer.rejected } });
    return;
  }
  await approve(answered, people[owner], { params, query: {}, body: {} });
  // Do not create sample payments at a real provider. With Stripe, the ad stays approved.
  if (answer === 'paid' && isSandbox(ctx.payments)) {
    const then = ago(ctx, submittedDaysAgo - PAID_AFTER_DAYS);
    await pay(then, people[advertiser], ad);
    await countViews(ctx, ad, then.now(), campaign);
  }
}

async function submit(then: Context, who: Caller, campaign: SampleCampaign, product: Product): Promise<Ad> {
  const { adType, title, description, host, image, video } = campaign;
  const imageUrl = image === undefined ? null : await libraryImage(then, who, image);
  const videoUrl = video === undefined ? null : (await upload(then, who, video)).path;
  const body = {
    quantity: 1,
    adZoneId: { id: product.adZoneId },
    productId: product.id,
    adType,
    title,
    description,
    targetUrl: `https://${host}/`,
    imageUrl,
    videoUrl,
    totalAmount: undefined,
    status: undefined,
  };
  return submitAd(then, who, { body, params: {}, query: {} });
}

/** Returns the path of an image in the user's library. Uploads it on first use, so that later ads share it. */
async function libraryImage(then: Context, who: Caller, filename: string): Promise<string> {
  const { items } = await listLibrary(then, who, { query: {}, params: {}, body: undefined });
  const kept = items.find((item) => item.filename === filename);
  if (kept) return kept.path;
  const { path: imagePath, fileSize } = await upload(then, who, filename);
  await saveToLibrary(then, who, { body: { imagePath, filename, fileSize }, params: {}, query: {} });
  return imagePath;
}

async function upload(then: Context, who: Caller, file: string): Promise<UploadedFile> {
  const bytes = await readFile(path.join(FILES, file));
  const { host, protocol } = new URL(then.config.publicUrl);
  const request = { host, protocol: protocol === 'https:' ? 'https' : 'http' } as const;
  const { uploadURL } = await openUpload(then, who, undefined, request);
  return receiveFile(then, uploadURL.slice(uploadURL.lastIndexOf('/') + 1), {
    body: Readable.from([bytes]),
    declaredType: file.endsWith('.mp4') ? VIDEO_TYPE : 'image/png',
    declaredLength: bytes.length,
  });
}

async function pay(then: Context, who: Caller, { totalAmount, publicId }: Ad): Promise<void> {
  const input = { params: {}, query: {} };
  const body = { amount: totalAmount, adPublicId: publicId };
  const intent = await createIntent(then, who, { ...input, body }, { ip: '127.0.0.1' });
  const card = {
    number: '4242424242424242',
    expMonth: 12,
    expYear: then.now().getUTCFullYear() + 3,
    cvc: '123',
  };
  await confirmCard(then, who, { ...input, body: { clientSecret: intent.clientSecret, ...card } });
  const paymentIntentId = intentOfSecret(intent.clientSecret);
  await reportSuccess(then, who, { ...input, body: { paymentIntentId } });
}

/** Counts the views and clicks of a paid campaign, from its payment until its end or now. */
async function countViews(
  ctx: Context,
  ad: Ad,
  paidAt: Date,
  { perDay: [views, clicks] = [0, 0], weekends = 'quiet' }: Pick<SampleCampaign, 'perDay' | 'weekends'>,
): Promise<void> {
  const end = ad.duration === null ? Infinity : later(paidAt, ad.duration * DAY_MS).getTime();
  const until = new Date(Math.min(ctx.now().getTime(), end));
  const moments = momentsBetween(paidAt, until, { views, clicks, weekends, seed: ad.id });
  await countMoments(ctx.db, ad, moments);
  await addUncounted(ctx.db, ad);
}
