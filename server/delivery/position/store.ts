import { sql } from 'kysely';
import type { ReportedPlace } from '#domain/delivery/place.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { PositionClaims } from './position-tokens.ts';

/** Stores a report once. */
export async function insertReport(
  tx: Tx,
  { id, zoneId }: PositionClaims,
  place: ReportedPlace,
  at: Date,
): Promise<void> {
  const { screen, page, box, inViewMs, path } = place;
  await tx
    .insertInto('placementReports')
    .values({
      id,
      zoneId,
      reportedAt: at,
      screenWidth: screen.width,
      screenHeight: screen.height,
      pageWidth: page.width,
      pageHeight: page.height,
      boxX: box.x,
      boxY: box.y,
      boxWidth: box.width,
      boxHeight: box.height,
      inViewMs,
      path,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteReportsBefore(tx: Tx, before: Date): Promise<void> {
  await sql`delete from placement_reports where reported_at < ${before}`.execute(tx);
}
