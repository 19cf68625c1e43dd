/**
 * The SQL of a cell in its own database. The rows of users, websites, ad zones, prices, files and ads are those of the
 * marketplace, as far as serving needs them, so that the ad server works with them as with its own.
 */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { SentFigure, SentFile, SentZone, ZonesAnswer } from '../wire.ts';

export type Progress = {
  marketplace: string;
  cell: string;
  horizon: string;
  database: string;
  readingAfter: number | null;
  isComplete: boolean;
  step: number;
  /** How long ago the last step was, by the clock of the database. */
  ageMs: number;
};

/** Undefined before the first answer of the marketplace. */
export async function findProgress(tx: Tx): Promise<Progress | undefined> {
  const { rows } = await sql<Progress>`
    select marketplace, cell, horizon, database, reading_after, is_complete, step,
        1000 * extract(epoch from clock_timestamp() - pulled_at)::float8 as age_ms
      from cell_progress`.execute(tx);
  return rows[0];
}

/** Notes a step, unless another server of the cell has made one since `before`. Returns whether it was noted. */
export async function noteProgress(
  tx: Tx,
  before: Progress | undefined,
  to: Omit<Progress, 'step' | 'ageMs'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into cell_progress as p
        (marketplace, cell, horizon, database, reading_after, is_complete, step, pulled_at)
      values (${to.marketplace}, ${to.cell}, ${to.horizon}, ${to.database}, ${to.readingAfter}, ${to.isComplete}, 1,
        clock_timestamp())
      on conflict (is_only) do update
        set horizon = excluded.horizon, database = excluded.database, reading_after = excluded.reading_after,
          is_complete = excluded.is_complete, step = p.step + 1, pulled_at = excluded.pulled_at
        where p.step = ${before?.step ?? -1}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Zones that this cell holds in a range of ids. */
export async function findHeldZones(tx: Tx, after: number, until: number | null): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ad_zones
      where id > ${after} and (${until}::integer is null or id <= ${until}) and deleted_at is null`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Stops serving these zones. Their figures stay. */
export async function removeZones(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update ad_zones set is_active = false, deleted_at = ${at}
      where id = any(${ids}) and deleted_at is null`.execute(tx);
  await endOtherAds(tx, ids, [], at);
}

/** Writes these zones as the marketplace has them, with everything that serves their ads. */
export async function writeZones(
  tx: Tx,
  { zones, files }: Pick<ZonesAnswer, 'zones' | 'files'>,
  at: Date,
): Promise<void> {
  if (zones.length === 0) return;
  const zoneIds = zones.map(({ id }) => id);
  const ads = zones.flatMap((zone) => zone.ads.map((ad) => ({ ...ad, zoneId: zone.id })));
  const adIds = ads.map(({ id }) => id);
  await writePeople(tx, zones);
  await writeSites(tx, zones);
  await writeOffers(tx, zones);
  await writeFiles(tx, files, zones[0]!.publisherId, at);
  // After people and ad zones, as in every transaction (decision 049).
  await sql`select from ads where ad_zone_id = any(${zoneIds}) order by id for no key update`.execute(tx);
  await takeWithdrawn(tx, ads);
  await writeAds(tx, ads, at);
  await writeSeconds(tx, ads, at);
  await endOtherAds(tx, zoneIds, adIds, at);
  await sql`select note_delivery_change(id) from unnest(${zoneIds}::integer[]) as z (id)`.execute(tx);
}

/** Of people, a cell knows no more than visitors may see. Nobody can sign in with such an account. */
async function writePeople(tx: Tx, zones: readonly SentZone[]): Promise<void> {
  const people = new Map(zones.map(({ publisherId }) => [publisherId, null as string | null]));
  for (const { advertiserId, advertiser } of zones.flatMap((zone) => zone.ads))
    people.set(advertiserId, advertiser);
  await sql`
    insert into users (id, email, password, first_name) overriding system value
      select p.id, 'user-' || p.id || '@cell.invalid', '', p.name
        from unnest(${[...people.keys()]}::integer[], ${[...people.values()]}::text[]) as p (id, name)
        order by p.id
      on conflict (id) do update set first_name = excluded.first_name
        where excluded.first_name is not null and users.first_name is distinct from excluded.first_name`.execute(
    tx,
  );
}

