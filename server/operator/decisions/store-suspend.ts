/**
 * Suspends and restores. Only this file writes the columns `suspended_at` and `suspended_reason` of users, websites, ad
 * zones and ads, which otherwise belong to their domains.
 */
import { sql } from 'kysely';
import type { Subject } from '#domain/operator/acts.ts';
import type { Tx } from '#server/platform/database/database.ts';

const TABLES: Record<Subject, string> = {
  person: 'users',
  website: 'websites',
  zone: 'ad_zones',
  ad: 'ads',
};

/** The ads that a suspension stops: those in the ad zones of a person or website, those of an ad zone, or one ad. */
const STOPS: Record<Subject, string> = {
  person: 'websites.userId',
  website: 'websites.id',
  zone: 'adZones.id',
  ad: 'ads.id',
};

/** The running ads that a suspension stops, with their advertisers. */
export async function listRunning(
  tx: Tx,
  subject: Subject,
  id: number,
): Promise<{ adId: number; advertiserId: number }[]> {
  return await tx
    .selectFrom('ads')
    .innerJoin('adZones', 'adZones.id', 'ads.adZoneId')
    .innerJoin('websites', 'websites.id', 'adZones.websiteId')
    .select(['ads.id as adId', 'ads.userId as advertiserId'])
    .where(sql.ref(STOPS[subject]), '=', id)
    .where('ads.status', '=', 'active')
    .execute();
}

/** Returns false if it is suspended already. */
export async function writeSuspension(
  tx: Tx,
  subject: Subject,
  id: number,
  { reason, at }: { reason: string; at: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update ${sql.table(TABLES[subject])} set suspended_at = ${at}, suspended_reason = ${reason}
      where id = ${id} and suspended_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

/** Ends a suspension and returns when it began; null if there is none. */
export async function clearSuspension(tx: Tx, subject: Subject, id: number): Promise<Date | null> {
  const table = sql.table(TABLES[subject]);
  const { rows } = await sql<{ since: Date }>`
    with suspended as (
      select id, suspended_at as since from ${table} where id = ${id} and suspended_at is not null for no key update)
    update ${table} t set suspended_at = null, suspended_reason = null
      from suspended where t.id = suspended.id
      returning suspended.since`.execute(tx);
  return rows[0]?.since ?? null;
}
