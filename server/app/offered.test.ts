/**
 * Plays every state that takes a zone off the market, or keeps an ad from being shown, against everything that reads
 * whether a zone is offered or an ad is shown (docs/decisions/065-offered-and-shown.md).
 */
import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, later } from '#domain/time.ts';
import { sitesWithoutRequests } from '#server/delivery/faults/store-sums.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ruleOfState } from '#domain/delivery/showing.ts';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone, MarketplaceWebsite, Product, Website } from '#domain/inventory/contract.ts';
import { listZonesWaitedFor } from '#server/ads/booking/store-waiting.ts';
import { listSimilarZones } from '#server/ads/review-rules/similar-zones.ts';
import { listSharingAds } from '#server/ads/store.ts';
import { listSoldZones } from '#server/results/campaign-mails/store.ts';
import { listSteps } from '#server/results/analytics/to-do/store-waiting.ts';
import { findAdsOfZone, findOwnAd, findOwnZone } from '#server/delivery/explain/store-showing.ts';
import { writeMarket } from '#server/delivery/forecast/store.ts';
import { figuresOfWebsites } from '#server/delivery/forecast/zone-figures.ts';
import { selectSimilarZones } from '#server/market/inventory/my-zones/store.ts';
import { rankedWebsites } from '#server/market/catalogue/facets.ts';
import { selectVisibleWebsite, selectZones } from '#server/market/inventory/store.ts';
import { listSellers } from '#server/market/transparency/store.ts';
import type { Client } from '#server/testing/client.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

type World = {
  publisher: Client;
  advertiser: Client;
  /** Another advertiser, who reads the marketplace, has an approved ad in the zone, and is never suspended. */
  reader: Client;
  website: Website;
  zone: AdZone;
  product: Product;
  /** The running ad. */
  ad: Ad;
  approved: Ad;
};

const server = useOwnAdServer();
let world: World;
/** An ad on another website of the same category. */
let elsewhere: Ad;
beforeAll(async () => {
  const [publisher, advertiser, reader] = [
    await server.signIn('seller'),
    await server.signIn('buyer'),
    await server.signIn('buyer'),
  ];
  const live = await makeLiveAd(publisher, advertiser, { product: { duration: 10 } });
  const approved = await approve(publisher, await makeAd(reader, live.product));
  world = { publisher, advertiser, reader, approved, ...live };
  const other = await server.signIn('seller');
  const site = await makeWebsite(other, { url: 'https://other.example' });
  elsewhere = await makeAd(reader, await makeProduct(other, await makeZone(other, site)));
  await run(`
    insert into zone_measurements
        (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks, judged, invalid)
      values (${live.zone.id}, '2027-05-01', 28, 50, 100, 200, 9, 9, 2800, 0, 9, 0)`);
  await run(`update websites set monthly_visitors = 1000, verified_at = now() where id = ${live.website.id}`);
});

const run = async (statement: string) => await sql.raw(statement).execute(server.ctx.db);

/** The part of the marketplace that a state concerns, and the statements that begin and end it. */
type State = {
  of: 'nothing' | 'website' | 'zone' | 'ad';
  isSuspension?: true;
  table: 'websites' | 'ad_zones' | 'ads' | 'users';
  id: (of: World) => number;
  begin: string;
  end: string | null;
};

const SUSPENDED = {
  isSuspension: true,
  begin: `suspended_at = now(), suspended_reason = 'Counterfeits'`,
  end: 'suspended_at = null, suspended_reason = null',
} as const;
const PAUSED = {
  begin: 'is_active = false, paused_at = now()',
  end: 'is_active = true, paused_at = null',
} as const;
const website = { of: 'website', table: 'websites', id: (of: World) => of.website.id } as const;
const zone = { of: 'zone', table: 'ad_zones', id: (of: World) => of.zone.id } as const;
const ad = { of: 'ad', table: 'ads', id: (of: World) => of.ad.id } as const;

