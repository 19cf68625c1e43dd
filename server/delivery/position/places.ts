import { sql } from 'kysely';
import {
  MAX_REPORTS,
  type MeasuredPlace,
  MIN_REPORTS,
  PHONE_BELOW,
  PLACE_DAYS,
} from '#domain/delivery/place.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Tx } from '#server/platform/database/database.ts';

// SQL about the rows `r` of placement_reports, the same for each reader.

/** Whether at least half of the box was on the first screen. */
export const isOnFirstScreen = sql`(r.box_y + r.box_height / 2.0 <= r.screen_height)`;

export const medianOf = (column: string) =>
  sql`percentile_disc(0.5) within group (order by r.${sql.ref(column)})`;

type Row = Pick<MeasuredPlace, 'device' | 'reports' | 'secondsInView' | 'firstScreen'> & {
  zoneId: number;
  /** The medians of the screen's width and height, those of the page, and x, y, width and height of the box. */
  medians: [number, number, number, number, number, number, number, number];
};

/** Where these ad zones stand on pages, by zone. A zone or a kind of screen with too few reports is missing. */
export async function placesOfZones(
  tx: Tx,
  zoneIds: readonly number[],
  now: Date,
): Promise<(zoneId: number) => MeasuredPlace[]> {
  const { rows } = await sql<Row>`
    select r.zone_id as "zoneId", case when r.screen_width < ${PHONE_BELOW} then 'phone' else 'desktop' end as device,
        count(*)::integer as reports, ${medianOf('in_view_ms')}::float8 / 1000 as "secondsInView",
        avg(${isOnFirstScreen}::integer)::float8 as "firstScreen",
        array[${sql.join(LENGTHS.map(medianOf))}] as medians
      from unnest(${zoneIds}::integer[]) as own (id)
      cross join lateral (
        select * from placement_reports
          where zone_id = own.id and reported_at > ${later(now, -PLACE_DAYS * DAY_MS)}
          order by reported_at desc
          limit ${MAX_REPORTS}) as r
      group by 1, 2
      having count(*) >= ${MIN_REPORTS}
      order by 1, 2`.execute(tx);
  const byZone = Map.groupBy(rows, ({ zoneId }) => zoneId);
  return (zoneId) => (byZone.get(zoneId) ?? []).map(placeReply);
}

const LENGTHS = [
  'screen_width',
  'screen_height',
  'page_width',
  'page_height',
  'box_x',
  'box_y',
  'box_width',
  'box_height',
];

function placeReply({ device, reports, secondsInView, firstScreen, medians }: Row): MeasuredPlace {
  const [screenWidth, screenHeight, pageWidth, pageHeight, x, y, width, height] = medians;
  return {
    device,
    reports,
    secondsInView,
    firstScreen,
    screen: { width: screenWidth, height: screenHeight },
    page: { width: pageWidth, height: pageHeight },
    box: { x, y, width, height },
  };
}