async function writeSites(tx: Tx, zones: readonly SentZone[]): Promise<void> {
  await sql`
    insert into websites (id, public_id, user_id, name, url, category, monthly_visitors) overriding system value
      select distinct on (s."websiteId") s."websiteId", s."websitePublicId", s."publisherId", s."websiteUrl", s."websiteUrl",
          s.category, s."monthlyVisitors"
        from jsonb_to_recordset(${JSON.stringify(zones)}::jsonb) as s ("websiteId" integer, "websitePublicId" uuid,
          "publisherId" integer, "websiteUrl" text, category text, "monthlyVisitors" integer)
        order by s."websiteId"
      on conflict (id) do update
        set user_id = excluded.user_id, name = excluded.name, url = excluded.url, category = excluded.category,
          monthly_visitors = excluded.monthly_visitors`.execute(tx);
  await sql`
    insert into ad_zones (id, public_id, website_id, name, width, height, zone_type, look, accent, house_title,
        house_description, house_url, excludes, is_active) overriding system value
      select s.id, s."publicId", s."websiteId", s.name, s.width, s.height, s."zoneType", s.look, s.accent, s."houseTitle",
          s."houseDescription", s."houseUrl", nullif(s.excludes, 'null'), s."isOffered"
        from jsonb_to_recordset(${JSON.stringify(zones)}::jsonb) as s (id integer, "publicId" uuid, "websiteId" integer,
          name text, width integer, height integer, "zoneType" text, look text, accent text, "houseTitle" text,
          "houseDescription" text, "houseUrl" text, excludes jsonb, "isOffered" boolean)
        order by s.id
      on conflict (id) do update
        set website_id = excluded.website_id, name = excluded.name, width = excluded.width, height = excluded.height,
          zone_type = excluded.zone_type, look = excluded.look, accent = excluded.accent,
          house_title = excluded.house_title, house_description = excluded.house_description,
          house_url = excluded.house_url, excludes = excluded.excludes, is_active = excluded.is_active,
          deleted_at = null`.execute(tx);
}

/** Only the lowest price of a zone is shown in it. */
async function writeOffers(tx: Tx, zones: readonly SentZone[]): Promise<void> {
  const offers = zones.flatMap(({ id, offer }) => (offer === null ? [] : [{ ...offer, zoneId: id }]));
  await sql`
    delete from ad_zone_products
      where ad_zone_id = any(${zones.map(({ id }) => id)}) and id <> all(${offers.map(({ id }) => id)})`.execute(
    tx,
  );
  await sql`
    insert into ad_zone_products (id, ad_zone_id, ad_type, price, pricing_model, duration, impressions, clicks)
        overriding system value
      select s.id, s."zoneId", s."adType", s.price, s."pricingModel", s.duration, s.impressions, s.clicks
        from jsonb_to_recordset(${JSON.stringify(offers)}::jsonb) as s (id integer, "zoneId" integer, "adType" text,
          price numeric, "pricingModel" text, duration integer, impressions integer, clicks integer)
        order by s.id
      on conflict (id) do update
        set ad_type = excluded.ad_type, price = excluded.price, pricing_model = excluded.pricing_model,
          duration = excluded.duration, impressions = excluded.impressions, clicks = excluded.clicks`.execute(
    tx,
  );
}

async function writeFiles(tx: Tx, files: readonly SentFile[], userId: number, at: Date): Promise<void> {
  await sql`
    insert into uploads (name, user_id, rendition, content_type, byte_size, width, height, duration_ms, stored_at, expires_at)
      select s.name, ${userId}, s.rendition, s."contentType", s."byteSize", s.width, s.height, s."durationMs", ${at}, ${at}
        from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as s (name text, rendition text, "contentType" text,
          "byteSize" integer, width integer, height integer, "durationMs" integer)
        order by s.name
      on conflict (name) do nothing`.execute(tx);
}

