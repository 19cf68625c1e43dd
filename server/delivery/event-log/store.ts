import { sql } from 'kysely';
import type { EventKind, Reason } from '#domain/delivery/reasons.ts';
import type { VoteKind } from '#domain/delivery/votes.ts';
import type { Tx } from '#server/platform/database/database.ts';

/** The key of a row of the hourly figures. The ids are null for a forged token, because its ids cannot be trusted. */
export type HourlyCountKey = {
  /** The start of the hour, in milliseconds since 1970. */
  hourMs: number;
  /** Null also for a decision without an ad, for its visitor whom the ad zone excludes, and for votes. */
  adId: number | null;
  zoneId: number | null;
  kind: 'decision' | 'excluded' | EventKind | VoteKind;
  reason: Reason | '';
};

/** Adds to the hourly figures. All servers write in the same order, so that two of them cannot deadlock. */
export async function addToHours(tx: Tx, counts: readonly (HourlyCountKey & { n: number })[]): Promise<void> {
  await sql`
    insert into delivery_hourly as d (hour, ad_id, zone_id, kind, reason, n)
      select to_timestamp(t."hourMs" / 1000), t."adId", t."zoneId", t.kind, t.reason, t.n
        from json_to_recordset(${JSON.stringify(counts)}::json)
          as t("hourMs" float8, "adId" integer, "zoneId" integer, kind text, reason text, n bigint)
        order by t."hourMs", t."adId", t."zoneId", t.kind, t.reason
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = d.n + excluded.n`.execute(tx);
}

/** Deletes the counts of unreported clicks of the days before `day`. */
export async function deleteUnreportedClicks(tx: Tx, day: string): Promise<void> {
  await sql`delete from ad_unreported_clicks where date < ${day}::date`.execute(tx);
}