const STATES: Record<string, State> = {
  'nothing is wrong': {
    ...zone,
    of: 'nothing',
    begin: 'name = name',
    end: 'name = name',
  },
  'the website is hidden': { ...website, ...PAUSED },
  'the website waits for the operator’s review': {
    ...website,
    begin: `review = 'waiting', review_since = now()`,
    end: 'review = null, review_since = null',
  },
  'the website is archived': {
    ...website,
    begin: 'is_active = false, archived_at = now()',
    end: 'is_active = true, archived_at = null',
  },
  'the website is suspended': { ...website, ...SUSPENDED },
  'the publisher is suspended': {
    ...SUSPENDED,
    of: 'website',
    table: 'users',
    id: (of) => of.publisher.user.id,
  },
  'the zone is paused': { ...zone, ...PAUSED },
  'the zone is deleted': {
    ...zone,
    begin: 'is_active = false, deleted_at = now()',
    end: 'is_active = true, deleted_at = null',
  },
  'the zone is suspended': { ...zone, ...SUSPENDED },
  'the ad is suspended': { ...ad, ...SUSPENDED },
  'the advertiser is suspended': {
    ...SUSPENDED,
    of: 'ad',
    table: 'users',
    id: (of) => of.advertiser.user.id,
  },
  'the payment of the ad is disputed': {
    ...ad,
    begin: 'disputed_at = now()',
    end: 'disputed_at = null',
  },
  'its advertiser has paused the ad': {
    ...ad,
    begin: 'advertiser_paused_at = now()',
    end: 'advertiser_paused_at = null',
  },
  'the target of the ad is held': {
    ...ad,
    begin: `target_paused_at = now(), target_paused_for = 'changed'`,
    end: 'target_paused_at = null, target_paused_for = null',
  },
  // Nothing makes an ad run again, so this state is the last one.
  'the ad is completed': { ...ad, begin: `status = 'completed', end_date = now()`, end: null },
};

type Reader = {
  /** The question to which the reader says no. 'sharing': an ad that does not share its zone, even when the zone is offered again. */
  asks: 'website' | 'zone' | 'ad' | 'sharing';
  /** The declaration that calls a function of the database, as 'file name'. */
  by: string;
  read: (of: World) => Promise<boolean>;
};

const answers = async (client: Client, path: string) => (await client.get(path)).status === 200;
const ownWebsite = async ({ website: { id }, publisher }: World) =>
  await selectVisibleWebsite(server.ctx.db, { id }, publisher.user.id);
const figures = async ({ website: { id }, zone: { id: zoneId } }: World) =>
  (await figuresOfWebsites(server.ctx.db, [id])).get(id)?.find((each) => each.zoneId === zoneId);
const served = async ({ zone: { publicId } }: World) => {
  await server.app.refreshDelivery();
  return (await server.ask([publicId]))[0]?.kind;
};
async function isListed({ website: { id } }: World): Promise<boolean> {
  const { body } = await world.reader.get('/api/websites?limit=100&sort=price');
  return (body as MarketplaceWebsite[]).some((each) => each.id === id);
}
async function hasStep(userId: number, kind: string, id: number): Promise<boolean> {
  const { ctx } = server;
  const book = ctx.payments.book;
  const steps = await listSteps(ctx.db, userId, {
    buys: true,
    sells: true,
    rejectedSince: ctx.now(),
    limit: 50,
    book,
    method: 'connect',
  });
  return steps.some((step) => step.kind === kind && step.id === id);
}
async function isTrue(query: string): Promise<boolean> {
  const { rows } = await sql<{ yes: boolean }>`select (${sql.raw(query)}) as yes`.execute(server.ctx.db);
  return rows[0]?.yes ?? false;
}

