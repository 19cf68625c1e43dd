/**
 * The ad server of the part growth, without jobs, on a database that has grown for a year. Usage:
 * `node growth-server.ts DATA_DIR EVENTS SALES WEBSITES VIEWS`.
 */
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { buildApp } from '../../server/app/app.ts';
import { createTokens } from '../../server/delivery/tokens/tokens.ts';
import { withDatabase, withoutTriggers } from '../../server/testing/database/fill.ts';
import { SITE } from '../../server/testing/delivery/running-ads.ts';
import { fillBooks } from '../../server/testing/money/fill-books.ts';
import { openBenchDatabase } from './app.ts';
import { DAYS_OF_EVENTS } from './growth-sizes.ts';
import { endWithBench } from './process.ts';
import { viewPaths } from './view-paths.ts';

export type GrowthReady = {
  port: number;
  databaseUrl: string;
  ownerUrl: string;
  /** The zone whose ads are asked for, and the ads whose views are reported. */
  zone: string;
  adIds: number[];
  views: string[];
  /** The events of each of the days whose events are kept. */
  eventsOfDay: number;
  hours: number;
};

/** Hours stay hours for this many days before today. The oldest of them is due. */
const DAYS_OF_HOURS = 61;

const [dataDir = '', ...sizes] = process.argv.slice(2);
const [events = 0, sales = 0, websites = 0, views = 0] = sizes.map(Number);
rmSync(dataDir, { recursive: true, force: true });
const { config, databaseUrl, ownerUrl, sessionSecret, close } = await openBenchDatabase(dataDir);
await withDatabase(ownerUrl, async (client) => {
  // The first trader of the books.
  await client.query(`with added as (
      insert into users (email, password, role, is_email_verified) values ('trader1@bench.test', 'x', 'both', true) returning id)
    insert into user_settings (user_id) select id from added`);
});
await fillBooks(ownerUrl, sales);
const { filled, shown } = await withDatabase(ownerUrl, async (client) => {
  await withoutTriggers(client, async () => await fillFigures(client));
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ hours: string; events: string }>(
    `select (select count(*) from delivery_hourly) as hours, (select count(*) from ad_events) / ${DAYS_OF_EVENTS} as events`,
  );
  // The views are those of running campaigns in the books.
  const { rows: zones } = await client.query<{ zoneId: number; zone: string; adIds: number[] }>(
    `with shown as (
        select ad_zone_id, array_agg(id) as ads from ads where status = 'active' group by 1 order by 1 limit 1
      ), moved as (
        update websites set url = $1 where id = (select website_id from ad_zones z join shown s on s.ad_zone_id = z.id))
      select z.id as "zoneId", z.public_id as zone, s.ads as "adIds" from shown s join ad_zones z on z.id = s.ad_zone_id`,
    [SITE],
  );
  return { filled: rows[0]!, shown: zones[0]! };
});

const app = await buildApp({ config, databaseUrl, sessionSecrets: [sessionSecret], logger: false });
await app.refreshDelivery();
await app.fastify.listen({ port: 0, host: '127.0.0.1' });
endWithBench(async () => await app.close().then(close));
const ready: GrowthReady = {
  port: (app.fastify.server.address() as AddressInfo).port,
  databaseUrl,
  ownerUrl,
  zone: shown.zone,
  adIds: shown.adIds,
  views: viewPaths(createTokens([sessionSecret]), { ...shown, count: views }),
  eventsOfDay: Number(filled.events),
  hours: Number(filled.hours),
};
process.send?.(ready);

/** A year of counted views of each ad, their events of some days, and clicks that are older than any valid token. */
async function fillFigures(client: pg.Client): Promise<void> {
  const each = Math.max(1, Math.round(events / DAYS_OF_EVENTS / 24 / sales));
  const today = `date_trunc('day', now(), 'utc')`;
  for (const statement of [
    `insert into websites (user_id, name, url, category, monthly_visitors)
      select 1, 'Site', 'https://s' || n || '.example', 'Food', 10000 from generate_series(1, ${websites}) n`,
    // Days that are older are folded.
    `insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select ${today} - d * interval '1 day', id, ad_zone_id, 'view', ${each} * 24
        from generate_series(${DAYS_OF_HOURS + 1}, 365) d, ads order by 1`,
    `insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
      select ${today} - h * interval '1 hour', id, ad_zone_id, 'view', ${each}
        from generate_series(1, ${DAYS_OF_HOURS} * 24) h, ads order by 1`,
    `select ensure_event_partition((now() at time zone 'utc')::date - d) from generate_series(0, ${DAYS_OF_EVENTS}) d`,
    `insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at)
      select (h.hour at time zone 'utc')::date, decode(substr(md5(random()::text), 1, 24), 'hex'), 'view', h.ad_id, h.zone_id,
          h.hour + k * interval '1 second', h.hour + k * interval '1 second'
        from delivery_hourly h, generate_series(1, ${each}) k
        where h.hour >= ${today} - ${DAYS_OF_EVENTS} * interval '1 day'
        on conflict do nothing`,
    `insert into measured_clicks (decision_id, issued_on, ad_id, zone_id, counted, clicked_at)
      select decode(substr(md5(random()::text), 1, 24), 'hex'), current_date - 90, 1, 1, true, now() - interval '90 days'
        from generate_series(1, ${events} / 100) on conflict do nothing`,
  ])
    await client.query(statement);
}
