import { sql } from 'kysely';
import type { AdType } from '#domain/ads/types.ts';
import type { HexColor } from '#domain/delivery/accent.ts';
import type { ZoneLook } from '#domain/delivery/ad-style.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Excludes, Targeting } from '#domain/targeting/limits.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Video } from './vast-document.ts';

export type ZoneRow = {
  id: number;
  width: number;
  height: number;
  look: ZoneLook;
  accent: HexColor | null;
  publicId: string;
  tagSeenAt: Date | null;
  websiteId: number;
  websitePublicId: string;
  publisherId: number;
  websiteUrl: string;
  monthlyVisitors: number;
  /** The views a day that were measured; null before the zone's first whole day. */
  measuredLikely: number | null;
  /** The lowest active price of the zone and what it buys; null if nothing is for sale. */
  price: string | null;
  pricingModel: PricingModel | null;
  duration: number | null;
  impressions: number | null;
  clicks: number | null;
  /** The publisher's own ad: all three are set, or none. */
  houseTitle: string | null;
  houseDescription: string | null;
  houseUrl: string | null;
  /** Null: nobody is excluded. */
  excludes: Excludes | null;
};

/** What visitors see of an ad, with its stored files. */
export type CreativeRow = {
  publicId: string;
  adType: AdType;
  title: string;
  description: string;
  targetUrl: string;
  imageUrl: string | null;
  imageRendition: string | null;
  imageWidth: number | null;
  imageHeight: number | null;
  videoUrl: string | null;
  videoRendition: string | null;
  videoWidth: number | null;
  videoHeight: number | null;
};

export type AdRow = CreativeRow & {
  id: number;
  adZoneId: number;
  measuresLandings: boolean;
  /** Null: everybody. */
  targeting: Targeting | null;
  pricingModel: PricingModel;
  impressions: number | null;
  clicks: number | null;
  totalImpressions: number;
  totalClicks: number;
  startDate: Date;
  endDate: Date | null;
};

/** The offered zones among `ids`. */
export async function findZones(tx: Tx, ids: readonly number[]): Promise<ZoneRow[]> {
  const { rows } = await sql<ZoneRow>`
    select z.id, z.public_id, z.tag_seen_at, z.width, z.height, z.look, z.accent,
        z.house_title, z.house_description, z.house_url, z.excludes,
        w.id as website_id, w.public_id as website_public_id, w.user_id as publisher_id, w.url as website_url,
        w.monthly_visitors, m.likely as measured_likely, offer.price, offer.pricing_model, offer.duration, offer.impressions, offer.clicks
      from ad_zones z
      join websites w on w.id = z.website_id
      join users publisher on publisher.id = w.user_id
      left join zone_measurements m on m.zone_id = z.id and m.days > 0
      left join lateral (
        select p.price, p.pricing_model, p.duration, p.impressions, p.clicks
          from ad_zone_products p
          where p.ad_zone_id = z.id and p.is_active
          order by p.price, p.id
          limit 1) as offer on true
      where z.id = any(${ids}) and is_zone_offered(z, w, publisher)`.execute(tx);
  return rows;
}

/** The columns of a creative's files. `c` is the row of the creative. */
const FILES = sql`
  c.image_url, image.rendition as image_rendition, image.width as image_width, image.height as image_height,
  c.video_url, video.rendition as video_rendition, video.width as video_width, video.height as video_height`;
const STORED = sql`
  left join uploads image on c.image_url like '/ad-images/%' and image.name = substr(c.image_url, 12)
  left join uploads video on c.video_url like '/ad-images/%' and video.name = substr(c.video_url, 12)`;

/** The ads that these offered zones show. */
export async function findShownAds(tx: Tx, zoneIds: readonly number[]): Promise<AdRow[]> {
  const { rows } = await sql<AdRow>`
    select c.id, c.public_id, c.ad_zone_id, c.ad_type, c.title, c.description, c.target_url, c.measures_landings, c.targeting,
        c.pricing_model, c.impressions, c.clicks, c.total_impressions, c.total_clicks, c.start_date, c.end_date,
        ${FILES}
      from ads c
      join users advertiser on advertiser.id = c.user_id
      ${STORED}
      where c.ad_zone_id = any(${zoneIds}) and c.status = 'active' and not is_ad_blocked(c, advertiser)
      order by c.id`.execute(tx);
  return rows;
}