type SentAd = SentZone['ads'][number] & { zoneId: number };

/**
 * Counts withdrawn events of running ads as not delivered, so that the ad has to deliver them again. The figures of the
 * hours stay. The caller has locked the ads, so that no count is added meanwhile.
 */
async function takeWithdrawn(tx: Tx, ads: readonly SentAd[]): Promise<void> {
  await sql`
    update ads a
      set total_impressions = greatest(0, counted.views - s."withdrawnViews"),
        total_clicks = greatest(0, counted.clicks - s."withdrawnClicks")
      from jsonb_to_recordset(${JSON.stringify(ads)}::jsonb) as s (id integer, "withdrawnViews" bigint,
        "withdrawnClicks" bigint)
      cross join lateral (
        select coalesce(sum(d.n) filter (where d.kind = 'view'), 0) as views,
            coalesce(sum(d.n) filter (where d.kind = 'click'), 0) as clicks
          from counted_hours d where d.ad_id = s.id and d.kind in ('view', 'click')) as counted
      where a.id = s.id
        and (a.total_impressions, a.total_clicks) is distinct from (
          greatest(0, counted.views - s."withdrawnViews"), greatest(0, counted.clicks - s."withdrawnClicks"))`.execute(
    tx,
  );
}

/** An ad that has reached its goal here is over, even if the marketplace does not know that yet. */
async function writeAds(tx: Tx, ads: readonly SentAd[], at: Date): Promise<void> {
  await sql`
    insert into ads as a (id, public_id, user_id, ad_zone_id, ad_type, title, description, target_url, image_url, video_url,
        targeting, total_amount, commission_amount, pricing_model, duration, impressions, clicks, payment_intent_id, status,
        approved_at, start_date, end_date, suspended_at, suspended_reason) overriding system value
      select s.id, s."publicId", s."advertiserId", s."zoneId", s."adType", s.title, s.description, s."targetUrl",
          s."imageUrl", s."videoUrl", nullif(s.targeting, 'null'), 0.01, 0, s."pricingModel", s.duration, s.impressions,
          s.clicks, 'cell_' || s.id, 'active', s."startDate", s."startDate", s."endDate",
          case when s."isBlocked" then ${at}::timestamptz end, case when s."isBlocked" then 'Not shown by the marketplace' end
        from jsonb_to_recordset(${JSON.stringify(ads)}::jsonb) as s (id integer, "publicId" uuid, "advertiserId" integer,
          "zoneId" integer, "adType" text, title text, description text, "targetUrl" text, "imageUrl" text, "videoUrl" text,
          targeting jsonb, "pricingModel" text, duration integer, impressions integer, clicks integer,
          "startDate" timestamptz, "endDate" timestamptz, "isBlocked" boolean)
        order by s.id
      on conflict (id) do update
        set ad_zone_id = excluded.ad_zone_id, title = excluded.title, description = excluded.description,
          target_url = excluded.target_url, image_url = excluded.image_url, video_url = excluded.video_url,
          targeting = excluded.targeting, suspended_reason = excluded.suspended_reason,
          suspended_at = case when excluded.suspended_at is not null then coalesce(a.suspended_at, excluded.suspended_at) end,
          status = case
            when a.total_impressions >= excluded.impressions or a.total_clicks >= excluded.clicks then 'completed'
            else 'active' end,
          end_date = case
            when a.total_impressions >= excluded.impressions or a.total_clicks >= excluded.clicks then coalesce(a.end_date, ${at})
            else excluded.end_date end`.execute(tx);
}

