/** Measures how the cost of a page grows with its tables: the same requests over a small and over a large table. */
import { performance } from 'node:perf_hooks';
import { hashPassword } from '../../server/people/accounts/keys/passwords.ts';
import { Client } from '../../server/testing/client.ts';
import { withDatabase } from '../../server/testing/database/fill.ts';
import { median } from './median.ts';

const PASSWORD = 'a password for the bench';
const TRIES = 40;

/** The median time of each request in milliseconds. */
export type Times = Record<string, number>;

export async function openAccount(ownerUrl: string, serverUrl: string): Promise<Client> {
  await withDatabase(ownerUrl, async (client) => {
    await client.query(
      `with u as (insert into users (email, password, role, is_email_verified, has_completed_onboarding)
         values ('bench@example.test', $1, 'both', true, true) returning id)
       insert into user_settings (user_id) select id from u`,
      [await hashPassword(PASSWORD)],
    );
  });
  const account = new Client(serverUrl);
  const { status } = await account.post('/api/auth/login', {
    email: 'bench@example.test',
    password: PASSWORD,
  });
  if (status !== 200) throw new Error(`Signing in answered ${status}`);
  return account;
}

/** Adds websites of 1,000 publishers until there are `total`, each with an ad zone and a price. */
export async function fillMarketplace(ownerUrl: string, total: number): Promise<void> {
  await withDatabase(ownerUrl, async (client) => {
    await client.query(`insert into users (email, password)
      select 'publisher' || n || '@bench.test', 'x' from generate_series(1, 1000) n on conflict do nothing`);
    // Disable the triggers that notify the ad server. Two million notifications would take longer than the inserts.
    const notifying = ['ad_zones', 'ad_zone_products'];
    for (const table of notifying) await client.query(`alter table ${table} disable trigger user`);
    // Drop the full-text index and build it after the inserts, which is faster than updating it for each row.
    const { rows: words } = await client.query<{ indexname: string; indexdef: string }>(
      `select indexname, indexdef from pg_indexes where tablename = 'websites' and indexdef like '% USING gin %'`,
    );
    for (const { indexname } of words) await client.query(`drop index ${indexname}`);
    await client.query(
      `with first as (select min(id) as id from users where email like '%@bench.test'),
        made as (
          insert into websites (user_id, name, description, url, category, monthly_visitors)
            select first.id + n % 1000, 'Site ' || md5(n::text), 'About ' || md5((n * 7)::text),
              'https://' || md5((n * 13)::text) || '.example',
              (array['Technology', 'Business', 'Health', 'Lifestyle', 'Finance', 'Education', 'Sports', 'Travel', 'Food'])[n % 9 + 1],
              case when n % 97 = 0 then 80000 when n % 7 = 0 then 20000 else 500 end
            from first, generate_series((select count(*) from websites) + 1, $1::bigint) n
            returning id),
        zones as (
          insert into ad_zones (website_id, name, width, height, zone_type)
            select id, 'Zone', case when id % 1000 = 0 then 970 when id % 10 = 0 then 728 else 300 end,
                case when id % 1000 = 0 or id % 10 > 0 then 250 else 90 end, 'custom'
              from made returning id)
        insert into ad_zone_products (ad_zone_id, ad_type, price, duration)
          select id, case when id % 500 = 1 then 'video' when id % 4 = 0 then 'image' else 'text' end, 5 + id % 997, 1
            from zones`,
      [total],
    );
    for (const table of notifying) await client.query(`alter table ${table} enable trigger user`);
    await client.query(`set maintenance_work_mem = '1GB'`);
    for (const { indexdef } of words) await client.query(indexdef);
    await client.query('vacuum analyze');
  });
}

export async function timeMarketplace(account: Client): Promise<Times> {
  const known = (await account.get('/api/websites?limit=1')).body as { name: string }[];
  const rare = known[0]?.name.slice(5, 15) ?? '';
  return await time(account, {
    'first page': '/api/websites',
    'rare word': `/api/websites?search=${rare}`,
    'common word': '/api/websites?search=site',
    'category and traffic': '/api/websites?category=Travel&traffic=high',
    'by price': '/api/websites?sort=price',
  });
}

/** Adds websites until there are `total`, measures two thirds of their ad zones, and ranks them. */
export async function fillCatalogue(ownerUrl: string, total: number): Promise<void> {
  await fillMarketplace(ownerUrl, total);
  await withDatabase(ownerUrl, async (client) => {
    await client.query('alter table zone_measurements disable trigger user');
    await client.query(`insert into zone_measurements
        (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks, judged, invalid)
      select id, current_date, 28, 1, id % 9973 + 1, 10000, 9, 9, 1000, id % 40, 9, 0 from ad_zones where id % 3 > 0
      on conflict do nothing`);
    await client.query('alter table zone_measurements enable trigger user');
    await client.query('select rank_websites(array(select id from websites))');
    await client.query('vacuum analyze');
  });
}

