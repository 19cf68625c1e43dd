/** The SQL of refused-facts.ts. */
import { sql } from 'kysely';
import type { Reason } from '#domain/delivery/reasons.ts';
import type { Database } from '#server/platform/database/database.ts';

export type RefusedFacts = {
  hourMs: number;
  zoneId: number;
  reason: Reason;
  n: number;
  privateAddress: number;
  sameNetwork: number;
  imaPlayer: number;
  strippedHeaders: number;
};

/** Adds to the counts. All servers write in the same order, so that two of them cannot deadlock. */
export async function addRefusedFacts(db: Database, rows: readonly RefusedFacts[]): Promise<void> {
  await sql`
    insert into refused_facts as f (hour, zone_id, reason, n, private_address, same_network, ima_player, stripped_headers)
      select to_timestamp(r."hourMs" / 1000), r."zoneId", r.reason, r.n, r."privateAddress", r."sameNetwork", r."imaPlayer",
          r."strippedHeaders"
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as r("hourMs" float8, "zoneId" integer, reason text, n integer, "privateAddress" integer, "sameNetwork" integer,
            "imaPlayer" integer, "strippedHeaders" integer)
        order by r."hourMs", r."zoneId", r.reason
      on conflict (hour, zone_id, reason) do update
        set n = f.n + excluded.n, private_address = f.private_address + excluded.private_address,
          same_network = f.same_network + excluded.same_network, ima_player = f.ima_player + excluded.ima_player,
          stripped_headers = f.stripped_headers + excluded.stripped_headers`.execute(db);
}

export async function deleteFactsBefore(db: Database, hour: Date): Promise<void> {
  await sql`delete from refused_facts where hour < ${hour}`.execute(db);
}
