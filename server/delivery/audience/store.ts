/** The SQL of audience.ts and read-audiences.ts. */
import { sql } from 'kysely';
import { INVENTED_FACTS, MAX_INVENTED_VALUES, OTHERS, UNKNOWN } from '#domain/delivery/audience.ts';
import type { LimitedFact } from '#domain/targeting/matches.ts';
import type { Database, Tx } from '#server/platform/database/database.ts';

export type AudienceRow = { zoneId: number; week: string; fact: LimitedFact; value: string; n: number };

/**
 * Adds to the sums. Of the facts that clients can invent, values beyond the bound of a zone and week are added to the others.
 * Servers write one after the other, so that all of them together keep the bound.
 */
export async function addVotes(db: Database, rows: readonly AudienceRow[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('zone_audiences'))`.execute(tx);
    await sql`
      with given as (
        select r."zoneId" as zone_id, r.week, r.fact, r.value, r.n, a.n is null as is_new,
            row_number() over (partition by r."zoneId", r.week, r.fact, a.n is null order by r.n desc, r.value) as turn
          from json_to_recordset(${JSON.stringify(rows)}::json)
            as r("zoneId" integer, week date, fact text, value text, n bigint)
          left join zone_audiences a on (a.zone_id, a.week, a.fact, a.value) = (r."zoneId", r.week, r.fact, r.value)
      ), kept as (
        select zone_id, week, fact, n,
            case when is_new and fact = any(${INVENTED_FACTS}) and value <> ${UNKNOWN} and turn + (
                select count(*) from zone_audiences k
                  where (k.zone_id, k.week, k.fact) = (given.zone_id, given.week, given.fact)) > ${MAX_INVENTED_VALUES}
              then ${OTHERS} else value end as value
          from given
      )
      insert into zone_audiences as a (zone_id, week, fact, value, n)
        select zone_id, week, fact, value, sum(n) from kept group by 1, 2, 3, 4
      on conflict (zone_id, week, fact, value) do update set n = a.n + excluded.n`.execute(tx);
  });
}

/** The votes of these zones in the weeks that began after this day. */
export async function findVotes(
  tx: Tx,
  zoneIds: readonly number[],
  after: string,
): Promise<Omit<AudienceRow, 'week'>[]> {
  const { rows } = await sql<Omit<AudienceRow, 'week'>>`
    select zone_id, fact, value, sum(n)::float8 as n
      from zone_audiences
      where zone_id = any(${zoneIds}) and week > ${after}::date
      group by zone_id, fact, value`.execute(tx);
  return rows;
}

export async function deleteVotesUntil(tx: Tx, day: string): Promise<void> {
  await sql`delete from zone_audiences where week <= ${day}::date`.execute(tx);
}
