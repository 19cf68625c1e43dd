import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';
import type { Counted } from './event-log.ts';

/** The committed counters of these ads. */
export async function findCounters(tx: Tx, adIds: readonly number[]): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select id as ad_id, total_impressions, total_clicks, status = 'completed' as completed
      from ads where id = any(${adIds})`.execute(tx);
  return rows;
}
