import { sql } from 'kysely';
import type { Tx } from '#server/db/database.ts';

/** Verifies the websites whose tag was seen on their own domain. [DEL-20] */
export async function markVerified(tx: Tx, websiteIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update websites set verified_at = ${now}
      where id in (select id from websites where id = any(${websiteIds}) and verified_at is null order by id for update)`.execute(
    tx,
  );
}

export async function markTagSeen(tx: Tx, zoneIds: readonly number[], now: Date): Promise<void> {
  await sql`
    update ad_zones set tag_seen_at = ${now}
      where id in (
        select id from ad_zones
          where id = any(${zoneIds}) and (tag_seen_at is null or tag_seen_at < ${now})
          order by id for no key update)`.execute(tx);
}
