/** SQL of 'Test my zone'. */
import { sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The publisher's own zone; undefined if it is unknown, deleted or belongs to another publisher. */
export async function findOwnZone(
  tx: Tx,
  ref: Reference,
  userId: number,
): Promise<{ zoneId: number; zone: string } | undefined> {
  return await tx
    .selectFrom('adZones')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['adZones.id as zoneId', 'adZones.publicId as zone'])
    .where((zone) =>
      'id' in ref ? zone('adZones.id', '=', ref.id) : zone('adZones.publicId', '=', ref.publicId),
    )
    .where('websites.userId', '=', userId)
    .where('adZones.deletedAt', 'is', null)
    .executeTakeFirst();
}

export type ZoneWatchRow = { zoneId: number; zone: string; until: Date; websiteUrl: string };

export type Sighting = {
  zoneId: number;
  seenAtMs: number;
  kind: 'script' | 'unknown' | 'request' | 'rendered' | 'view' | 'click';
  isTest: boolean;
  origin: string | null;
  decision: string | null;
  adId: number | null;
  reason: Reason | null;
  afterMs: number | null;
  asked: string | null;
};

export type SightingRow = Omit<Sighting, 'zoneId' | 'seenAtMs'> & {
  id: string;
  seenAt: Date;
  title: string | null;
};

/** The zone watches that are active at `now`. Deletes those that have ended, with their sightings. */
export async function findZoneWatches(tx: Tx, now: Date): Promise<ZoneWatchRow[]> {
  const { rows } = await sql<ZoneWatchRow>`
    with over as (delete from zone_watches where until <= ${now})
    select o.zone_id, z.public_id as zone, o.until, w.url as website_url
      from zone_watches o join ad_zones z on z.id = o.zone_id join websites w on w.id = z.website_id
      where o.until > ${now}`.execute(tx);
  return rows;
}

/** Starts or extends a watch. Does nothing if the zone has been deleted meanwhile. */
export async function keepZoneWatch(tx: Tx, zoneId: number, until: Date): Promise<void> {
  await sql`
    insert into zone_watches as o (zone_id, until)
      select id, ${until}::timestamptz from ad_zones where id = ${zoneId}
      on conflict (zone_id) do update set until = greatest(o.until, excluded.until)`.execute(tx);
}

/** Stores sightings of watched zones. Drops those of zones that are no longer watched. */
export async function addSightings(tx: Tx, sightings: readonly Sighting[]): Promise<void> {
  await sql`
    insert into zone_sightings
        (zone_id, seen_at, kind, is_test, origin, decision, ad_id, reason, after_ms, asked)
      select s."zoneId", to_timestamp(s."seenAtMs" / 1000), s.kind, s."isTest", s.origin, s.decision, s."adId", s.reason,
          s."afterMs", s.asked
        from json_to_recordset(${JSON.stringify(sightings.map((each, ordinal) => ({ ...each, ordinal })))}::json)
          as s(ordinal integer, "zoneId" integer, "seenAtMs" float8, kind text, "isTest" boolean, origin text, decision text,
            "adId" integer, reason text, "afterMs" integer, asked text)
        -- Lock the watch, so that it cannot be deleted before the sightings that refer to it are inserted.
        join zone_watches o on o.zone_id = s."zoneId"
        order by s.ordinal
        for key share of o`.execute(tx);
}

/** The id of the newest sighting of a zone; '0' if there is none. */
export async function lastSighting(tx: Tx, zoneId: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(max(id), 0)::text as id from zone_sightings where zone_id = ${zoneId}`.execute(tx);
  return rows[0]?.id ?? '0';
}

/**
 * The latest requests after the sighting `from` with the events that followed each, and the latest script load and
 * unknown zone. Oldest first.
 */
export async function findSightings(
  tx: Tx,
  zoneId: number,
  from: string,
  maxRequests: number,
): Promise<SightingRow[]> {
  const { rows } = await sql<SightingRow>`
    with later as (
      select * from zone_sightings where zone_id = ${zoneId} and id > ${from}::bigint
    ), requests as (
      select * from later where kind = 'request' order by id desc limit ${maxRequests}
    ), shown as (
      select * from requests
      union all
      select s.* from requests r join later s
        on s.decision = r.decision and s.kind in ('rendered', 'view', 'click')
      union all
      (select distinct on (kind) * from later where kind in ('script', 'unknown') order by kind, id desc)
    )
    select s.id::text, s.seen_at, s.kind, s.is_test, s.origin, s.decision, s.ad_id, s.reason, s.after_ms, s.asked, a.title
      from shown s left join ads a on a.id = s.ad_id
      order by s.id`.execute(tx);
  return rows;
}
