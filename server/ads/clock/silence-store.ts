/** The SQL of silence.ts. A valid decision or view counts as a request of the tag, as for silent days (clock-store.ts). */
import { sql } from 'kysely';
import { SILENT_AFTER_MS } from '#domain/ads/silence.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type TagLook = {
  id: number;
  /** When the tag requested its last ad, or the ad began or went on after that. */
  since: Date;
  isSilent: boolean;
};

/**
 * Looks at the tags of running ads whose look is due at `now`, at most `limit`. A tag that is not silent for
 * SILENT_AFTER_MS is looked at again when it could be, and one whose ad is paused after the same time. The caller marks the
 * silent ones, which ends their looks. If a tag was heard in the last hour, the look comes at a random time before, because
 * delivery is stored by the hour and all ads would be due at the same full hour.
 */
export async function lookAtTags(tx: Tx, now: Date, limit: number): Promise<TagLook[]> {
  const wait = sql`(${SILENT_AFTER_MS}::float8 * interval '1 millisecond')`;
  const { rows } = await sql<TagLook>`
    with due as (
      select ad_id from tag_looks where look_at <= ${now} order by look_at, ad_id limit ${limit}
        for update skip locked
    ), heard as (
      select a.id, greatest(quiet.since, last_request(a.ad_zone_id, quiet.since)) as since, ad_held_since(a.id) is not null as is_held
        from due
        join ads a on a.id = due.ad_id
        join ad_zones z on z.id = a.ad_zone_id
        cross join lateral (select greatest(a.start_date, a.resumed_at, z.tag_seen_at) as since) as quiet
    ), looked as (
      select id, since,
          case
            when is_held then ${now}::timestamptz + ${wait}
            when since > ${now}::timestamptz - interval '1 hour' then since + (0.5 + random() / 2) * ${wait}
            when since + ${wait} > ${now}::timestamptz then since + ${wait}
          end as look_at
        from heard
    ), postponed as (
      update tag_looks t set look_at = l.look_at from looked l where t.ad_id = l.id and l.look_at is not null
    )
    select id, since, look_at is null as is_silent from looked order by id`.execute(tx);
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
            or last_request(a.ad_zone_id, a.tag_silent_since) > a.tag_silent_since)
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
