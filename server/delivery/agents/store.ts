/** The SQL of agents.ts. */
import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/database/database.ts';

/** What the agents of one name did in an ad zone on a UTC day. */
export type AgentDay = {
  zoneId: number;
  day: string;
  name: string;
  requests: number;
  views: number;
  clicks: number;
};

/** The name under which further names of a zone and day are added up, because agents can invent names. */
export const OTHERS = 'other';
const MAX_NAMES = 20;

/** Adds to the sums. Servers write one after the other, so that all of them together keep at most MAX_NAMES. */
export async function addAgents(db: Database, rows: readonly AgentDay[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('zone_agents'))`.execute(tx);
    await sql`
      with given as (
        select r.*, a.name is null and r.name <> ${OTHERS} as is_new
          from rows from (json_to_recordset(${JSON.stringify(rows)}::json)
              as ("zoneId" integer, day date, name text, requests bigint, views bigint, clicks bigint)) with ordinality
            as r (zone_id, day, name, requests, views, clicks, place)
          left join zone_agents a on (a.zone_id, a.day, a.name) = (r.zone_id, r.day, r.name)
      ), kept as (
        select zone_id, day, requests, views, clicks,
            case when is_new
                and row_number() over (partition by zone_id, day, is_new order by place) + (
                  select count(*) from zone_agents k
                    where (k.zone_id, k.day) = (given.zone_id, given.day) and k.name <> ${OTHERS}) > ${MAX_NAMES}
              then ${OTHERS} else name end as name
          from given
      )
      insert into zone_agents as a (zone_id, day, name, requests, views, clicks)
        select zone_id, day, name, sum(requests), sum(views), sum(clicks) from kept group by zone_id, day, name
      on conflict (zone_id, day, name) do update set
        requests = a.requests + excluded.requests, views = a.views + excluded.views, clicks = a.clicks + excluded.clicks`.execute(
      tx,
    );
  });
}

export async function deleteAgentsBefore(tx: Tx, day: string): Promise<void> {
  await sql`delete from zone_agents where day < ${day}::date`.execute(tx);
}
