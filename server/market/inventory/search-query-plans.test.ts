import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '#server/platform/database/database.ts';
import { retiredCategories } from '#server/platform/database/settings.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { fillTables, planOf, type PlanNode, rowsMet } from '#server/testing/database/query-plans.ts';
import { selectSimilarZones, selectZoneSales } from './my-zones/store.ts';
import {
  claimSite,
  estimateChecked,
  selectOpenClaims,
  selectRivals,
  takeDueChecks,
} from './ownership/store-ownership.ts';
import {
  selectAdSpace,
  selectListedWebsite,
  selectOwnWebsites,
  selectProducts,
  selectZones,
} from './store.ts';
import { selectMarketplace } from './store-marketplace.ts';

const WEBSITES = 30_000;
const PAGE = { after: null, limit: 101 };

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.ownerUrl));
  // These two serve the operator's search only.
  await sql`drop index websites_operator_search, ad_zones_operator_search`.execute(db);
  const tables = [
    'users',
    'websites',
    'ad_zones',
    'ad_zone_products',
    'zone_measurements',
    'site_checks',
    'ownership_claims',
  ];
  await fillTables(db, tables, async (tx) => {
    // The first 500 are publishers. The others only advertise.
    await sql`
    insert into users (email, password)
    select 'user' || n || '@example.test', 'x' from generate_series(1, ${WEBSITES}) n`.execute(tx);
    await sql`
    insert into websites (user_id, name, description, url, category, monthly_visitors, is_active)
    select n % 500 + 1, 'Site ' || md5(n::text), 'About ' || md5((n * 7)::text), 'https://' || md5((n * 13)::text) || '.example',
      (array['Technology', 'Business', 'Health', 'Lifestyle', 'Finance', 'Education', 'Entertainment', 'Sports', 'Travel', 'Food'])[case when n % 500 = 0 then 10 else n % 9 + 1 end],
      case when n % 97 = 0 then 80000 when n % 7 = 0 then 20000 else 500 end, n % 20 <> 0
    from generate_series(1, ${WEBSITES}) n`.execute(tx);
    await sql`
    insert into ad_zones (website_id, name, width, height, zone_type)
    select n, 'Zone', case when n % 1000 = 7 then 728 else 300 end, case when n % 1000 = 7 then 90 else 250 end, 'custom'
      from generate_series(1, ${WEBSITES}) n`.execute(tx);
    await sql`
    insert into ad_zone_products (ad_zone_id, ad_type, price, duration)
    select n, case when n % 1000 = 7 then 'video' else 'text' end, 10, 1 from generate_series(1, ${WEBSITES}) n`.execute(
      tx,
    );
    await sql`
    insert into zone_measurements
        (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks, judged, invalid)
      select n, '2026-11-01', 28, 1, n % 1000 + 1, 2000, 9, 9, 1000, n % 40, 9, 0
        from generate_series(1, ${WEBSITES}) n where n % 3 > 0`.execute(tx);
    await sql`
    insert into site_checks (website_id, requested_at, next_check_at)
    select n, now(), now() + n * interval '1 second' from generate_series(1, ${WEBSITES}) n`.execute(tx);
    await sql`
    insert into ownership_claims (website_id, opened_at, refused_at, reason)
    select n, now(), case when n % 100 > 0 then now() end, case when n % 100 > 0 then 'Sold' end
    from generate_series(1, 5000) n`.execute(tx);
  });
  // Does the work of the tables' triggers, which were off.
  await sql`select rank_websites(array(select id from websites))`.execute(db);
  await sql`vacuum analyze website_ranks`.execute(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const analyzed = (run: (tx: Database) => Promise<unknown>) => planOf(db, run, { analyze: true });

function indexes(plan: PlanNode[]): Set<string> {
  return new Set(plan.flatMap((node) => node['Index Name'] ?? []));
}

// Proves API-47, OP-080, MKT-01, MKT-02, MKT-03
it.each([
  ['the newest websites', {}, 'websites_pkey'],
  ['websites of a big category', { category: 'Travel' }, 'websites_'],
  ['websites of a small category', { category: 'Food' }, 'websites_by_category'],
  ['websites with high traffic', { traffic: 'high' }, 'websites_by_traffic'],
  ['websites with low traffic', { traffic: 'low' }, 'websites_'],
  [
    'websites of a category with high traffic',
    { category: 'Technology', traffic: 'high' },
    'websites_by_category_and_traffic',
  ],
  ['websites by a rare word', { search: 'c4ca4238a0b923820dcc509a6f75849b' }, 'websites_search'],
  ['websites by a word that no website has', { search: 'zebra' }, 'websites_search'],
  ['websites by a word that every website has', { search: 'site' }, 'websites_pkey'],
  [
    'websites by a word that every website has, with low traffic',
    { search: 'site', traffic: 'low' },
    'websites_',
  ],
  ['websites by a rare word, with low traffic', { search: 'c4ca4238a0', traffic: 'low' }, 'websites_search'],
  [
    'websites by a rare word in a category',
    { search: 'c4ca4238a0', category: 'Business' },
    'websites_search',
  ],
] as const)('finds %s by an index', async (_what, filter, index) => {
  for (const after of [null, { key: WEBSITES / 2, id: WEBSITES / 2 }]) {
    const plan = await analyzed((tx) => selectMarketplace(tx, { ...filter, sort: 'newest', after }, 13));
    expect([...indexes(plan)].some((name) => name.startsWith(index))).toBe(true);
    expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    // For every filter, a page reads about as many rows as it shows, and reads the zones of each by index.
    expect(rowsMet(plan, 'websites')).toBeLessThan(500);
    expect(rowsMet(plan, 'users')).toBeLessThan(500);
    expect(indexes(plan)).toContain('ad_zones_website');
  }
});

it('finds the retired categories by one step of an index for each category', async () => {
  expect(await retiredCategories(db, ['Food', 'Travel', 'Health'])).toHaveLength(7);
  const plan = await analyzed((tx) => retiredCategories(tx, ['Food']));
  expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  expect(rowsMet(plan, 'websites')).toBeLessThan(50);
});

it.each([
  ['all websites by price', { sort: 'price' }, 'website_ranks_price', 10_000],
  ['all websites by measured views', { sort: 'views' }, 'website_ranks_views', 900],
  [
    'websites with low traffic by measured views',
    { sort: 'views', traffic: 'low' },
    'website_ranks_views_of_traffic',
    500,
  ],
  ['all websites by click-through rate', { sort: 'ctr' }, 'website_ranks_ctr', 20_000],
  ['all websites by name', { sort: 'name' }, 'website_ranks_name', 'site 5'],
  [
    'websites of a big category by price',
    { sort: 'price', category: 'Travel' },
    'website_ranks_price',
    10_000,
  ],
  [
    'websites of a small category by price',
    { sort: 'price', category: 'Food' },
    'websites_by_category',
    10_000,
  ],
  [
    'websites by a word that every website has, by name',
    { sort: 'name', search: 'site' },
    'website_ranks_name',
    'site 5',
  ],
  [
    'websites by a rare word, by price',
    { sort: 'price', search: 'c4ca4238a0b923820dcc' },
    'websites_search',
    10_000,
  ],
] as const)('sorts %s by an index', async (_what, filter, index, key) => {
  for (const after of [null, { key, id: 5 }]) {
    const plan = await analyzed((tx) => selectMarketplace(tx, { ...filter, after }, 13));
    expect([...indexes(plan)].some((name) => name.startsWith(index))).toBe(true);
    expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    for (const table of ['websites', 'users', 'website_ranks'])
      expect(rowsMet(plan, table)).toBeLessThan(500);
  }
});

const BANNER = { width: 728, height: 90 };
it.each([
  ['all websites by measured views', { sort: 'views' }, 'website_ranks_views', 900],
  ['all websites by lowest price', { sort: 'lowest' }, 'website_ranks_lowest', 1000],
  ['a common ad type', { sort: 'views', offer: { adType: 'text' } }, 'website_ranks_views', 900],
  ['a rare ad type', { sort: 'views', offer: { adType: 'video' } }, 'website_ranks_offers', 900],
  ['a rare size', { sort: 'name', offer: { size: BANNER } }, 'website_ranks_offers', 'site 5'],
  [
    'a rare type and size',
    { sort: 'newest', offer: { adType: 'video', size: BANNER } },
    'website_ranks_offers',
    25_000,
  ],
  [
    'a type and a size that no option has',
    { sort: 'views', offer: { adType: 'text', size: BANNER } },
    'website_ranks_offers',
    900,
  ],
  [
    'a price that no option has',
    { sort: 'views', offer: { maxPriceCents: 999 } },
    'website_ranks_lowest',
    900,
  ],
  [
    'a common price on a day',
    { sort: 'views', offer: { maxPriceCents: 1000, openOn: '2027-05-01' } },
    'website_ranks_views',
    900,
  ],
  [
    'a rare type below a price',
    { sort: 'lowest', offer: { adType: 'video', maxPriceCents: 1000 } },
    'website_ranks_offers',
    1000,
  ],
] as const)('the catalogue finds %s by an index', async (_what, filter, index, key) => {
  for (const after of [null, { key, id: filter.sort === 'newest' ? Number(key) : 5 }]) {
    const plan = await analyzed((tx) => selectMarketplace(tx, { ...filter, isListed: true, after }, 25));
    expect([...indexes(plan)].some((name) => name.startsWith(index))).toBe(true);
    expect(plan.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    for (const table of ['websites', 'users', 'website_ranks'])
      expect(rowsMet(plan, table)).toBeLessThan(1000);
  }
});

it('finds the website of a page and of an ad-space link by an index', async () => {
  const host = 'c4ca4238a0b923820dcc509a6f75849b.example';
  expect(indexes(await analyzed((tx) => selectListedWebsite(tx, { host })))).toContain('websites_page');
  const publicId = '00000000-0000-4000-8000-000000000000';
  expect(indexes(await analyzed((tx) => selectListedWebsite(tx, { publicId })))).toContain(
    'websites_public_id_key',
  );
  const space = await analyzed((tx) => selectAdSpace(tx, { publicId }, { publicId }));
  expect(space.map((node) => node['Node Type'])).not.toContain('Seq Scan');
});

// Proves API-48, API-49, API-50
it('reads a user’s websites, a website’s zones and a zone’s pricing options by index', async () => {
  expect(indexes(await analyzed((tx) => selectOwnWebsites(tx, 7, PAGE)))).toContain('websites_owner');
  expect(indexes(await analyzed((tx) => selectZones(tx, 7, 'offered', PAGE, new Date())))).toContain(
    'ad_zones_website',
  );
  expect(indexes(await analyzed((tx) => selectProducts(tx, 7, 'active', PAGE)))).toContain(
    'ad_zone_products_zone',
  );
});

// Proves OWN-02, OWN-04, OWN-05
it('finds due checks, rivals for a site and open claims by index', async () => {
  const host = 'c4ca4238a0b923820dcc509a6f75849b.example';
  const now = new Date();
  const due = await analyzed((tx) => takeDueChecks(tx, now, now, 40));
  expect(indexes(due)).toContain('site_checks_due');
  expect(rowsMet(due, 'site_checks')).toBeLessThan(500);
  const checked = await db
    .selectFrom('siteChecks')
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirstOrThrow();
  const estimate = await estimateChecked(db);
  expect(estimate / Number(checked.n)).toBeCloseTo(1, 1);
  expect(indexes(await analyzed((tx) => selectRivals(tx, host, 7)))).toContain('websites_host');
  const website = { id: 7, token: 'x', url: `https://${host}`, host };
  const claim = await analyzed((tx) => claimSite(tx, website, now));
  expect(claim.map((node) => node['Node Type'])).not.toContain('Seq Scan');
  const open = await analyzed((tx) => selectOpenClaims(tx, null, 21));
  expect(indexes(open)).toContain('ownership_claims_open');
});

it("the overview of a publisher's zones reads no zones of others", async () => {
  const after = { websiteId: 2000, id: 2000 };
  const plan = await analyzed((tx) => selectZoneSales(tx, 1, { after, limit: 11 }));
  expect([...indexes(plan)]).toEqual(expect.arrayContaining(['websites_owner', 'ad_zones_website']));
  // The publisher has 60 websites with one zone each.
  expect(rowsMet(plan, 'websites')).toBeLessThanOrEqual(60);
  expect(rowsMet(plan, 'ad_zones')).toBeLessThanOrEqual(60);
});

it('similar prices come from the newest zones of a size and of a type', async () => {
  const compare = (zone: { width: number; zoneType: string }) =>
    analyzed((tx) =>
      selectSimilarZones(tx, { id: 1, height: 250, category: 'Food', ...zone }, 1, new Date('2026-11-25')),
    );
  const rare = await compare({ width: 301, zoneType: 'banner' });
  expect([...indexes(rare)]).toEqual(expect.arrayContaining(['ad_zones_of_size', 'ad_zones_of_type']));
  expect(rowsMet(rare, 'ad_zones')).toBeLessThanOrEqual(10);
  expect(rowsMet(await compare({ width: 300, zoneType: 'rectangle' }), 'ad_zones')).toBeLessThanOrEqual(1000);
});