/** An approved second creative of an ad. `number` is its own among those of the ad. */
export type SecondRow = CreativeRow & { adId: number; number: number };

/** The second creatives that these ads show. */
export async function findSecondCreatives(tx: Tx, adIds: readonly number[]): Promise<SecondRow[]> {
  const { rows } = await sql<SecondRow>`
    select c.ad_id, c.number, c.public_id, a.ad_type, c.title, c.description, c.target_url, ${FILES}
      from ad_variants c
      join ads a on a.id = c.ad_id
      ${STORED}
      where c.ad_id = any(${adIds}) and c.status = 'approved'`.execute(tx);
  return rows;
}

/** `publicId` is that of the creative. */
export type VideoRow = Omit<Video, 'src' | 'why'>;

/** The uploaded videos of these ads, which play, and of their second creatives, with the advertiser's name. */
export async function findVideos(tx: Tx, adIds: readonly number[]): Promise<VideoRow[]> {
  const { rows } = await sql<VideoRow>`
    select c.public_id, a.public_id as ad_public_id, c.title, c.description,
        nullif(advertiser_name(a.user_id), '') as advertiser,
        f.rendition, f.width, f.height, f.duration_ms, f.byte_size
      from ads a
      cross join lateral (
        select a.public_id, a.title, a.description, a.video_url
        union all
        select v.public_id, v.title, v.description, v.video_url
          from ad_variants v where v.ad_id = a.id and v.status = 'approved') as c
      join uploads f on f.name = substr(c.video_url, 12)
      where a.id = any(${adIds}) and c.video_url like '/ad-images/%' and f.stored_at is not null and f.duration_ms > 0`.execute(
    tx,
  );
  return rows;
}

/** The next zones with an active ad after `after`, in order of their ids. */
export async function nextSoldZoneIds(tx: Tx, after: number, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct ad_zone_id as id from ads
      where status = 'active' and ad_zone_id > ${after} order by ad_zone_id limit ${count}`.execute(tx);
  return rows.map((row) => row.id);
}

/** The zones with these public ids. */
export async function findZoneIds(tx: Tx, publicIds: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ad_zones where public_id = any(${publicIds}::uuid[])`.execute(tx);
  return rows.map((row) => row.id);
}

/** Up to where the changes of a database have been read. */
export type Position = {
  horizon: string;
  /** The time at which this PostgreSQL was started. Another one is another server, or this one after a restart. */
  database: string;
};

/** No transaction is before this one. */
export const FIRST_HORIZON = '0';

const POSITION = sql`pg_snapshot_xmin(pg_current_snapshot())::text as horizon, pg_postmaster_start_time()::text as database`;

export async function currentPosition(tx: Tx): Promise<Position> {
  const { rows } = await sql<Position>`select ${POSITION}`.execute(tx);
  return rows[0]!;
}

export type Changes = Position & { zoneIds: number[] };

/** So many ids are read in a few milliseconds. */
export const MAX_CHANGES = 10_000;

/**
 * The first zones after `after` that were changed by transactions that had not finished at `horizon`, in order of their
 * ids, and the position for the next call. This needs no clock: every change that the earlier database snapshot could not
 * see has a transaction id at or above its xmin.
 */
export async function findChanges(tx: Tx, horizon: string, after: number): Promise<Changes> {
  const { rows } = await sql<Changes>`
    select ${POSITION},
      array(
        select distinct zone_id from delivery_changes where xid >= ${horizon}::xid8 and zone_id > ${after}
          order by zone_id limit ${MAX_CHANGES}) as zone_ids`.execute(tx);
  return rows[0]!;
}

/**
 * Deletes changes that all servers have read. A server with a longer gap reloads everything (see changes.ts). A restore by
 * other tools than ours brings rows of another cluster: no row that this statement sees can be of a transaction that has
 * not begun here, and it would be read again each second until the ids of this cluster have reached it.
 */
export async function forgetChanges(tx: Tx): Promise<void> {
  await sql`
    delete from delivery_changes
      where (changed_at < clock_timestamp() - interval '1 hour' and xid < pg_snapshot_xmin(pg_current_snapshot()))
        or xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(tx);
}
