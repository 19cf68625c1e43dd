import { sql } from 'kysely';
import type { Tx } from '#server/db/database.ts';

export type AdOrigin = {
  title: string;
  /** '' when the account is gone. */
  advertiser: string;
  /** Whether the public archive has a page for it. */
  archived: boolean;
  takenDownReason: string | null;
};

/** On whose behalf an ad runs or ran. */
export async function findAdvertiser(tx: Tx, adPublicId: string): Promise<AdOrigin | null> {
  const { rows } = await sql<AdOrigin>`
    select title, advertiser_name(user_id) as advertiser, taken_down_reason,
        exists (select from ad_archive where ad_id = ads.id) as archived
      from ads
      where public_id = ${adPublicId} and status in ('active', 'completed')`.execute(tx);
  return rows[0] ?? null;
}
