import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/database/database.ts';
import type { LandingClaims } from '../tokens/landing-tokens.ts';

/** Whether the click landed now. False if it had landed before. */
export async function landClick(tx: Tx, click: LandingClaims, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from count_landings(${at}, array[${Buffer.from(click.decisionId, 'hex')}]::bytea[],
      array[${click.issuedAtMs}]::float8[], array[${click.adId}]::integer[], array[${click.zoneId}]::integer[],
      array[${click.clickedAtMs}]::float8[], array[true])`.execute(tx);
  return rows.length > 0;
}

/**
 * Decides about the next waiting clicks after `after`, oldest first. Adds counted clicks to the figures, and marks
 * those before `undecidedUntil` that are still not counted. Returns the time of the last click, or null after the last
 * one.
 */
export async function settleClicks(
  db: Database,
  { after, undecidedUntil, limit }: { after: Date; undecidedUntil: Date; limit: number },
): Promise<Date | null> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ decisionId: Buffer; clickedAt: Date }>`
      select c.decision_id, c.clicked_at
        from (
          select decision_id from measured_clicks
            where counted is null and clicked_at > ${after} order by clicked_at limit ${limit}) as next
        join measured_clicks c using (decision_id)
        where c.counted is null
        order by c.decision_id for update of c skip locked`.execute(tx);
    if (rows.length === 0) return null;
    const ids = rows.map(({ decisionId }) => decisionId);
    await sql`select settle_measured_clicks(${ids}::bytea[])`.execute(tx);
    await sql`
      update measured_clicks set counted = false
        where decision_id = any(${ids}::bytea[]) and counted is null and clicked_at < ${undecidedUntil}`.execute(
      tx,
    );
    return new Date(Math.max(...rows.map(({ clickedAt }) => clickedAt.getTime())));
  });
}

export async function deleteMeasuredClicks(tx: Tx, before: Date): Promise<void> {
  await sql`delete from measured_clicks where clicked_at < ${before}`.execute(tx);
}
