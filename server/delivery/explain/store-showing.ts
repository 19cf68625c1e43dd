/** SQL of 'why is my ad not showing': the state of an ad and its place, and what the last day brought. */
import { sql } from 'kysely';
import type { AdStatus } from '#domain/ads/status.ts';
import type { AdType } from '#domain/ads/types.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/db/database.ts';

export type PlaceRow = {
  zoneId: number;
  zone: string;
  zoneIsActive: boolean;
  websiteIsActive: boolean;
  tagSeenAt: Date | null;
};

export type StateRow = { id: number; status: AdStatus; takenDownReason: string | null };

export type ShownAdRow = {
  id: number;
  publicId: string;
  title: string;
  adType: AdType;
  imageUrl: string | null;
  status: AdStatus;
  takenDownReason: string | null;
};

const PLACE = sql`
  z.id as zone_id, z.public_id as zone, z.is_active as zone_is_active, w.is_active as website_is_active, z.tag_seen_at`;

const isNamed = (table: 'a' | 'z', ref: Reference) =>
  'id' in ref
    ? sql`${sql.ref(`${table}.id`)} = ${ref.id}`
    : sql`${sql.ref(`${table}.public_id`)} = ${ref.publicId}`;

/** The advertiser's own ad with its place; undefined where it is unknown or somebody else's. */
export async function findOwnAd(
  tx: Tx,
  ref: Reference,
  userId: number,
): Promise<(PlaceRow & StateRow) | undefined> {
  const { rows } = await sql<PlaceRow & StateRow>`
    select a.id, a.status, a.taken_down_reason, ${PLACE}
      from ads a join ad_zones z on z.id = a.ad_zone_id join websites w on w.id = z.website_id
      where ${isNamed('a', ref)} and a.user_id = ${userId}`.execute(tx);
  return rows[0];
}

/** The publisher's own zone; undefined where it is unknown, deleted or somebody else's. */
export async function findOwnZone(tx: Tx, ref: Reference, userId: number): Promise<PlaceRow | undefined> {
  const { rows } = await sql<PlaceRow>`
    select ${PLACE}
      from ad_zones z join websites w on w.id = z.website_id
      where ${isNamed('z', ref)} and w.user_id = ${userId} and z.deleted_at is null`.execute(tx);
  return rows[0];
}

/** A zone's ads: those that run, then those that are on their way, then what is over; the newest first in each. */
export async function findAdsOfZone(tx: Tx, zoneId: number, limit: number): Promise<ShownAdRow[]> {
  const { rows } = await sql<ShownAdRow>`
    select id, public_id, title, ad_type, image_url, status, taken_down_reason from ads
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
  /** Null: a request that no paid ad was chosen for. */
  adId: number | null;
  kind: 'decision' | 'view' | 'click';
  /** '' is what counts. */
  reason: Reason | '';
  n: number;
};

/** What a zone was asked, and what came of it, in the hours that began after `since`. */
export async function sumOfZone(tx: Tx, zoneId: number, since: Date): Promise<Figure[]> {
  const { rows } = await sql<Figure>`
    select ad_id, kind, reason, sum(n)::float8 as n from delivery_hourly
      where zone_id = ${zoneId} and hour > ${since} and kind in ('decision', 'view', 'click')
      group by ad_id, kind, reason`.execute(tx);
  return rows;
}