const READERS: Record<string, Reader> = {
  'the list of the marketplace': {
    asks: 'website',
    by: 'server/market/inventory/store-marketplace.ts selectMarketplace',
    read: isListed,
  },
  'the counts of sizes and prices': {
    asks: 'website',
    by: 'server/market/catalogue/facets.ts rankedWebsites',
    read: async ({ website: { id } }) => {
      const counted = sql`select from ${rankedWebsites('offered')} where websites.id = ${id}`;
      return (await counted.execute(server.ctx.db)).rows.length > 0;
    },
  },
  'the page of a website': {
    asks: 'website',
    by: 'server/market/inventory/store.ts selectVisibleWebsite',
    read: async (of) => await answers(of.reader, `/api/websites/${of.website.publicId}`),
  },
  'the name of a website’s page in the catalogue': {
    asks: 'website',
    by: 'server/platform/database/functions/market/website_page.sql website_page',
    read: async (of) => ((await ownWebsite(of))?.page ?? null) !== null,
  },
  'the page of a website in the catalogue': {
    asks: 'website',
    by: 'server/market/inventory/store.ts selectListedWebsite',
    read: async (of) => await answers(server.anyone(), `/sites/${new URL(of.website.url).host}`),
  },
  'where an ad-space link leads': {
    asks: 'zone',
    by: 'server/market/inventory/store.ts selectAdSpace',
    read: async (of) =>
      await answers(server.anyone(), `/api/ad-space?website=${of.website.publicId}&zone=${of.zone.publicId}`),
  },
  'the sitemap of websites': {
    asks: 'website',
    by: 'server/market/catalogue/store.ts selectSitemap',
    read: async () => await answers(server.anyone(), '/sitemaps/sites-0.xml'),
  },
  'the index of sitemaps': {
    asks: 'website',
    by: 'server/market/catalogue/store.ts selectSitemaps',
    read: async () => (await server.anyone().get('/sitemap.xml')).text.includes('/sitemaps/sites-0.xml'),
  },
  'sellers.json': {
    asks: 'website',
    by: 'server/market/transparency/store.ts listSellers',
    read: async (of) => (await listSellers(server.ctx.db)).some(({ id }) => id === of.publisher.user.id),
  },
  'the ad types, lowest price and sizes of a website': {
    asks: 'zone',
    by: 'server/market/inventory/store.ts ON_OFFER',
    read: async (of) => {
      const { adTypes = [], lowestOffer = null, sizes = [] } = (await ownWebsite(of)) ?? {};
      const found = [adTypes.length > 0, lowestOffer !== null, sizes.length > 0];
      expect(new Set(found).size).toBe(1);
      return found[0] as boolean;
    },
  },
  'the price by which the marketplace sorts': {
    asks: 'zone',
    by: 'server/platform/database/functions/market/rank_websites.sql rank_websites',
    read: async (of) =>
      await isTrue(
        `select price_per_thousand is not null from website_ranks where website_id = ${of.website.id}`,
      ),
  },
  'the zones of a website': {
    asks: 'zone',
    by: 'server/market/inventory/store.ts selectZones',
    read: async (of) => {
      const { body } = await of.reader.get(`/api/websites/${of.website.publicId}/ad-zones`);
      return Array.isArray(body) && (body as AdZone[]).some(({ id }) => id === of.zone.id);
    },
  },
  'the pricing options of a zone': {
    asks: 'zone',
    by: 'server/market/inventory/store.ts selectZone',
    read: async (of) => await answers(of.reader, `/api/ad-zones/${of.zone.publicId}/products`),
  },
  'the forecast of a zone before it is booked': {
    asks: 'zone',
    by: 'server/ads/store.ts findZone',
    read: async (of) =>
      await answers(of.reader, `/api/ad-zones/${of.zone.publicId}/availability?product=${of.product.id}`),
  },
  'the zones in the forecast of a website': {
    asks: 'zone',
    by: 'server/delivery/forecast/store.ts findFigures',
    read: async (of) => (await figures(of))?.isBookable ?? false,
  },
  'the forecast of a market': {
    asks: 'zone',
    by: 'server/delivery/forecast/store.ts writeMarket',
    read: async (of) => {
      await run('delete from market_measurements');
      await writeMarket(server.ctx.db, '2027-05-01', { minDays: 7, minWebsites: 1 });
      const { width, height } = of.zone;
      return await isTrue(
        `select count(*) > 0 from market_measurements where width = ${width} and height = ${height}`,
      );
    },
  },
  'the submission of an ad': {
    asks: 'zone',
    by: 'server/ads/store.ts lockOfferedZone',
    read: async (of) => {
      const { id, adZoneId, adType, price } = of.product;
      const { status } = await of.reader.post('/api/ads', {
        adZoneId,
        productId: id,
        adType,
        title: 'Tea',
        description: 'Green',
        targetUrl: 'https://tea.example',
        totalAmount: price,
      });
      return status < 300;
    },
  },
  'the payment of an ad': {
    asks: 'zone',
    by: 'server/ads/store.ts adsWithZone',
    read: async ({ reader, approved: { totalAmount, publicId } }) => {
      const claim = { amount: totalAmount, adPublicId: publicId };
      return (await reader.post('/api/create-payment-intent', claim)).status === 200;
    },
  },
  'the step to pay for an ad': {
    asks: 'zone',
    by: 'server/results/analytics/to-do/store-waiting.ts listSteps',
    read: async (of) => await hasStep(of.reader.user.id, 'pay', of.approved.id),
  },
  'the step to put the tag on a page': {
    asks: 'zone',
    by: 'server/results/analytics/to-do/store-waiting.ts listSteps',
    read: async (of) => {
      // The server may still note the ad request of an earlier reader, so ask again if it did meanwhile.
      for (;;) {
        await run(`update ad_zones set tag_seen_at = null where id = ${of.zone.id}`);
        const has = await hasStep(of.publisher.user.id, 'tag', of.zone.id);
        const { tagSeenAt } = await server.ctx.db
          .selectFrom('adZones')
          .select('tagSeenAt')
          .where('id', '=', of.zone.id)
          .executeTakeFirstOrThrow();
        if (tagSeenAt === null) return has;
      }
    },
  },
  'the zones of the ad server': {
    asks: 'zone',
    by: 'server/delivery/snapshot/store.ts findZones',
    read: async (of) => ['house', 'text'].includes((await served(of)) ?? ''),
  },
  'the websites whose tag has become silent': {
    asks: 'zone',
    by: 'server/delivery/faults/store-sums.ts sitesWithoutRequests',
    read: async ({ zone, website }) => {
      // An hour without requests: other readers ask for ads now.
      const hour = later(new Date(Math.floor(server.ctx.now().getTime() / HOUR_MS) * HOUR_MS), -2 * DAY_MS);
      await sql`
        insert into delivery_hourly (hour, zone_id, kind, n)
          select ${later(hour, -DAY_MS)}, ${zone.id}, kind, 60 from unnest('{decision,view}'::text[]) kind
          on conflict do nothing`.execute(server.ctx.db);
      const sites = await sitesWithoutRequests(server.ctx.db, hour, 50);
      return sites.some(({ websiteId }) => websiteId === website.id);
    },
  },
  'the explanation for a zone': {
    asks: 'zone',
    by: 'server/platform/database/functions/market/zone_suspended_since.sql zone_suspended_since',
    read: async (of) => {
      const state = await findOwnZone(server.ctx.db, { id: of.zone.id }, of.publisher.user.id);
      return (
        state !== undefined && ruleOfState({ ...state, status: 'active', takenDownReason: null }) === null
      );
    },
  },
  'the ads of the ad server': {
    asks: 'ad',
    by: 'server/delivery/snapshot/store.ts findShownAds',
    read: async (of) => (await served(of)) === 'text',
  },
  'the number of live ads of a zone': {
    asks: 'ad',
    by: 'server/market/inventory/store.ts liveAds',
    read: async (of) => {
      const page = { after: null, limit: 10 };
      const zones = await selectZones(server.ctx.db, of.website.id, 'all', page, server.ctx.now());
      return zones.some(({ id, liveAds }) => id === of.zone.id && liveAds === 1);
    },
  },
  'the explanation for an ad': {
    asks: 'ad',
    by: 'server/platform/database/functions/ads/ad_pauses.sql ad_pauses',
    read: async (of) => {
      const state = await findOwnAd(server.ctx.db, { id: of.ad.id }, of.advertiser.user.id);
      const row = (await findAdsOfZone(server.ctx.db, of.zone.id, 10)).find(({ id }) => id === of.ad.id);
      if (state) expect(row?.pause).toBe(state.pause);
      return state !== undefined && ruleOfState(state) === null;
    },
  },
  'the ad zones of a plan': {
    asks: 'zone',
    by: 'server/market/inventory/store.ts selectOfferedZones',
    read: async (of) => {
      const { body } = await of.reader.get(`/api/plans/choices?refs=${of.zone.publicId}`);
      return (body as unknown[]).length === 1;
    },
  },
  'the zones that a price is compared with': {
    asks: 'zone',
    by: 'server/market/inventory/my-zones/store.ts selectSimilarZones',
    read: async (of) => {
      const like = { ...of.zone, category: of.website.category };
      const found = await selectSimilarZones(server.ctx.db, like, of.reader.user.id, server.ctx.now());
      return found.some(({ publisherId }) => publisherId === of.publisher.user.id);
    },
  },
  'what is free to sell, in the mail about a publisher’s week': {
    asks: 'zone',
    by: 'server/results/campaign-mails/store.ts listSoldZones',
    read: async (of) =>
      (await listSoldZones(server.ctx.db, of.publisher.user.id)).some(({ id }) => id === of.zone.id),
  },
  'the calendar of a zone': {
    asks: 'zone',
    by: 'server/ads/booking/store.ts findZone',
    read: async (of) => await answers(server.anyone(), `/api/ad-zones/${of.zone.publicId}/calendar`),
  },
  'the waiting list of a zone': {
    asks: 'zone',
    by: 'server/ads/booking/store-waiting.ts listZonesWaitedFor',
    read: async (of) => {
      await run(`insert into waiting_list (zone_id, user_id, quantity, start_day, end_day, created_at, changed_at)
        select ${of.zone.id}, ${of.reader.user.id}, 1, '2099-01-01', '2099-01-02', now(), now()
          where not exists (select from waiting_list)`);
      return (await listZonesWaitedFor(server.ctx.db, 0, 10)).includes(of.zone.id);
    },
  },
  'the similar zones of an unanswered ad': {
    asks: 'zone',
    by: 'server/ads/review-rules/similar-zones.ts listZonesLike',
    read: async (of) =>
      (await listSimilarZones(server.ctx.db, elsewhere.id)).some(
        ({ zonePublicId }) => zonePublicId === of.zone.publicId,
      ),
  },
  'the number of ads that share a zone': {
    asks: 'sharing',
    by: 'server/ads/store.ts listSharingAds',
    read: async (of) =>
      (await listSharingAds(server.ctx.db, of.zone.id, server.ctx.now())).some(({ id }) => id === of.ad.id),
  },
};

