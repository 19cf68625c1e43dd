/** All SQL of delivery but the counting, which is one function of the database (see counter.ts). */
import { sql } from 'kysely';
import type { ZoneDay } from '#domain/delivery/forecast.ts';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Tx } from '../db/database.ts';
import type { Counted } from './event-log.ts';
import type { Film } from './vast-document.ts';

export type ZoneRow = {
  id: number;
  /** Pixels of the place. */
  area: number;
  publicId: string;
  tagSeenAt: Date | null;
  websiteId: number;
  websitePublicId: string;
  websiteUrl: string;
  monthlyVisitors: number;
  verifiedAt: Date | null;
  /** The lowest active price of the zone and what it buys, if anything is for sale. */
  price: string | null;
  pricingModel: PricingModel | null;
  duration: number | null;
  impressions: number | null;
  clicks: number | null;
  /** The publisher's own ad: all three, or none. */
  houseTitle: string | null;
  houseDescription: string | null;
  houseUrl: string | null;
};

export type AdRow = {
  id: number;
  publicId: string;
  adZoneId: number;
  adType: 'text' | 'image' | 'video';
  title: string;
  description: string;
  targetUrl: string;
  pricingModel: PricingModel;
  impressions: number | null;
  clicks: number | null;
  totalImpressions: number;
  totalClicks: number;
  startDate: Date;
  endDate: Date | null;
  imageUrl: string | null;
  imageRendition: string | null;
  imageWidth: number | null;
  imageHeight: number | null;
  videoUrl: string | null;
  videoRendition: string | null;
  videoWidth: number | null;
  videoHeight: number | null;
};

/** The zones among `ids` that are shown at all. */
export async function findZones(tx: Tx, ids: readonly number[]): Promise<ZoneRow[]> {
  const { rows } = await sql<ZoneRow>`
    select zone.*, width * height as area, house_title, house_description, house_url
      from delivery_zones zone join ad_zones using (id)
      where id = any(${ids})`.execute(tx);
  return rows;
}

export async function findLiveAds(tx: Tx, zoneIds: readonly number[]): Promise<AdRow[]> {
  const { rows } = await sql<AdRow>`
    select * from delivery_ads where ad_zone_id = any(${zoneIds}) order by id`.execute(tx);
  return rows;
}

export type FilmRow = Omit<Film, 'src' | 'why'> & { adId: number };

/** The stored films of these ads, and in whose name they are shown. */
export async function findFilms(tx: Tx, adIds: readonly number[]): Promise<FilmRow[]> {
  const { rows } = await sql<FilmRow>`
    select a.id as ad_id, a.public_id as ad_public_id, a.title, a.description,
        nullif(advertiser_name(a.user_id), '') as advertiser,
        f.rendition, f.width, f.height, f.duration_ms, f.byte_size
      from ads a
      join uploads f on f.name = substr(a.video_url, 12)
      where a.id = any(${adIds}) and a.ad_type = 'video' and a.video_url like '/ad-images/%'
        and f.stored_at is not null and f.duration_ms > 0`.execute(tx);
  return rows;
}

/** The zones' UTC days from `since` to before `until`, a midnight, as far as something valid happened. */
export async function findZoneDays(
  tx: Tx,
  zoneIds: readonly number[],
  since: Date,
  until: Date,
): Promise<(ZoneDay & { zoneId: number })[]> {
  const { rows } = await sql<ZoneDay & { zoneId: number }>`
    select zone_id,
        (${until}::timestamptz at time zone 'utc')::date - (hour at time zone 'utc')::date as days_ago,
        coalesce(sum(n) filter (where kind = 'view'), 0)::float8 as views,
        coalesce(sum(n) filter (where kind = 'decision' and ad_id is not null), 0)::float8 as offered,
        coalesce(sum(n) filter (where kind = 'decision' and ad_id is null), 0)::float8 as empty
      from delivery_hourly
      where zone_id = any(${zoneIds}) and hour >= ${since} and hour < ${until}
        and kind in ('view', 'decision') and reason = ''
      group by zone_id, days_ago`.execute(tx);
  return rows;
}

/** What the publisher of a zone says of its website. */
export async function findMonthlyVisitors(tx: Tx, zoneId: number): Promise<number> {
  const { monthlyVisitors } = await tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select('websites.monthlyVisitors')
    .where('adZones.id', '=', zoneId)
    .executeTakeFirstOrThrow();
  return monthlyVisitors;
}

