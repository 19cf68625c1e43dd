/** Writes figures into the database and finds them on a dashboard. */
import type { Locator, Page } from 'playwright-core';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Client } from '../../server/testing/client.ts';
import type { TestServer } from '../../server/testing/server.ts';
import { makeLiveAd } from '../../server/testing/story.ts';
import type { Suite } from './use-fixture.ts';

const REPORTS = { buyer: 'Campaign Performance', seller: 'Performance' } as const;
export const report = (page: Page, side: keyof typeof REPORTS = 'buyer') =>
  page.getByRole('region', { name: REPORTS[side], exact: true });
export const tile = (of: Locator, name: string) => of.getByRole('button', { name: new RegExp(`^${name}`) });

/** Counts views and clicks as delivery does, in the hour of `at` (default: now). */
export async function countFor(
  server: TestServer,
  ad: Ad,
  { views, clicks, at = server.clock.now() }: { views: number; clicks: number; at?: Date },
): Promise<void> {
  const { pool } = server.app;
  await pool.query(
    `insert into delivery_hourly (hour, ad_id, zone_id, kind, reason, n)
      select date_trunc('hour', $1::timestamptz), $2, $3, kind, '', n
        from unnest(array['view', 'click'], array[$4::int, $5::int]) as counted (kind, n) where n > 0
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = delivery_hourly.n + excluded.n`,
    [at, ad.id, ad.adZoneId, views, clicks],
  );
  await pool.query(
    `insert into ad_performance (ad_id, date, impressions, clicks) values ($1, ($2 at time zone 'utc')::date, $3, $4)
      on conflict (ad_id, date) do update set impressions = ad_performance.impressions + $3,
        clicks = ad_performance.clicks + $4`,
    [ad.id, at, views, clicks],
  );
  await pool.query(
    'update ads set total_impressions = total_impressions + $2, total_clicks = total_clicks + $3 where id = $1',
    [ad.id, views, clicks],
  );
}

/** 3,000 views for $200, so that 1,500 of them are half of it. */
const VIEWS = { price: '200', pricingModel: 'per_impression', impressions: 3000, duration: null };

/** Makes one paid campaign that has views of today and two days ago. */
async function makeFigures(
  { fixture: { server } }: Suite,
  seller: Client,
  buyer: Client,
  fields: Parameters<typeof makeLiveAd>[2] = {},
) {
  const product = { ...VIEWS, ...fields.product };
  const live = await makeLiveAd(seller, buyer, { ...fields, product });
  await countFor(server, live.ad, { views: 1200, clicks: 30 });
  const twoDaysAgo = later(server.clock.now(), -2 * DAY_MS);
  await countFor(server, live.ad, { views: 300, clicks: 3, at: twoDaysAgo });
  return live;
}

/** Opens a browser for an advertiser or publisher with the campaign of `makeFigures`. */
export async function enterWithFigures(
  suite: Suite,
  role: 'buyer' | 'seller',
  fields: Parameters<typeof makeLiveAd>[2] = {},
) {
  const person = await suite.enter(role);
  const other = await suite.client(role === 'buyer' ? 'seller' : 'buyer');
  const [buyer, seller] = role === 'buyer' ? [person.client, other] : [other, person.client];
  return { ...person, ...(await makeFigures(suite, seller, buyer, fields)), buyer, seller };
}
