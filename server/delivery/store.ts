import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

export async function findPublicId(tx: Tx, adId: number): Promise<string | null> {
  const row = await tx.selectFrom('ads').select('publicId').where('id', '=', adId).executeTakeFirst();
  return row?.publicId ?? null;
}

/** The target URL of an ad that runs or has run; null for any other ad and for one that was taken down. */
export async function findTarget(tx: Tx, adId: number): Promise<string | null> {
  const { rows } = await sql<{ targetUrl: string }>`
    select target_url from ads where id = ${adId} and status in ('active', 'completed') and taken_down_reason is null`.execute(
    tx,
  );
  return rows[0]?.targetUrl ?? null;
}