const SCOPE = ['website', 'zone', 'ad'];

/** Whether a reader says yes while a state lasts. A state of a website concerns its zones, and one of a zone its ads. */
function expected({ asks }: Reader, { of }: State): boolean {
  if (of === 'nothing') return true;
  return asks === 'sharing' ? of !== 'ad' : SCOPE.indexOf(of) > SCOPE.indexOf(asks);
}

const change = async ({ table, id }: State, to: string) =>
  await run(`update ${table} set ${to} where id = ${id(world)}`);

describe.each(Object.entries(STATES))('while %s', (_name, state) => {
  beforeAll(async () => {
    await server.app.refreshDelivery();
    await run('delete from delivery_changes');
    await change(state, state.begin);
  });
  afterAll(async () => {
    if (state.end) await change(state, state.end);
  });

  it.each(Object.entries(READERS))('%s says so', async (_what, reader) => {
    expect(await reader.read(world)).toBe(expected(reader, state));
  });

  // Proves DEL-44, PAUS-202
  it('the clock of the ad stands exactly while the ad runs and something else than its advertiser keeps it from being shown', async () => {
    const [since, suspended, zoneSuspended] = await Promise.all(
      [
        `ad_held_since(${world.ad.id})`,
        `ad_suspended_since(${world.ad.id})`,
        `zone_suspended_since(${world.zone.id})`,
      ].map(async (call) => await isTrue(`${call} is not null`)),
    );
    // No ad runs in a deleted zone or on an archived website, and an ad that is over needs no clock.
    const hasClock = /(?<!advertiser_)paused_at|suspended_at|disputed_at/.test(state.begin);
    expect({ since, suspended, zoneSuspended }).toEqual({
      since: hasClock,
      suspended: state.isSuspension ?? false,
      zoneSuspended: state.isSuspension === true && state.of !== 'ad',
    });
  });

  it('every instance of the ad server was told', async () => {
    if (state.of === 'nothing') return;
    const { rows } = await sql`
      select from delivery_changes where zone_id = ${world.zone.id}`.execute(server.ctx.db);
    expect(rows.length).toBeGreaterThan(0);
  });
});

