/** SQL about the rows `r` of placement_reports, the same for each reader. */
import { sql } from 'kysely';

/** Whether at least half of the box was on the first screen. */
export const isOnFirstScreen = sql`(r.box_y + r.box_height / 2.0 <= r.screen_height)`;

export const medianOf = (column: string) =>
  sql`percentile_disc(0.5) within group (order by r.${sql.ref(column)})`;
