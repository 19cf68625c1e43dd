import { changeTexts, positionOf } from '#domain/analytics/position.ts';
import type {
  getPages,
  getPosition,
  listPositionChanges,
  listPlaces,
  ZonePlaces,
} from '#domain/analytics/position-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { utcDay } from '#domain/time.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { comparedReports } from '#server/delivery/position/compared-reports.ts';
import { pagesOfZone } from '#server/delivery/position/pages.ts';
import { placesOfZones } from '#server/delivery/position/places.ts';
import { findOwnZone, selectReportingZones, sumOwnZones, sumZoneOfAd } from './store.ts';

const DEFAULT_LIMIT = 20;

const MAX_LISTED = 100;

/** What the advertiser reads about the ad zone of an own ad. */
export async function position(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getPosition>,
): Promise<Reply<typeof getPosition>> {
  const row = await sumZoneOfAd(ctx.db, params.ref, who.id, utcDay(ctx.now()));
  if (!row) throw notFound('Ad not found. Please reload the page.');
  const zones = [row.zoneId];
  const placesOf = await placesOfZones(ctx.db, zones, ctx.now());
  const reportsOf = await comparedReports(ctx.db, zones, ctx.now());
  return { ...positionOf(row, reportsOf(row.zoneId)), places: placesOf(row.zoneId) };
}

/** The publisher's own zones of which page views have been measured. */
export async function places(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listPlaces>,
): Promise<Page<ZonePlaces>> {
  const { cursor, zone, limit = DEFAULT_LIMIT } = query;
  const zones = await selectReportingZones(
    ctx.db,
    who.id,
    { after: decodeCursor(cursor), zone, limit: limit + 1 },
    ctx.now(),
  );
  const { items, next } = pageOf(zones, limit);
  const placesOf = await placesOfZones(
    ctx.db,
    items.map(({ id }) => id),
    ctx.now(),
  );
  return { items: items.map(({ id, ...names }) => ({ ...names, places: placesOf(id) })), next };
}

/** The pages on which one of the publisher's own ad zones was measured. [RES-101] */
export async function pages(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof getPages>,
): Promise<Reply<typeof getPages>> {
  const zoneId = await findOwnZone(ctx.db, who.id, query.zone);
  if (zoneId === undefined) throw notFound('Ad zone not found. Please reload the page.');
  return await pagesOfZone(ctx.db, zoneId, ctx.now());
}

/** What the publisher reads about the own ad zones. */
export async function positionChanges(ctx: Context, who: Caller): Promise<Reply<typeof listPositionChanges>> {
  const rows = await sumOwnZones(ctx.db, who.id, utcDay(ctx.now()));
  const zones = rows.map(({ zoneId }) => zoneId);
  const reportsOf = await comparedReports(ctx.db, zones, ctx.now());
  return rows
    .map(({ zoneId, zone, zoneName, websiteName, ...sums }) => ({
      zone,
      zoneName,
      websiteName,
      ...positionOf(sums, reportsOf(zoneId)),
    }))
    .filter((each) => changeTexts(each).length > 0)
    .slice(0, MAX_LISTED);
}