/** The next zone ids after `after`, in order. */
export async function nextZoneIds(tx: Tx, after: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ad_zones where id > ${after} order by id limit ${count}`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Zones changed by transactions that were not finished at `horizon`, and the horizon for next time. Exact without a
 * clock: whatever the earlier snapshot could not see has a transaction id at or above its xmin.
 */
export async function findChanges(tx: Tx, horizon: string): Promise<{ horizon: string; zoneIds: number[] }> {
  const { rows } = await sql<{ horizon: string; zoneIds: number[] }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
      array(select distinct zone_id from delivery_changes where xid >= ${horizon}::xid8) as zone_ids`.execute(
    tx,
  );
  return rows[0] as { horizon: string; zoneIds: number[] };
}

export async function currentHorizon(tx: Tx): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`.execute(tx);
  return rows[0]?.horizon ?? '0';
}

/** How many servers listen for what changes, by the name of their connections (see changes.ts). */
export async function countServers(tx: Tx, connectionName: string): Promise<number> {
  const { rows } = await sql<{ servers: number }>`
    select count(*)::integer as servers from pg_stat_activity
      where datname = current_database() and application_name = ${connectionName}`.execute(tx);
  return rows[0]?.servers ?? 0;
}

export async function findCounters(tx: Tx, adIds: readonly number[]): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select id as ad_id, total_impressions, total_clicks, status = 'completed' as completed
      from ads where id = any(${adIds})`.execute(tx);
  return rows;
}

/** Where a click on an ad goes that runs or has run; null for any other, and for what was taken down. */
export async function findTarget(tx: Tx, adId: number): Promise<string | null> {
  const { rows } = await sql<{ targetUrl: string }>`
    select target_url from ads where id = ${adId} and status in ('active', 'completed') and taken_down_reason is null`.execute(
    tx,
  );
  return rows[0]?.targetUrl ?? null;
}

export type AdOrigin = {
  title: string;
  /** '' when the account is gone. */
  advertiser: string;
  /** Whether the public archive has a page for it. */
  archived: boolean;
  takenDownReason: string | null;
};

/** On whose behalf an ad runs or ran. */
export async function findAdvertiser(tx: Tx, adPublicId: string): Promise<AdOrigin | null> {
  const { rows } = await sql<AdOrigin>`
    select title, advertiser_name(user_id) as advertiser, taken_down_reason,
        exists (select from ad_archive where ad_id = ads.id) as archived
      from ads
      where public_id = ${adPublicId} and status in ('active', 'completed')`.execute(tx);
  return rows[0] ?? null;
}

/** One row of the hours' figures. Without ids: a token that names nothing we can believe. */
export type TallyKey = {
  /** When the hour begins. */
  hourMs: number;
  adId: number | null;
  zoneId: number | null;
  kind: 'decision' | EventKind;
  reason: Reason | '';
};

/** Adds to the hours' figures. In one order, so that two servers never wait for each other. */
export async function addToHours(tx: Tx, tallies: readonly (TallyKey & { n: number })[]): Promise<void> {
  await sql`
    insert into delivery_hourly as d (hour, ad_id, zone_id, kind, reason, n)
      select to_timestamp(t."hourMs" / 1000), t."adId", t."zoneId", t.kind, t.reason, t.n
        from json_to_recordset(${JSON.stringify(tallies)}::json)
          as t("hourMs" float8, "adId" integer, "zoneId" integer, kind text, reason text, n bigint)
        order by t."hourMs", t."adId", t."zoneId", t.kind, t.reason
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = d.n + excluded.n`.execute(tx);
}

/** The tag has been seen on the site's own domain. */
export async function markVerified(tx: Tx, websiteIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update websites set verified_at = ${now}
      where id in (select id from websites where id = any(${websiteIds}) and verified_at is null order by id for update)`.execute(
    tx,
  );
}

export async function markTagSeen(tx: Tx, zoneIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update ad_zones set tag_seen_at = ${now}
      where id in (
        select id from ad_zones
          where id = any(${zoneIds}) and (tag_seen_at is null or tag_seen_at < ${now})
          order by id for no key update)`.execute(tx);
}

export async function ensurePartition(tx: Tx, day: string): Promise<void> {
  await sql`select ensure_event_partition(${day})`.execute(tx);
}

/** The days that have a partition, 'YYYY-MM-DD'. */
export async function partitionDays(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select to_char(to_date(substr(c.relname, 11), 'YYYYMMDD'), 'YYYY-MM-DD') as day
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'ad_events'::regclass
      order by 1`.execute(tx);
  return rows.map((row) => row.day);
}

export async function dropPartition(tx: Tx, day: string): Promise<void> {
  await sql`drop table if exists ${sql.id(`ad_events_${day.replaceAll('-', '')}`)}`.execute(tx);
}

/** Changes every server has long seen; a server that rested longer reads everything anew. */
export async function forgetChanges(tx: Tx): Promise<void> {
  await sql`
    delete from delivery_changes
      where changed_at < clock_timestamp() - interval '1 hour'
        and xid < pg_snapshot_xmin(pg_current_snapshot())`.execute(tx);
}
