/** Fills a database with a marketplace at which nothing is due, as SQL. */
import type pg from 'pg';
import { withDatabase, withoutTriggers } from '../database/fill.ts';
import { fillBooks } from '../money/fill-books.ts';

/** `sales` is an even number of hundreds. Each has ten postings, and ten of eleven still run. */
export type Sizes = { zones: number; sales: number };

/** Zones of one website, and websites of one publisher. */
const EACH = 10;

/**
 * Fills an empty database. Half of the running ads are by the day and half have a quota, their tags have requested ads in
 * the last hour, and the provider has the movement of each payment. What the books need once, such as the signed log and
 * the documents, is left to the first run of the jobs.
 */
export async function fillMinute(ownerUrl: string, { zones, sales }: Sizes): Promise<void> {
  await withDatabase(ownerUrl, async (client) => {
    await client.query(`insert into users (email, password, role, is_email_verified)
      values ('trader1@bench.test', 'x', 'both', true)`);
  });
  await fillBooks(ownerUrl, sales, 'n % 11 > 0');
  await withDatabase(ownerUrl, async (client) => {
    await withoutTriggers(client, async () => {
      await addZones(client, zones);
      await client.query(SETTLE);
    });
    await client.query('vacuum analyze');
  });
}

async function addZones(client: pg.Client, zones: number): Promise<void> {
  await client.query(
    `create temp table made as
      with publisher as (
        insert into users (email, password, role, is_email_verified)
          select 'publisher' || n || '@bench.test', 'x', 'seller', true
            from generate_series(1, ceil($1::numeric / ${EACH * EACH})::integer) n
          returning id)
      select id, row_number() over (order by id) as place from publisher`,
    [zones],
  );
  await client.query(
    `with site as (
        insert into websites (user_id, name, description, url, category, monthly_visitors)
          select made.id, 'Site', 'About', 'https://site' || n || '.example', 'Travel', 500
            from generate_series(1, ceil($1::numeric / ${EACH})::integer) n
            join made on made.place = (n - 1) / ${EACH} + 1
          returning id)
      insert into ad_zones (website_id, name, width, height, zone_type, tag_seen_at)
        select site.id, 'Zone', 300, 250, 'rectangle', now() from site, generate_series(1, ${EACH})`,
    [zones],
  );
}

// The queue of mails is not run, so nobody gets any.
const SETTLE = `
  insert into user_settings (user_id, email_notifications) select id, false from users
    on conflict (user_id) do update set email_notifications = false;
  insert into site_checks (website_id, requested_at, checked_at, next_check_at)
    select id, now(), now(), now() + interval '1 day' from websites;
  insert into zone_measurements (zone_id, measured_on, days, low, likely, high, rendered, viewable, views, clicks, judged, invalid)
    select id, (now() at time zone 'utc')::date, 28, 1, id % 9973 + 1, 10000, 9, 9, 1000, 9, 9, 0 from ad_zones;
  update ads set pricing_model = 'per_day', duration = 90, impressions = null, end_date = now() + interval '30 days',
      day_began_at = now() - id % 20 * interval '1 hour', min_day_views = 1
    where status = 'active' and id % 2 = 0;
  insert into tag_looks (ad_id, look_at)
    select id, now() + (1 + id % 71) * interval '1 hour' from ads where status = 'active';
  insert into target_checks (ad_id, host, checked_at, due_at)
    select id, 'x.example', now(), now() + interval '1 day' from ads where status = 'active';
  insert into delivery_hourly (hour, ad_id, zone_id, kind, n)
    select date_trunc('hour', now(), 'utc') - h * interval '1 hour', id, ad_zone_id, kind, 9
      from ads, generate_series(0, 2) h, unnest(array['decision', 'view']) kind where status = 'active';
  insert into ad_unreported_clicks (ad_id, date, n) select id, (now() at time zone 'utc')::date, 1 from ads;
  insert into measured_clicks (decision_id, issued_on, ad_id, zone_id, counted, clicked_at)
    select decode(md5(id::text), 'hex'), (now() at time zone 'utc')::date, id, ad_zone_id, true, now() from ads;
  insert into ad_archive (ad_id, user_id, advertiser, title, description, started_at, ended_at)
    select id, user_id, 'Trader', title, description, start_date, end_date from ads;
  insert into provider_transactions (id, book, type, ledger_tx_id, amount_cents, fee_cents, net_cents, currency, created_at, seen_at, agrees)
    select external_ref, 'sandbox', 'charge', id, 10000, 320, 9680, 'USD', recorded_at, recorded_at, true
      from ledger_tx where kind = 'fee';
  insert into reconciliations (book, finished_at) values ('sandbox', now());
  insert into provider_events (id, source, type, payload, created_at, done_at)
    select 'evt_' || id, 'account', 'charge.updated', '{"objectId": "ch"}', now(), now() from payments;
  insert into disputes (dispute_id, payment_id, status, amount_cents, currency, opened_at, closed_at)
    select 'dp_' || id, id, 'won', 10000, 'USD', paid_at, now() from payments where id % 20 = 0;
  insert into refunds (payment_id, cause, amount_cents, publisher_cents, commission_cents, status)
    select p.id, 'canceled', 100, 85, 15, 'done' from payments p join ads a on a.id = p.ad_id where a.status = 'completed';
  insert into messages (recipient, mailbox, kind, subject, body_text, body_html, sent_at)
    select email, email, 'ad-completed', 'S', 'T', 'H', now() from users, generate_series(1, 5);
  insert into security_events (user_id, kind, at) select id, 'signed-in', now() from users, generate_series(1, 5);
  insert into known_devices (user_id, device_hash, last_used_at) select id, '\\x00', now() from users;
  insert into email_verifications (email, expires_at, link_expires_at) select email, now(), now() from users;
  insert into card_attempts (user_id, card, network, created_at) select id, 'card' || id, 'net' || id, now() from users;
  insert into uploads (name, user_id, rendition, content_type, byte_size, width, height, stored_at, expires_at)
    select 'upload-' || lpad(id::text, 20, '0'), id, id || '.webp', 'image/jpeg', 1, 1, 1, now(), now() from users;
  insert into mail_bounces (recipient, at, kind) select email, now(), 'soft' from users;
  insert into payment_consents (user_id, book, limit_cents, currency, state, agreed_text, network, created_at)
    select id, 'sandbox', 100, 'USD', 'withdrawn', 'T', 'N', now() from users;
  insert into consent_ads (consent_id, ad_id, amount_cents, state, next_try_at, changed_at)
    select c.id, a.id, 10000, 'paid', now(), now() from ads a join payment_consents c on c.user_id = a.user_id;
  insert into rate_limits (key, points, expire)
    select 'limit:' || id, 1, extract(epoch from now() + interval '1 day') * 1000 from users`;
