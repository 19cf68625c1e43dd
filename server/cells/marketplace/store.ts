/** The SQL of cells in the database of their marketplace. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { SentFigure, SentFile, SentZone } from '../wire.ts';

export type Cell = { id: number; name: string };

/** Returns undefined if the name is taken. */
export async function insertCell(
  tx: Tx,
  cell: { name: string; keyHash: Buffer; deliveryUrl: string; addedAt: Date },
): Promise<Cell | undefined> {
  return await tx
    .insertInto('cells')
    .values(cell)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning(['id', 'name'])
    .executeTakeFirst();
}

export async function findCellByName(tx: Tx, name: string): Promise<Cell | undefined> {
  return await tx.selectFrom('cells').select(['id', 'name']).where('name', '=', name).executeTakeFirst();
}

/** Ends the former key at once. Returns undefined if there is no such cell. */
export async function replaceKey(tx: Tx, name: string, keyHash: Buffer): Promise<Cell | undefined> {
  return await tx
    .updateTable('cells')
    .set({ keyHash })
    .where('name', '=', name)
    .returning(['id', 'name'])
    .executeTakeFirst();
}

/** A cell with its reasons not to be removed. */
export type CellInUse = Cell & {
  /** Ad zones of its publishers that are not deleted. */
  zones: number;
  /** Campaigns whose figures up to their end have not all arrived. */
  incomplete: number;
};

/** Locks a cell, so that it sends no figures until the transaction ends. */
export async function lockCell(tx: Tx, name: string): Promise<CellInUse | undefined> {
  await sql`select from cells where name = ${name} for update`.execute(tx);
  const { rows } = await sql<CellInUse>`
    select c.id, c.name,
        (select count(*)::integer from users u join websites w on w.user_id = u.id join ad_zones z on z.website_id = w.id
          where u.cell_id = c.id and z.deleted_at is null) as zones,
        (select count(*)::integer from users u join websites w on w.user_id = u.id join ad_zones z on z.website_id = w.id
          join ads a on a.ad_zone_id = z.id
          where u.cell_id = c.id and a.status in ('active', 'completed')
            and coalesce(a.end_date, 'infinity') > coalesce(c.counted_until, '-infinity')) as incomplete
      from cells c where c.name = ${name}`.execute(tx);
  return rows[0];
}

/** Removes a cell without ad zones. Its publishers' next ad zones are served by the marketplace. */
export async function deleteCell(tx: Tx, id: number): Promise<void> {
  await sql`
    insert into zones_of_removed_cells (zone_id)
      select z.id from users u join websites w on w.user_id = u.id join ad_zones z on z.website_id = w.id
        where u.cell_id = ${id}
      on conflict do nothing`.execute(tx);
  await tx.updateTable('users').set({ cellId: null }).where('cellId', '=', id).execute();
  await tx.deleteFrom('cells').where('id', '=', id).execute();
}

export async function findCellByKey(tx: Tx, keyHash: Buffer): Promise<Cell | undefined> {
  return await tx
    .selectFrom('cells')
    .select(['id', 'name'])
    .where('keyHash', '=', keyHash)
    .executeTakeFirst();
}

export type CellRow = {
  name: string;
  deliveryUrl: string;
  release: string | null;
  publishers: number;
  seen: Date | null;
  behindSeconds: number | null;
};

export async function listCells(tx: Tx): Promise<CellRow[]> {
  const { rows } = await sql<CellRow>`
    select c.name, c.delivery_url, c.release, c.seen_at as seen,
        (select count(*)::integer from users u where u.cell_id = c.id) as publishers,
        case when c.counted_until is not null
          then round(greatest(0, extract(epoch from now() - c.counted_until)))::integer end as behind_seconds
      from cells c order by c.name`.execute(tx);
  return rows;
}

/** Locks the publisher against another assignment. An ad zone that is added at this moment is served by the cell, too. */
export async function lockPublisher(
  tx: Tx,
  userId: number,
): Promise<{ cellId: number | null; hasZones: boolean }> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx);
  const { rows } = await sql<{ cellId: number | null; hasZones: boolean }>`
    select u.cell_id, exists (
        select from ad_zones z join websites w on w.id = z.website_id where w.user_id = u.id) as has_zones
      from users u where u.id = ${userId}`.execute(tx);
  return rows[0]!;
}

