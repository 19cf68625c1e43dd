/** The SQL of clock.ts. No statement extends an ad twice for the same period. */
import { sql } from 'kysely';
import { TOLD_SILENT_DAYS } from '#domain/ads/pace.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The ads that stand still because of a pause or suspension: those of a zone, website, publisher or advertiser, or one ad. */
export type PausedAds = {
  of: 'zone' | 'website' | 'person' | 'ad';
  id: number;
};

const pausedBy = ({ of, id }: PausedAds) =>
  ({
    ad: sql<boolean>`id = ${id}`,
    zone: sql<boolean>`ad_zone_id = ${id}`,
    website: sql<boolean>`ad_zone_id in (select id from ad_zones where website_id = ${id})`,
    person: sql<boolean>`(user_id = ${id} or ad_zone_id in (
      select z.id from ad_zones z join websites w on w.id = z.website_id where w.user_id = ${id}))`,
  })[of];

/** The per-day ads among `paused` that have time left at `now`. */
export async function runningPerDay(tx: Tx, paused: PausedAds, now: Date): Promise<number[]> {
  const rows = await tx
    .selectFrom('ads')
    .select('id')
    .where(pausedBy(paused))
    .where('status', '=', 'active')
    .where('pricingModel', '=', 'per_day')
    .where('endDate', '>', now)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Extends per-day ads by a pause that has just ended and returns their new ends. The caller locks what was paused and
 * ends the pause before, in the same transaction, so that a pause is added only once. If another pause has not ended yet,
 * this one adds only the time before it, and the end of the other adds the rest, so that no moment counts twice. An ad
 * that was paid during the pause is extended from its start. A day that is judged by its views goes on after the pause. A
 * day that is judged by ad requests and had one before the pause ends there, and another begins when the pause ends.
 * Without one it goes on, so that a daily pause does not keep silent days from being judged.
 */
export async function extendByPause(
  tx: Tx,
  paused: PausedAds,
  pause: { from: Date; to: Date },
): Promise<{ id: number; endDate: Date }[]> {
  const { from, to } = pause;
  await noteResumed(tx, paused, to);
  await notePause(tx, paused, pause);
  const { rows } = await sql<{ id: number; endDate: Date }>`
    -- Lock the ads in the same order as count_events does, so that the two cannot deadlock.
    with locked as (
      select id, ad_zone_id, min_day_views, coalesce(day_began_at, start_date) as began,
          coalesce(day_counts_from, day_began_at, start_date) as counts_from,
          least(${to}::timestamptz, ad_held_since(id)) as until,
          greatest(${from}::timestamptz, start_date) as since
        from ads
        where ${pausedBy(paused)} and status = 'active' and pricing_model = 'per_day' and end_date > ${from}
        order by id for no key update
    ), judged as (
      select l.*, l.min_day_views is null
          and was_requested(l.ad_zone_id, l.began, l.since) as requested
        from locked l
    )
    update ads a
      set end_date = a.end_date + (j.until - j.since),
        day_began_at = case when j.requested then j.until else j.began + (j.until - j.since) end,
        day_counts_from = case when j.min_day_views is not null then j.counts_from end,
        silent_days = case when j.requested then 0 else a.silent_days end,
        updated_at = ${to}
      from judged j
      where a.id = j.id and j.since <= j.until
      returning a.id, a.end_date`.execute(tx);
  return rows;
}

/** After a pause, the silence of the tag is measured anew (silence.ts), for ads of every pricing model. */
async function noteResumed(tx: Tx, paused: PausedAds, at: Date): Promise<void> {
  await sql`
    with locked as (
      select id from ads where ${pausedBy(paused)} and status = 'active' order by id for no key update)
    update ads set resumed_at = ${at} from locked where ads.id = locked.id`.execute(tx);
}

/** Keeps the pause, because its hours are not hours without the tag (server/results/analytics/publisher/store.ts). */
async function notePause(
  tx: Tx,
  { of, id }: PausedAds,
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  if (of === 'ad') return;
  await sql`
    insert into offer_pauses (subject, subject_id, began_at, ended_at)
      values (${of}, ${id}, least(${from}::timestamptz, ${to}), ${to})`.execute(tx);
}

/**
 * Gives each running per-day ad without a number of views for its days the lowest one. Such an ad was paid while the
 * server used the traffic rules of development.
 */
export async function requireViews(tx: Tx): Promise<void> {
  await sql`
    with locked as (
      select id from ads
        where status = 'active' and pricing_model = 'per_day' and min_day_views is null
        order by id for no key update)
    update ads set min_day_views = 1 from locked where ads.id = locked.id`.execute(tx);
}

export type JudgedDay = { id: number; silentDays: number; endDate: Date; byViews: boolean };

/**
 * Ends the 24-hour day of each per-day ad for which it is over at `now`, for at most `limit` ads. If the day was silent,
 * the ad is extended by one day. Skips ads that are locked by another instance or by the counting statement.
 */
export async function endDays(tx: Tx, now: Date, limit: number): Promise<JudgedDay[]> {
  const { rows } = await sql<JudgedDay>`
    with due as (
      select a.id, a.ad_zone_id, a.min_day_views, coalesce(a.day_began_at, a.start_date) as began,
          coalesce(a.day_counts_from, a.day_began_at, a.start_date) as counts_from
        from ads a
        where a.status = 'active' and a.pricing_model = 'per_day'
          and coalesce(a.day_began_at, a.start_date) <= ${now}::timestamptz - interval '24 hours'
          -- Skip the last day if the end or a pause cuts it short.
          and coalesce(a.day_began_at, a.start_date) + interval '24 hours' <= least(a.end_date, ad_held_since(a.id))
        order by coalesce(a.day_began_at, a.start_date)
        limit ${limit}
        for no key update of a skip locked
    ), judged as (
      select d.*,
          is_day_silent(d.id, d.ad_zone_id, d.min_day_views, d.counts_from, d.began + interval '24 hours') as silent
        from due d
    ), ended as (
      update ads a
        set day_began_at = j.began + interval '24 hours',
          day_counts_from = null,
          end_date = case when j.silent then a.end_date + interval '24 hours' else a.end_date end,
          silent_days = case when j.silent then a.silent_days + 1 else 0 end,
          silence_told_at = case when j.silent then a.silence_told_at end
        from judged j
        where a.id = j.id and coalesce(a.day_began_at, a.start_date) = j.began
        returning a.id, a.silent_days, a.end_date, j.min_day_views, j.began, j.counts_from, j.silent
    ), recorded as (
      insert into ad_days (ad_id, began_at, ended_at, counts_from, min_views, is_silent)
        select id, began, began + interval '24 hours', counts_from, min_day_views, silent
          from ended where min_day_views is not null
    )
    select id, silent_days, end_date, min_day_views is not null as by_views from ended`.execute(tx);
  return rows;
}

/** Records the unfinished day of a per-day ad that ends early at `at`. The caller locks the ad. */
export async function recordLastDay(tx: Tx, adId: number, at: Date): Promise<void> {
  await sql`
    insert into ad_days (ad_id, began_at, ended_at, counts_from, min_views, is_silent)
      select d.id, d.began, d.ended, d.counts_from, d.min_day_views,
          is_day_silent(d.id, d.ad_zone_id, d.min_day_views, d.counts_from, d.began + interval '24 hours')
        from (
          select id, ad_zone_id, min_day_views, coalesce(day_began_at, start_date) as began,
              coalesce(day_counts_from, day_began_at, start_date) as counts_from,
              least(${at}::timestamptz, ad_held_since(id)) as ended
            from ads where id = ${adId} and status = 'active' and min_day_views is not null) as d
        where d.began < d.ended`.execute(tx);
}

/**
 * Marks the ads with TOLD_SILENT_DAYS or more silent days in a row of which nobody was told, at most `limit`, and returns them.
 * Skips locked ads.
 */
export async function markTold(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<{ id: number; silentDays: number }[]> {
  const { rows } = await sql<{ id: number; silentDays: number }>`
    with untold as (
      select id from ads
        where status = 'active' and silent_days >= ${TOLD_SILENT_DAYS} and min_day_views is not null and silence_told_at is null
        order by id limit ${limit} for no key update skip locked)
    update ads set silence_told_at = ${now} from untold where ads.id = untold.id
      returning ads.id, ads.silent_days`.execute(tx);
  return rows;
}
