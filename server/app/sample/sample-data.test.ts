import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { AD_STATUSES } from '#domain/ads/status.ts';
import { AD_TYPES } from '#domain/ads/types.ts';
import type { Bucket, CountingBucket } from '#domain/analytics/contract.ts';
import { addUp, grossOf } from '#domain/analytics/counting.ts';
import { DEFAULT_CATEGORIES } from '#domain/inventory/categories.ts';
import type { MarketplaceWebsite, Product } from '#domain/inventory/contract.ts';
import type { Plan } from '#domain/plans/contract.ts';
import { PRICING_MODELS } from '#domain/inventory/pricing.ts';
import { TRAFFIC_LEVELS, trafficLevel } from '#domain/inventory/traffic.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { sumOf } from '#server/testing/figures.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { SAMPLE_PASSWORD } from '#domain/accounts/passwords.ts';
import { addSampleData, SAMPLE_ACCOUNTS } from './sample-data.ts';

const server = useOwnServer();

async function signIn(email: string): Promise<Client> {
  const client = server.anyone();
  const answer = await client.post('/api/auth/login', { email, password: SAMPLE_PASSWORD });
  expect(answer).toMatchObject({ status: 200, body: { user: { email } } });
  return client;
}

const countAll = async () => {
  const counts: Record<string, number> = {};
  for (const table of [
    'users',
    'websites',
    'adZones',
    'adZoneProducts',
    'ads',
    'payments',
    'uploads',
  ] as const) {
    const rows = await server.ctx.db
      .selectFrom(table)
      .select((eb) => eb.lit(1).as('one'))
      .execute();
    counts[table] = rows.length;
  }
  return counts;
};

