/** The SQL of silence.ts. A valid decision or view counts as a request of the tag, as for silent days (clock-store.ts). */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';

/** The hour of the zone's last valid request since `from`, at its end. Delivery is stored by the hour. */
const lastHour = (from: ReturnType<typeof sql>) => sql`(
  select max(h.hour) + interval '1 hour' from delivery_hourly h
    where h.zone_id = a.ad_zone_id and h.hour >= ${from} - interval '1 hour' and h.kind in ('decision', 'view') and h.reason = '')`;

/** The running ads whose tag has been silent since `deadline` or before and that are not marked yet, by ascending id. */
export async function listSilent(
  tx: Tx,
  deadline: Date,
  after: number,
  limit: number,
): Promise<{ id: number; since: Date }[]> {
  const { rows } = await sql<{ id: number; since: Date }>`
    select a.id, greatest(quiet.since, ${lastHour(sql`quiet.since`)}) as since
      from ads a
      join ad_zones z on z.id = a.ad_zone_id
      cross join lateral (select greatest(a.start_date, a.resumed_at, z.tag_seen_at) as since) as quiet
      where a.status = 'active' and a.tag_silent_since is null and a.id > ${after}
        and quiet.since <= ${deadline}
        and ad_held_since(a.id) is null
        and coalesce(${lastHour(sql`quiet.since`)} <= ${deadline}, true)
      order by a.id
      limit ${limit}`.execute(tx);
  return rows;
}

/** Returns false if the ad has ended or was marked meanwhile. */
export async function markSilent(tx: Tx, adId: number, since: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('ads')
    .set({ tagSilentSince: since })
    .where('id', '=', adId)
    .where('status', '=', 'active')
    .where('tagSilentSince', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Ends the silence of ads whose tag has requested an ad since, or that are paused now. In the second case the silence
 * begins anew after the pause.
 */
export async function endSilence(tx: Tx, now: Date): Promise<void> {
  await sql`
    with heard as (
      select a.id from ads a join ad_zones z on z.id = a.ad_zone_id
        where a.status = 'active' and a.tag_silent_since is not null
          and (z.tag_seen_at > a.tag_silent_since
            or ad_held_since(a.id) is not null
            or ${lastHour(sql`a.tag_silent_since`)} > a.tag_silent_since)
        order by a.id for no key update of a skip locked)
    update ads set tag_silent_since = null, updated_at = ${now}
      from heard where ads.id = heard.id`.execute(tx);
}

/** Ids above `after` of ads whose tag has been silent since `deadline` or before, ascending. */
export async function listLongSilent(
  tx: Tx,
  deadline: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  return idsOf(await activeAds(tx, after, limit).where('tagSilentSince', '<=', deadline).execute());
}

/** Ids above `after` of ads with a quota that started at `deadline` or before and still run, ascending. */
export async function listUnfinishedQuotas(
  tx: Tx,
  deadline: Date,
  after: number,
  limit: number,
): Promise<number[]> {
  const quotas = activeAds(tx, after, limit).where('pricingModel', '<>', 'per_day');
  return idsOf(await quotas.where('startDate', '<=', deadline).execute());
}

const activeAds = (tx: Tx, after: number, limit: number) =>
  tx
    .selectFrom('ads')
    .select('id')
    .where('status', '=', 'active')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
