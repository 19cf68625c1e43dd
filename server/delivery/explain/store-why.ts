import { sql } from 'kysely';
import type { Tx } from '#server/db/database.ts';

export type AdOrigin = {
  title: string;
  /** '' if the account was deleted. */
  advertiser: string;
  /** Whether the public archive has a page for this ad. */
  archived: boolean;
  takenDownReason: string | null;
};

/** The advertiser of an ad that runs or has run; null for any other ad. */
export async function findAdvertiser(tx: Tx, adPublicId: string): Promise<AdOrigin | null> {
  const { rows } = await sql<AdOrigin>`
    select title, advertiser_name(user_id) as advertiser, taken_down_reason,
        exists (select from ad_archive where ad_id = ads.id) as archived
      from ads
      where public_id = ${adPublicId} and status in ('active', 'completed')`.execute(tx);
  return rows[0] ?? null;
}
