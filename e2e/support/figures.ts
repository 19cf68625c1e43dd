import type { Ad } from '#domain/ads/contract.ts';
import type { TestServer } from '../../server/testing/server.ts';

/** Counts as delivery would have counted in the hour of `at`; now unless given. */
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
