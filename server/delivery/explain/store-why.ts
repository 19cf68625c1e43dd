import { sql } from 'kysely';
import type { Targeting } from '#domain/targeting/limits.ts';
import type { Tx } from '#server/platform/database/database.ts';

export type AdOrigin = {
  title: string;
  /** '' if the account was deleted. */
  advertiser: string;
  /** The public id of the ad whose page in the public archive shows it; null if there is none. */
  archived: string | null;
  takenDownReason: string | null;
  /** Null: everybody. */
  targeting: Targeting | null;
};

/** The advertiser of an ad that runs or has run, or of its second creative; null for any other. */
export async function findAdvertiser(tx: Tx, publicId: string): Promise<AdOrigin | null> {
  const { rows } = await sql<AdOrigin>`
    select found.title, advertiser_name(a.user_id) as advertiser, a.taken_down_reason, a.targeting,
        (select a.public_id::text from ad_archive e where e.ad_id = a.id) as archived
      from (
        select id, title from ads where public_id = ${publicId}
        union all
        select ad_id, title from ad_variants
          where public_id = ${publicId} and decided_at is not null and status <> 'rejected') as found
      join ads a on a.id = found.id
      where a.status in ('active', 'completed')`.execute(tx);
  return rows[0] ?? null;
}