describe('the sample data', () => {
  // Proves GEN-01
  it('is added to an empty database only once, even by two instances at the same time', async () => {
    expect(await Promise.all([addSampleData(server.ctx), addSampleData(server.ctx)])).toContain(true);
    const first = await countAll();
    expect(first).toMatchObject({ users: 3, websites: 14 });
    expect(await addSampleData(server.ctx)).toBe(true);
    expect(await countAll()).toEqual(first);
  });

  // Proves GEN-01, ENT-03
  it('has accounts that can sign in as publisher, advertiser and both', async () => {
    const roles = [];
    for (const { email } of SAMPLE_ACCOUNTS) {
      const { body } = await (await signIn(email)).get('/api/auth/user');
      expect(body).toMatchObject({ isEmailVerified: true, hasCompletedOnboarding: true });
      roles.push(body.role);
    }
    expect(roles).toEqual(['seller', 'buyer', 'both']);
  });

  // Proves GEN-09, MKT-02, MKT-03, GEN-13
  it('has websites of every category and traffic level, with every ad type and pricing model', async () => {
    const buyer = await signIn('ada@openslot.test');
    const { body } = await buyer.get('/api/websites?limit=100');
    const websites = body as MarketplaceWebsite[];
    expect(new Set(websites.map(({ category }) => category))).toEqual(new Set(DEFAULT_CATEGORIES));
    expect(new Set(websites.map(({ monthlyVisitors }) => trafficLevel(monthlyVisitors)))).toEqual(
      new Set(TRAFFIC_LEVELS),
    );
    expect(new Set(websites.flatMap(({ adTypes }) => adTypes))).toEqual(new Set(AD_TYPES));
    expect(new Set(websites.map(({ isVerified }) => isVerified))).toEqual(new Set([true, false]));
    const products: Product[] = [];
    for (const { publicId } of websites) {
      for (const zone of (await buyer.get(`/api/websites/${publicId}/ad-zones`)).body) {
        products.push(...(await buyer.get(`/api/ad-zones/${zone.publicId}/products`)).body);
      }
    }
    expect(new Set(products.map(({ pricingModel }) => pricingModel))).toEqual(new Set(PRICING_MODELS));
  });

  // Proves CRE-16, STATE-06
  it('has ads in every status, with images, a video and counted figures', async () => {
    const ads: Ad[] = [];
    for (const email of ['ada@openslot.test', 'bo@openslot.test'])
      ads.push(...(await (await signIn(email)).get('/api/ads/my')).body);
    expect(new Set(ads.map(({ status }) => status))).toEqual(new Set(AD_STATUSES));
    const live = ads.filter(({ status }) => status === 'active');
    expect(new Set(live.map(({ adType }) => adType))).toEqual(new Set(AD_TYPES));
    for (const ad of ads.filter(({ status }) => status === 'active' || status === 'completed')) {
      expect(ad.totalImpressions).toBeGreaterThan(100);
      expect(ad.totalClicks).toBeGreaterThan(1);
    }
    for (const { imageUrl, videoUrl } of ads) {
      for (const url of [imageUrl, videoUrl]) {
        if (url !== null) expect((await server.anyone().get(url)).status).toBe(200);
      }
    }
    const unbalanced = await server.ctx.db
      .selectFrom('ledgerPostings')
      .select('txId')
      .groupBy('txId')
      .having((eb) => eb.fn.sum('amountCents'), '<>', 0)
      .execute();
    expect(unbalanced).toEqual([]);
  });

  it('has a plan whose ads are in every state before their end', async () => {
    const [plan] = (await (await signIn('ada@openslot.test')).get('/api/plans')).body as Plan[];
    expect(plan?.ads.map(({ status }) => status)).toEqual([
      'active',
      'active',
      'approved',
      'pending',
      'rejected',
    ]);
    expect(Number(plan?.delivered)).toBeGreaterThan(10);
  });

  // Proves GEN-08
  it('dates a sale in the ledger by the day on which the campaign was paid', async () => {
    const ada = await signIn('ada@openslot.test');
    const ads = ((await ada.get('/api/ads/my')).body as Ad[]).filter(({ startDate }) => startDate !== null);
    expect(ads.length).toBeGreaterThan(3);
    for (const { id, startDate } of ads) {
      const [sold] = (await ada.get(`/api/ads/${id}/ledger`)).body.entries as { kind: string; at: string }[];
      expect([sold?.kind, sold?.at.slice(0, 10)]).toEqual(['paid', String(startDate).slice(0, 10)]);
    }
  });

  // Proves FIG-03
  it.each([
    ['pat', 'seller', 41],
    ['ada', 'buyer', 41],
    ['bo', 'seller', 20],
    ['bo', 'buyer', 20],
  ])('gives %s, as %s, daily figures that add up to the dashboard’s cards', async (name, side, days) => {
    const client = await signIn(`${name}@openslot.test`);
    const day = (daysAgo: number) => utcDay(later(server.ctx.now(), -daysAgo * DAY_MS));
    const query = `side=${side}&from=${day(60)}&to=${day(0)}&step=day`;
    const { buckets } = (await client.get(`/api/analytics/series?${query}`)).body as { buckets: Bucket[] };
    expect(buckets.filter(({ impressions }) => impressions > 20).length).toBeGreaterThanOrEqual(days);
    expect(buckets.filter(({ clicks }) => clicks > 0).length).toBeGreaterThan(days / 2);
    expect(buckets.filter(({ amount }) => amount !== '0.00').length).toBeGreaterThanOrEqual(4);
    const { paid } = sumOf(buckets);
    const card = await client.get(`/api/analytics/${side === 'buyer' ? 'spending' : 'earnings'}`);
    expect(card.body[side === 'buyer' ? 'totalSpending' : 'totalEarnings']).toBe(paid);
  });

  // Proves DEL-39
  it('has a counting report that agrees with the series, for both sides', async () => {
    const day = (daysAgo: number) => utcDay(later(server.ctx.now(), -daysAgo * DAY_MS));
    for (const [name, side] of [
      ['ada', 'buyer'],
      ['pat', 'seller'],
    ] as const) {
      const client = await signIn(`${name}@openslot.test`);
      const query = `side=${side}&from=${day(60)}&to=${day(0)}&step=day`;
      const { buckets } = (await client.get(`/api/analytics/counting?${query}`)).body as {
        buckets: CountingBucket[];
      };
      const all = addUp(buckets);
      expect(all.decisions).toBeGreaterThan(all.rendered);
      expect(all.rendered).toBeGreaterThan(grossOf(all.views));
      expect(all.views.uncounted.length).toBeGreaterThan(3);
      expect(all.clicks.uncounted.length).toBeGreaterThan(0);
      const series = (await client.get(`/api/analytics/series?${query}`)).body as { buckets: Bucket[] };
      expect(buckets.map(({ views, clicks }) => [views.counted, clicks.counted])).toEqual(
        series.buckets.map(({ impressions, clicks }) => [impressions, clicks]),
      );
    }
  });

  // Proves DEL-39, SCALE-20
  it('has an event for each report that it counts or filters, as the archive compares them', async () => {
    const { rows } = await sql`
      select ad_id, kind, reason, day, sum(n) from (
        select ad_id, kind, reason, (hour at time zone 'utc')::date as day, n from delivery_hourly
          where ad_id is not null and kind <> 'decision' and reason not in ('duplicate', 'prefetch')
        union all
        select ad_id, kind, coalesce(reason, ''), (counted_at at time zone 'utc')::date, -1 from ad_events) as both_sides
        group by 1, 2, 3, 4 having sum(n) <> 0`.execute(server.ctx.db);
    expect(rows).toEqual([]);
  });

  // Proves GEN-08
  it('has earnings for its publisher, has sent no mail and leaves mail turned on', async () => {
    const { body } = await (await signIn('pat@openslot.test')).get('/api/analytics/earnings');
    expect(Number(body.totalEarnings)).toBeGreaterThan(100);
    // The tests of this file sign in, which is announced by mail.
    const messages = server.ctx.db.selectFrom('messages').selectAll().where('kind', '!=', 'new-device');
    expect(await messages.execute()).toEqual([]);
    const settings = await server.ctx.db.selectFrom('userSettings').select('emailNotifications').execute();
    expect(settings.every(({ emailNotifications }) => emailNotifications)).toBe(true);
  });
});

// Proves GEN-01
it('adds no sample data to a database that has users', async () => {
  const used = await untilTestEnds(startTestServer());
  await used.signIn('seller');
  expect(await addSampleData(used.ctx)).toBe(false);
  expect(await used.ctx.db.selectFrom('websites').selectAll().execute()).toEqual([]);
});

it('the sample data is in the categories of the operator', async () => {
  const bakers = await untilTestEnds(startTestServer({ env: { CATEGORIES: 'Bread, Bikes' } }));
  await addSampleData(bakers.ctx);
  const websites = await bakers.ctx.db.selectFrom('websites').select('category').distinct().execute();
  expect(websites.map(({ category }) => category).toSorted()).toEqual(['Bikes', 'Bread']);
});

// With a tax table, a payment needs the country of its advertiser.
it('is added with a tax table, whose country the sample accounts have', async () => {
  const german = await untilTestEnds(
    startTestServer({
      taxTable: '{"default": "0.00", "DE": "19.00"}',
      env: { SELLER_TAX_ID: 'DE136695976' },
    }),
  );
  expect(await addSampleData(german.ctx)).toBe(true);
  const settings = await german.ctx.db.selectFrom('userSettings').select('country').distinct().execute();
  expect(settings).toHaveLength(1);
  expect(await german.ctx.db.selectFrom('payments').select('id').execute()).not.toEqual([]);
});