export async function assignCell(tx: Tx, userId: number, cellId: number): Promise<void> {
  await tx.updateTable('users').set({ cellId }).where('id', '=', userId).execute();
}

/** Notes that a cell was seen. An idle cell asks twice a second, so the row is written every few seconds only. */
export async function noteSeen(tx: Tx, cellId: number): Promise<void> {
  await sql`
    update cells set seen_at = now()
      where id = ${cellId} and (seen_at is null or seen_at < now() - interval '5 seconds')`.execute(tx);
}

/** Notes what a cell has sent, and lets no other request of it send figures until the transaction ends. */
export async function noteFigures(
  tx: Tx,
  cellId: number,
  { release, countedUntil }: { release: string; countedUntil: string | null },
): Promise<void> {
  await sql`
    update cells set seen_at = now(), release = ${release},
        -- A time to come would stay for ever.
        counted_until = least(greatest(counted_until, ${countedUntil}::timestamptz), now())
      where id = ${cellId}`.execute(tx);
}

/** The zones of a cell that their publisher watches at `now`. */
export async function findWatched(
  tx: Tx,
  cellId: number,
  now: Date,
): Promise<{ zoneId: number; until: Date }[]> {
  const { rows } = await sql<{ zoneId: number; until: Date }>`
    select o.zone_id, o.until
      from zone_watches o join ad_zones z on z.id = o.zone_id join websites w on w.id = z.website_id
      join users u on u.id = w.user_id
      where u.cell_id = ${cellId} and o.until > ${now}`.execute(tx);
  return rows;
}

/** Those sightings that are of a zone of this cell and, if they name an ad, of an ad in it. */
export async function ownSightings<Sighting extends { zoneId: number; adId: number | null }>(
  tx: Tx,
  cellId: number,
  sightings: readonly Sighting[],
): Promise<Sighting[]> {
  if (sightings.length === 0) return [];
  const { rows } = await sql<{ place: number }>`
    select g.place::integer
      from unnest(${sightings.map(({ zoneId }) => zoneId)}::integer[], ${sightings.map(({ adId }) => adId)}::integer[])
        with ordinality as g (zone_id, ad_id, place)
      join ad_zones z on z.id = g.zone_id join websites w on w.id = z.website_id join users u on u.id = w.user_id
      where u.cell_id = ${cellId}
        and (g.ad_id is null or exists (select from ads a where a.id = g.ad_id and a.ad_zone_id = g.zone_id))
      order by g.place`.execute(tx);
  return rows.map(({ place }) => sightings[place - 1]!);
}

