import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/database/database.ts';

/** Counted events of an hour that look alike. */
export type Cluster = {
  /** The start of the hour, in milliseconds since 1970. */
  hourMs: number;
  zoneId: number;
  adId: number;
  kind: 'view' | 'click';
  network: number;
  browser: number;
  /** The step of the delay of a view; NO_DELAY for a click. */
  delay: number;
};
export const NO_DELAY = -1;

/** How often the tag was loaded for a zone, in an hour. */
export type TagLoads = { hourMs: number; zoneId: number; n: number };

/** Adds to the counts. All instances write in the same order, so that two of them cannot deadlock. */
export async function addTraits(
  db: Database,
  clusters: readonly (Cluster & { n: number })[],
  tagLoads: readonly TagLoads[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (clusters.length > 0) await addClusters(tx, clusters);
    if (tagLoads.length > 0) await addTagLoads(tx, tagLoads);
  });
}

async function addClusters(tx: Tx, rows: readonly (Cluster & { n: number })[]): Promise<void> {
  await sql`
    insert into traffic_clusters as t (hour, zone_id, ad_id, kind, network, browser, delay, n)
      select to_timestamp(r."hourMs" / 1000), r."zoneId", r."adId", r.kind, r.network, r.browser, r.delay, r.n
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as r("hourMs" float8, "zoneId" integer, "adId" integer, kind text, network integer, browser integer,
            delay integer, n integer)
        order by r."zoneId", r."hourMs", r."adId", r.kind, r.network, r.browser, r.delay
      on conflict (zone_id, hour, ad_id, kind, network, browser, delay) do update set n = t.n + excluded.n`.execute(
    tx,
  );
}

async function addTagLoads(tx: Tx, rows: readonly TagLoads[]): Promise<void> {
  await sql`
    insert into tag_loads as t (hour, zone_id, n)
      select to_timestamp(r."hourMs" / 1000), r."zoneId", r.n
        from json_to_recordset(${JSON.stringify(rows)}::json) as r("hourMs" float8, "zoneId" integer, n bigint)
        order by r."zoneId", r."hourMs"
      on conflict (zone_id, hour) do update set n = t.n + excluded.n`.execute(tx);
}
