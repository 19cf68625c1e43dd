/** SQL of 'Why is my ad not showing?': the state of an ad and its zone, and the figures of the last day. */
import { sql } from 'kysely';
import type { PauseReason } from '#domain/ads/ended.ts';
import type { AdStatus } from '#domain/ads/status.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { Reference } from '#domain/fields.ts';
import type { PricingModel } from '#domain/inventory/pricing.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type ZoneStateRow = {
  zoneId: number;
  zone: string;
  zoneIsActive: boolean;
  websiteIsActive: boolean;
  pause: PauseReason | null;
  tagSeenAt: Date | null;
};

export type AdStateRow = {
  id: number;
  status: AdStatus;
  takenDownReason: string | null;
  pause: PauseReason | null;
};

export type ShownAdRow = {
  id: number;
  publicId: string;
  title: string;
  adType: AdType;
  imageUrl: string | null;
  pricingModel: PricingModel;
  status: AdStatus;
  takenDownReason: string | null;
  pause: PauseReason | null;
};

const ZONE_STATE = sql`
  z.id as zone_id, z.public_id as zone, z.is_active as zone_is_active, w.is_active and w.review is null as website_is_active, z.tag_seen_at`;

/** The ad server shows an ad of a silent tag, so that cause hides none that weighs less. */
const pauseOf = (ad: 'a' | 'ads') =>
  sql`(
    select p.cause from ad_pauses(${sql.ref(`${ad}.id`)}) p
      where p.cause <> 'tag_silent' order by p.place limit 1) as pause`;

const isNamed = (table: 'a' | 'z', ref: Reference) =>
  'id' in ref
    ? sql`${sql.ref(`${table}.id`)} = ${ref.id}`
    : sql`${sql.ref(`${table}.public_id`)} = ${ref.publicId}`;

/** The user's own ad with its zone; undefined if there is no such ad or it belongs to another user. */
export async function findOwnAd(
  tx: Tx,
  ref: Reference,
  userId: number,
): Promise<(ZoneStateRow & AdStateRow) | undefined> {
  const { rows } = await sql<ZoneStateRow & AdStateRow>`
    select a.id, a.status, a.taken_down_reason, ${ZONE_STATE}, ${pauseOf('a')}
      from ads a join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
      where ${isNamed('a', ref)} and a.user_id = ${userId}`.execute(tx);
  return rows[0];
}

/** The user's own zone; undefined if it does not exist, was deleted or belongs to another user. */
export async function findOwnZone(tx: Tx, ref: Reference, userId: number): Promise<ZoneStateRow | undefined> {
  const { rows } = await sql<ZoneStateRow>`
    select ${ZONE_STATE}, case when zone_suspended_since(z.id) is not null then 'suspended' end as pause
      from ad_zones z join websites w on w.id = z.website_id
      where ${isNamed('z', ref)} and w.user_id = ${userId} and z.deleted_at is null`.execute(tx);
  return rows[0];
}

/** A zone's ads: running ones first, then upcoming ones, then those that are over. Within each group, newest first. */
export async function findAdsOfZone(tx: Tx, zoneId: number, limit: number): Promise<ShownAdRow[]> {
  const { rows } = await sql<ShownAdRow>`
    select id, public_id, title, ad_type, image_url, pricing_model, status, taken_down_reason,
        ${pauseOf('ads')}
      from ads
      where ad_zone_id = ${zoneId}
      order by array_position(array['active', 'approved', 'pending', 'rejected', 'completed'], status), id desc
      limit ${limit}`.execute(tx);
  return rows;
}

export async function countAdsOfZone(tx: Tx, zoneId: number): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from ads where ad_zone_id = ${zoneId}`.execute(tx);
  return Number(rows[0]?.n ?? 0);
}

export type Figure = {
  /** Null for decisions that chose no paid ad. */
  adId: number | null;
  kind: 'decision' | 'view' | 'click';
  /** '' for events that count. */
  reason: Reason | '';
  n: number;
};

/** A zone's decisions, views and clicks in the hours that began after `since`. */
export async function sumOfZone(tx: Tx, zoneId: number, since: Date): Promise<Figure[]> {
  const { rows } = await sql<Figure>`
    select ad_id, kind, reason, sum(n)::float8 as n from delivery_hourly
      where zone_id = ${zoneId} and hour > ${since} and kind in ('decision', 'view', 'click')
      group by ad_id, kind, reason`.execute(tx);
  return rows;
}