/** The zones of a cell that come next, in order of their ids. */
export async function nextZoneIds(tx: Tx, cellId: number, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select z.id
      from users u join websites w on w.user_id = u.id join ad_zones z on z.website_id = w.id
      where u.cell_id = ${cellId} and z.id > ${after}
      order by z.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Those of them whose transactions had not finished at `horizon`. */
export async function changedZoneIds(
  tx: Tx,
  cellId: number,
  { horizon, after, limit }: { horizon: string; after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct z.id
      from delivery_changes c
      join ad_zones z on z.id = c.zone_id
      join websites w on w.id = z.website_id
      join users u on u.id = w.user_id
      where c.xid >= ${horizon}::xid8 and u.cell_id = ${cellId} and z.id > ${after}
      order by z.id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Zones of any publisher that were deleted since. */
export async function goneZoneIds(tx: Tx, horizon: string): Promise<number[]> {
  const { rows } = await sql<{ zoneId: number }>`
    select distinct zone_id from delivery_changes c
      where c.xid >= ${horizon}::xid8 and not exists (select from ad_zones z where z.id = c.zone_id)`.execute(
    tx,
  );
  return rows.map(({ zoneId }) => zoneId);
}

const json = (at: ReturnType<typeof sql.ref>) =>
  sql`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** These zones, with all that serves their ads. The ads are those that run, whether something blocks them or not. */
export async function readZones(tx: Tx, ids: readonly number[]): Promise<SentZone[]> {
  const { rows } = await sql<SentZone>`
    select z.id, z.public_id, z.name, z.width, z.height, z.zone_type, z.look, z.accent,
        z.house_title, z.house_description, z.house_url, z.excludes,
        is_zone_offered(z, w, publisher) as is_offered,
        w.id as website_id, w.public_id as website_public_id, w.url as website_url, w.category, w.monthly_visitors,
        w.user_id as publisher_id,
        (select json_build_object('id', p.id, 'adType', p.ad_type, 'price', p.price::text,
              'pricingModel', p.pricing_model, 'duration', p.duration, 'impressions', p.impressions, 'clicks', p.clicks)
            from ad_zone_products p
            where p.ad_zone_id = z.id and p.is_active
            order by p.price, p.id limit 1) as offer,
        coalesce((
          select json_agg(json_build_object(
              'id', a.id, 'publicId', a.public_id, 'adType', a.ad_type, 'title', a.title, 'description', a.description,
              'targetUrl', a.target_url, 'imageUrl', a.image_url, 'videoUrl', a.video_url, 'targeting', a.targeting,
              'pricingModel', a.pricing_model, 'duration', a.duration, 'impressions', a.impressions, 'clicks', a.clicks,
              'startDate', ${json(sql.ref('a.start_date'))}, 'endDate', ${json(sql.ref('a.end_date'))},
              'isBlocked', is_ad_blocked(a, advertiser),
              'advertiserId', a.user_id, 'advertiser', advertiser_name(a.user_id),
              'withdrawnViews', withdrawn.views, 'withdrawnClicks', withdrawn.clicks,
              'second', (
                select json_build_object('id', v.id, 'number', v.number, 'publicId', v.public_id, 'title', v.title,
                    'description', v.description, 'targetUrl', v.target_url, 'imageUrl', v.image_url,
                    'videoUrl', v.video_url)
                  from ad_variants v where v.ad_id = a.id and v.status = 'approved'))
            order by a.id)
            from ads a
            join users advertiser on advertiser.id = a.user_id
            cross join lateral (
              select coalesce(sum(h.n) filter (where h.kind = 'view'), 0) as views,
                  coalesce(sum(h.n) filter (where h.kind = 'click'), 0) as clicks
                from judged_hours h
                where h.ad_id = a.id and h.kind in ('view', 'click') and h.reason = 'withdrawn') as withdrawn
            where a.ad_zone_id = z.id and a.status = 'active'), '[]') as ads
      from ad_zones z
      join websites w on w.id = z.website_id
      join users publisher on publisher.id = w.user_id
      where z.id = any(${ids})
      order by z.id`.execute(tx);
  return rows;
}

/** The stored files at these paths. */
export async function readFiles(tx: Tx, names: readonly string[]): Promise<SentFile[]> {
  const { rows } = await sql<SentFile>`
    select name, rendition, content_type, byte_size, width, height, duration_ms
      from uploads where name = any(${names}) and stored_at is not null`.execute(tx);
  return rows;
}

/** Locks ads in the same order as counting does. */
export async function lockAds(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`select from ads where id = any(${ids}) order by id for no key update`.execute(tx);
}

/** Takes all figures of these hours. Returns why they are refused, as a sentence, or null. */
export async function takeFigure(
  tx: Tx,
  cellId: number,
  { zoneId, adId, endedAt, hours, counts }: SentFigure,
  at: Date,
): Promise<string | null> {
  const column = (index: 0 | 1 | 2 | 3) => counts.map((count) => count[index]);
  const { rows } = await sql<{ why: string | null }>`
    select take_cell_figures(${cellId}::integer, ${zoneId}::integer, ${adId}::integer, ${hours}::timestamptz[],
      ${column(0)}::timestamptz[], ${column(1)}::text[], ${column(2)}::text[], ${column(3)}::bigint[],
      ${endedAt}::timestamptz, ${at}::timestamptz) as why`.execute(tx);
  return rows[0]!.why;
}

/** Keeps what was counted of each creative. Withdrawn events are not taken from it a second time. */
export async function takeCreatives(tx: Tx, adId: number, creatives: SentFigure['creatives']): Promise<void> {
  if (creatives.length === 0) return;
  await sql`
    insert into creative_counts as c (ad_id, creative, kind, n)
      select ${adId}::integer, g.creative, g.kind, g.n
        from unnest(${creatives.map(([each]) => each)}::integer[], ${creatives.map(([, kind]) => kind)}::text[],
          ${creatives.map(([, , n]) => n)}::bigint[]) as g (creative, kind, n)
        order by g.creative, g.kind
      on conflict (ad_id, creative, kind) do update set n = greatest(c.n, excluded.n)`.execute(tx);
}
