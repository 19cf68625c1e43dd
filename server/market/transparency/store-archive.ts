import { sql } from 'kysely';
import type { AdType } from '#domain/ads/types.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { type Tx, containing } from '#server/platform/database/database.ts';

/** What visitors saw of an ad. */
export type ArchivedCreative = {
  adType: AdType;
  title: string;
  description: string;
  targetUrl: string;
  /** The file names of the renditions that are stored here. */
  image: string | null;
  imageWidth: number | null;
  imageHeight: number | null;
  video: string | null;
  videoWidth: number | null;
  videoHeight: number | null;
};

export type ArchivedAd = ArchivedCreative & {
  adId: number;
  publicId: string;
  /** '' when the account has been deleted. */
  advertiser: string;
  /** Set when the operator has taken the ad down. Its content and texts are then removed. */
  takenDownReason: string | null;
  startedAt: Date;
  /** Null while the ad runs. */
  endedAt: Date | null;
  /** Where and to whom it was shown; null: everybody. */
  targeting: Targeting | null;
  views: number;
  zoneName: string;
  websiteName: string;
  websiteUrl: string;
};

/** The columns that a page shows. The entries are found by the indexes of ad_archive. */
const ENTRY = sql`
  e.ad_id, a.public_id, a.ad_type, e.title, e.description, e.advertiser, a.target_url, a.taken_down_reason, a.targeting, e.started_at, e.ended_at,
    a.total_impressions as views, z.name as zone_name, w.name as website_name, w.url as website_url,
    image.rendition as image, image.width as image_width, image.height as image_height,
    video.rendition as video, video.width as video_width, video.height as video_height`;
const JOINED = sql`
  join ads a on a.id = e.ad_id
  join ad_zones z on z.id = a.ad_zone_id
  join websites w on w.id = z.website_id
  left join uploads image
    on a.taken_down_reason is null and a.image_url like '/ad-images/%' and image.name = substr(a.image_url, 12)
  left join uploads video
    on a.taken_down_reason is null and a.video_url like '/ad-images/%' and video.name = substr(a.video_url, 12)`;

export async function selectArchive(
  tx: Tx,
  filter: { search: string; before: { startedAt: Date; adId: number } | null; endedAfter: Date },
  limit: number,
): Promise<ArchivedAd[]> {
  const { search, before, endedAfter } = filter;
  const words =
    search === ''
      ? sql``
      : sql`and (advertiser || ' ' || title || ' ' || description) ilike ${containing(search)}`;
  const after = before ? sql`and (started_at, ad_id) < (${before.startedAt}, ${before.adId})` : sql``;
  const { rows } = await sql<ArchivedAd>`
    with found as (
      select * from ad_archive
        where (ended_at is null or ended_at > ${endedAfter}) ${words} ${after}
        order by started_at desc, ad_id desc
        limit ${limit})
    select ${ENTRY} from found e ${JOINED} order by e.started_at desc, e.ad_id desc`.execute(tx);
  return rows;
}

/** The newest entries of ads in the zones of a website. Leaves out those that the operator has taken down. */
export async function selectArchiveOfWebsite(
  tx: Tx,
  websiteId: number,
  endedAfter: Date,
  limit: number,
): Promise<ArchivedAd[]> {
  const { rows } = await sql<ArchivedAd>`
    with found as (
      select entry.* from ad_zones z
        cross join lateral (
          select e.* from ads a join ad_archive e on e.ad_id = a.id
            where a.ad_zone_id = z.id and a.start_date is not null and a.taken_down_reason is null
              and (e.ended_at is null or e.ended_at > ${endedAfter})
            order by a.start_date desc
            limit ${limit}) entry
        where z.website_id = ${websiteId} and z.deleted_at is null
        order by entry.started_at desc, entry.ad_id desc
        limit ${limit})
    select ${ENTRY} from found e ${JOINED} order by e.started_at desc, e.ad_id desc`.execute(tx);
  return rows;
}

export async function findArchivedAd(tx: Tx, publicId: string, endedAfter: Date): Promise<ArchivedAd | null> {
  const { rows } = await sql<ArchivedAd>`
    select ${ENTRY} from ad_archive e ${JOINED}
      where a.public_id = ${publicId} and (e.ended_at is null or e.ended_at > ${endedAfter})`.execute(tx);
  return rows[0] ?? null;
}

/** The second creatives that visitors of an ad saw, oldest first. Without those of an ad that the operator took down. */
export async function listShownSeconds(tx: Tx, adId: number): Promise<ArchivedCreative[]> {
  const { rows } = await sql<ArchivedCreative>`
    select a.ad_type, v.title, v.description, v.target_url, image.rendition as image, image.width as image_width,
        image.height as image_height, video.rendition as video, video.width as video_width, video.height as video_height
      from ad_variants v
      join ads a on a.id = v.ad_id
      left join uploads image on v.image_url like '/ad-images/%' and image.name = substr(v.image_url, 12)
      left join uploads video on v.video_url like '/ad-images/%' and video.name = substr(v.video_url, 12)
      where v.ad_id = ${adId} and v.decided_at is not null and v.status <> 'rejected' and a.taken_down_reason is null
      order by v.number`.execute(tx);
  return rows;
}

/** The ad as the archive would show it, even if no view has been counted. */
export async function findShownById(tx: Tx, adId: number): Promise<ArchivedAd | null> {
  const { rows } = await sql<ArchivedAd>`
    with e as (
      select id as ad_id, start_date as started_at, case when status = 'completed' then end_date end as ended_at, title,
          description, advertiser_name(user_id) as advertiser
        from ads where id = ${adId})
    select ${ENTRY} from e ${JOINED}`.execute(tx);
  return rows[0] ?? null;
}

export async function deleteArchivedBefore(tx: Tx, instant: Date): Promise<void> {
  await tx.deleteFrom('adArchive').where('endedAt', '<=', instant).execute();
}
