import { sql } from 'kysely';
import { MIN_REPORTS_OF_A_PAGE, PLACE_DAYS } from '#domain/delivery/place.ts';
import { VIEWABLE_MS } from '#domain/delivery/wire.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { medianOf } from './places.ts';

/** The newest reports of a zone that are read. */
export const MAX_REPORTS_BY_PAGE = 3000;
const MAX_PAGES = 50;

type Measured = { reports: number; viewable: number };
type Page = Measured & { path: string; secondsInView: number };
type Row = Measured & { path: string | null; secondsInView: number };

/**
 * How often the ad zone was measured on each page of its website, and how often it was in view there. Pages with few reports
 * are among the others, so that no page view of one visitor is told. [RES-101]
 */
export async function pagesOfZone(
  tx: Tx,
  zoneId: number,
  now: Date,
): Promise<{ all: Measured; pages: Page[]; others: Measured }> {
  const { rows } = await sql<Row>`
    select r.path, count(*)::integer as reports, avg((r.in_view_ms >= ${VIEWABLE_MS})::integer)::float8 as viewable,
        ${medianOf('in_view_ms')}::float8 / 1000 as "secondsInView"
      from (
        select path, in_view_ms from placement_reports
          where zone_id = ${zoneId} and reported_at > ${later(now, -PLACE_DAYS * DAY_MS)}
          order by reported_at desc
          limit ${MAX_REPORTS_BY_PAGE}) as r
      group by r.path
      order by reports desc, r.path`.execute(tx);
  const pages = rows
    .filter((row): row is Page => row.path !== null && row.reports >= MIN_REPORTS_OF_A_PAGE)
    .slice(0, MAX_PAGES);
  const shown = new Set<Row>(pages);
  return { all: together(rows), pages, others: together(rows.filter((row) => !shown.has(row))) };
}

function together(rows: readonly Measured[]): Measured {
  const reports = rows.reduce((sum, row) => sum + row.reports, 0);
  const viewable = rows.reduce((sum, row) => sum + row.reports * row.viewable, 0);
  return { reports, viewable: reports === 0 ? 0 : viewable / reports };
}