/** The content of a second creative never changes, so that it is written or removed as a whole. */
async function writeSeconds(tx: Tx, ads: readonly SentAd[], at: Date): Promise<void> {
  const seconds = ads.flatMap(({ id, second }) => (second === null ? [] : [{ ...second, adId: id }]));
  await sql`
    delete from ad_variants
      where ad_id = any(${ads.map(({ id }) => id)}) and id <> all(${seconds.map(({ id }) => id)})`.execute(
    tx,
  );
  await sql`
    insert into ad_variants (id, public_id, ad_id, number, title, description, target_url, image_url, video_url, status,
        created_at)
      select s.id, s."publicId", s."adId", s.number, s.title, s.description, s."targetUrl", s."imageUrl", s."videoUrl",
          'approved', ${at}
        from jsonb_to_recordset(${JSON.stringify(seconds)}::jsonb) as s (id integer, "publicId" uuid, "adId" integer,
          number smallint, title text, description text, "targetUrl" text, "imageUrl" text, "videoUrl" text)
        order by s.id
      on conflict (id) do nothing`.execute(tx);
}

/** Ends the ads of these zones that the marketplace does not run any more. What is reported of them is kept as filtered. */
async function endOtherAds(
  tx: Tx,
  zoneIds: readonly number[],
  running: readonly number[],
  at: Date,
): Promise<void> {
  await sql`
    update ads set status = 'completed', ended_reason = 'operator', end_date = least(end_date, ${at})
      where ad_zone_id = any(${zoneIds}) and status = 'active' and id <> all(${running})`.execute(tx);
}

export type Due = { id: number; zoneId: number; adId: number; hour: Date };

/** The oldest hours whose figures have changed. `adId` 0: those without an ad. */
export async function findDue(tx: Tx, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select id, zone_id, ad_id, hour from cell_due order by id limit ${limit}`.execute(tx);
  return rows;
}

export async function removeDue(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`delete from cell_due where id = any(${ids}::bigint[])`.execute(tx);
}

/** Leaves one row of each hour, for the time in which the marketplace is away. */
export async function compactDue(tx: Tx): Promise<void> {
  await sql`
    with gone as (delete from cell_due returning zone_id, ad_id, hour)
    insert into cell_due (zone_id, ad_id, hour) select distinct zone_id, ad_id, hour from gone`.execute(tx);
}

type HourKey = { zoneId: number; adId: number; hour: Date };
type CountRow = HourKey & {
  kind: SentFigure['counts'][number][1];
  reason: SentFigure['counts'][number][2];
  n: number;
};

/** All figures of these hours. */
export async function readCounts(tx: Tx, keys: readonly HourKey[]): Promise<CountRow[]> {
  const { rows } = await sql<CountRow>`
    select g.zone_id, g.ad_id, d.hour, d.kind, d.reason, d.n
      from unnest(${keys.map(({ zoneId }) => zoneId)}::integer[], ${keys.map(({ adId }) => adId)}::integer[],
        ${keys.map(({ hour }) => hour)}::timestamptz[]) as g (zone_id, ad_id, hour)
      join delivery_hourly d on d.zone_id = g.zone_id and d.hour = g.hour and coalesce(d.ad_id, 0) = g.ad_id`.execute(
    tx,
  );
  return rows;
}

/** When ads have ended here. */
export async function readEnds(tx: Tx, adIds: readonly number[]): Promise<Map<number, Date>> {
  const { rows } = await sql<{ id: number; endDate: Date }>`
    select id, end_date from ads
      where id = any(${adIds}) and status = 'completed' and end_date is not null`.execute(tx);
  return new Map(rows.map(({ id, endDate }) => [id, endDate]));
}

export async function readCreatives(
  tx: Tx,
  adIds: readonly number[],
): Promise<{ adId: number; creative: number; kind: 'view' | 'click'; n: number }[]> {
  const { rows } = await sql<{ adId: number; creative: number; kind: 'view' | 'click'; n: number }>`
    select ad_id, creative, kind, n from creative_counts
      where ad_id = any(${adIds}) and kind in ('view', 'click')`.execute(tx);
  return rows;
}
