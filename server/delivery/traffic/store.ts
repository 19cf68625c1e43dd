import { sql } from 'kysely';
import type { Tx } from '#server/db/database.ts';

export type TraitKey = {
  /** The start of the hour, in milliseconds since 1970. */
  hourMs: number;
  zoneId: number;
  trait: 'network' | 'browser' | 'delay' | 'tag';
  bucket: number;
};

/** Adds to the traits. All instances write in the same order, so that two of them cannot deadlock. */
export async function addTraits(tx: Tx, rows: readonly (TraitKey & { n: number })[]): Promise<void> {
  await sql`
    insert into traffic_traits as t (hour, zone_id, trait, bucket, n)
      select to_timestamp(r."hourMs" / 1000), r."zoneId", r.trait, r.bucket, r.n
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as r("hourMs" float8, "zoneId" integer, trait text, bucket integer, n bigint)
        order by r."hourMs", r."zoneId", r.trait, r.bucket
      on conflict (hour, zone_id, trait, bucket) do update set n = t.n + excluded.n`.execute(tx);
}
