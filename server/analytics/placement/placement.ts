import { placementOf } from '#domain/analytics/placement.ts';
import type { getPlacement, listPlacementChanges } from '#domain/analytics/placement-contract.ts';
import type { Parsed, Reply } from '#domain/endpoint.ts';
import { utcDay } from '#domain/time.ts';
import type { Caller, Context } from '../../context.ts';
import { notFound } from '../../http/errors.ts';
import { sumOwnZones, sumZoneOfAd } from './store.ts';

const MAX_LISTED = 100;

/** What the advertiser reads about the ad zone of an own ad. [RES-97] */
export async function placement(
  ctx: Context,
  who: Caller,
  { params }: Parsed<typeof getPlacement>,
): Promise<Reply<typeof getPlacement>> {
  const row = await sumZoneOfAd(ctx.db, params.ref, who.id, utcDay(ctx.now()));
  if (!row) throw notFound('Ad not found. Please reload the page.');
  return placementOf(row);
}

/** What the publisher reads about the own ad zones. [RES-97] */
export async function placementChanges(
  ctx: Context,
  who: Caller,
): Promise<Reply<typeof listPlacementChanges>> {
  const rows = await sumOwnZones(ctx.db, who.id, utcDay(ctx.now()));
  return rows
    .map(({ zone, zoneName, websiteName, ...sums }) => ({
      zone,
      zoneName,
      websiteName,
      ...placementOf(sums),
    }))
    .filter(({ change }) => change !== null)
    .slice(0, MAX_LISTED);
}