const SOURCES = globSync('server/**/*.{ts,sql}').filter(
  (file) =>
    !/\.test\.ts$|^server\/testing\/|^server\/app\/sample\/|^server\/platform\/database\/migrations\/|^server\/platform\/database\/tables\.ts$/.test(
      file,
    ),
);

/** The declarations that call one of the functions, as 'file name'. */
function callers(): Set<string> {
  const found = new Set<string>();
  for (const file of SOURCES) {
    const text = readFileSync(file, 'utf8').replaceAll(/^\s*(?:--|\*|\/\*|\/\/).*$/gm, '');
    for (const { index } of text.matchAll(
      /\bis_(?:website_offered|website_listed|zone_offered|ad_blocked|ad_shown)\(/g,
    )) {
      const declarations = text
        .slice(0, index)
        .matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm);
      const name = file.endsWith('.sql') ? /(\w+)\.sql$/.exec(file)?.[1] : [...declarations].at(-1)?.[1];
      found.add(`${file} ${name}`);
    }
  }
  return found;
}

describe('a query that asks whether something is offered or shown', () => {
  it('is a row of the table above', () => {
    const definitions = [
      'is_website_offered',
      'is_website_listed',
      'is_zone_offered',
      'is_ad_blocked',
      'is_ad_shown',
    ];
    const readers = [...callers()].filter(
      (caller) => !definitions.some((name) => caller.endsWith(` ${name}`)),
    );
    expect(readers.toSorted()).toEqual([...new Set(Object.values(READERS).map(({ by }) => by))].toSorted());
  });

  it('does not repeat the conditions', () => {
    // Other questions about the same columns.
    const others = [
      /^server\/operator\//, // What the operator has done.
      /^server\/platform\/http\/sessions\.ts$/, // Who may sign in.
      /^server\/money\/payouts\/store\.ts$/, // Who is paid.
      /^server\/money\/books\/store-books\.ts$/, // Whose debts are doubtful.
      /^server\/results\/report-links\/store\.ts$/, // Whose reports are shown.
      /^server\/results\/campaign-mails\/store\.ts$/, // Who gets the mail of a week.
      /^server\/results\/analytics\/store\.ts$/, // The zones that the publisher has switched on.
      /^server\/delivery\/explain\/store-showing\.ts$/, // Which of the states keeps an ad from being shown.
      /^server\/platform\/database\/functions\/(?:[\w-]+\/)?(?:note_\w+|rank_changed_websites)\.sql$/, // Which changes concern readers.
      /^server\/platform\/database\/functions\/(?:[\w-]+\/)?(?:is|zone|ad)_(?:\w+_)?(?:offered|blocked|shown|suspended_since|pauses)\.sql$/,
    ];
    const repeats = SOURCES.filter((file) =>
      /suspended_at|\.suspendedAt'|'suspendedAt'|\b(?!p\.)\w+\.is_active|'(?:adZones|websites)\.isActive'/.test(
        readFileSync(file, 'utf8'),
      ),
    );
    expect(repeats.filter((file) => !others.some((other) => other.test(file)))).toEqual([]);
  });
});
