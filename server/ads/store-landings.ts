import { sql } from 'kysely';
import type { Reference } from '#domain/fields.ts';
import type { Tx } from '#server/platform/database/database.ts';

const named = (ref: Reference) =>
  'id' in ref ? sql<boolean>`ads.id = ${ref.id}` : sql<boolean>`ads.public_id = ${ref.publicId}`;

type FoundLandings = { enabled: boolean; clicks: number; landings: number };

/** Whether landings of the owner's ad are measured, and its figures. */
export async function findLandings(
  tx: Tx,
  ref: Reference,
  ownerId: number,
): Promise<FoundLandings | undefined> {
  const { rows } = await sql<FoundLandings>`
    select ads.measures_landings as enabled, coalesce(h.clicks, 0)::float8 as clicks,
        coalesce(h.landings, 0)::float8 as landings
      from ads
      cross join lateral (
        select sum(clicks) as clicks, sum(landings) as landings from landing_hours where ad_id = ads.id) as h
      where ${named(ref)} and ads.user_id = ${ownerId}`.execute(tx);
  return rows[0];
}

/** Changes nothing if the ad is not the owner's or already has this setting. */
export async function setMeasuresLandings(
  tx: Tx,
  { ref, ownerId, enabled }: { ref: Reference; ownerId: number; enabled: boolean },
): Promise<void> {
  await tx
    .updateTable('ads')
    // `updatedAt` stays: for a completed ad it says when the ad ended.
    .set({ measuresLandings: enabled })
    .where(named(ref))
    .where('userId', '=', ownerId)
    .where('measuresLandings', '<>', enabled)
    .execute();
}