/** The public pages, without a session. */
export async function timeCatalogue(ownerUrl: string, visitor: Client): Promise<Times> {
  const hosts = await withDatabase(ownerUrl, async (client) => {
    const { rows } = await client.query<{ host: string }>('select host from websites order by id limit 100');
    return rows.map(({ host }) => host);
  });
  let next = 0;
  const times = await time(visitor, {
    'first page': '/sites',
    'by price': '/sites?sort=price',
    'a rare ad type': '/sites?adType=video',
    'a common ad type below a price': '/sites?adType=image&maxPrice=100',
    'a rare size in a category': '/sites?size=970x250&category=Travel',
    'a word': '/sites?q=site',
    'a day': '/sites?from=2099-01-01&traffic=low',
  });
  const site = await timeEach({
    'page of a website': async () => await load(visitor, `/sites/${hosts[next++ % hosts.length]}`),
  });
  return { ...times, ...site };
}

/**
 * Adds ads until there are `ads`, each with 30 days of `viewsPerDay`. Twenty of them belong to the bench's account.
 * Returns the sum of all views.
 */
export async function fillFigures(ownerUrl: string, ads: number, viewsPerDay: number): Promise<bigint> {
  return await withDatabase(ownerUrl, async (client) => {
    await client.query('alter table ads disable trigger user');
    await client.query(
      `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
          pricing_model, impressions, status, payment_intent_id, start_date, approved_at, total_impressions)
        select case when n <= 20 then (select id from users where email = 'bench@example.test')
            else (select min(id) from users where email like '%@bench.test') + n % 1000 end,
          (select min(id) from ad_zones) + n % 1000, 'text', 'T', 'D', 'https://x.example', 100, 15, 'per_impression',
          2000000000, 'active', 'bench_' || n, now() - interval '30 days', now() - interval '30 days', 0
        from generate_series((select count(*) from ads where payment_intent_id like 'bench_%') + 1, $1::bigint) n`,
      [ads],
    );
    await client.query('alter table ads enable trigger user');
    await client.query(
      `insert into payments (ad_id, user_id, book, currency, intent_id, amount_cents, commission_cents, status, charge_id, paid_at)
        select id, user_id, 'sandbox', 'USD', payment_intent_id, 10000, 1500, 'succeeded', 'ch_' || id, start_date
          from ads where payment_intent_id like 'bench_%' on conflict do nothing`,
    );
    await client.query(
      `insert into ad_performance as p (ad_id, date, impressions, clicks)
        select id, current_date - d, $1, $1 / 100 from ads, generate_series(0, 29) d where payment_intent_id like 'bench_%'
        on conflict (ad_id, date) do update set impressions = excluded.impressions, clicks = excluded.clicks`,
      [viewsPerDay],
    );
    await client.query(
      `insert into delivery_hourly as h (hour, ad_id, zone_id, kind, n)
        select date_trunc('hour', now()) - d * interval '1 hour', id, ad_zone_id, 'view', greatest(1, $1 / 24)
          from ads, generate_series(0, 719) d where payment_intent_id like 'bench_%'
        on conflict (ad_id, zone_id, hour, kind, reason) do update set n = excluded.n`,
      [viewsPerDay],
    );
    await client.query('vacuum analyze');
    const { rows } = await client.query<{ views: string }>(
      'select sum(impressions) as views from ad_performance',
    );
    return BigInt(rows[0]?.views ?? 0);
  });
}

export async function timeDashboard(account: Client): Promise<Times> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const range = `from=${day(29)}&to=${day(0)}`;
  return await time(account, {
    spending: '/api/analytics/spending',
    earnings: '/api/analytics/earnings',
    campaigns: '/api/ads/my',
    'figures per day': `/api/analytics/series?side=buyer&step=day&${range}`,
    breakdown: `/api/analytics/breakdown?side=buyer&by=campaign&${range}`,
  });
}

async function time(account: Client, requests: Record<string, string>): Promise<Times> {
  return await timeEach(
    Object.fromEntries(Object.entries(requests).map(([name, path]) => [name, () => load(account, path)])),
  );
}

/** Throws if the server does not answer 200. */
export async function load(account: Client, path: string): Promise<void> {
  const { status } = await account.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

/** Times each work once per round. */
export async function timeEach(works: Record<string, () => Promise<unknown>>): Promise<Times> {
  const taken = new Map<string, number[]>();
  for (let round = 0; round < TRIES; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const from = performance.now();
      await work();
      // Ignore the first rounds, which meet cold caches.
      if (round >= 5) taken.set(name, [...(taken.get(name) ?? []), performance.now() - from]);
    }
  }
  return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)]));
}
