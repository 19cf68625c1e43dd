import { PLACE_DAYS } from '#domain/delivery/place.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { deleteReportsBefore } from './store.ts';

/** Part of the job 'remove-expired': no figure reads older reports. */
export async function removeOldReports(ctx: Context): Promise<void> {
  await deleteReportsBefore(ctx.db, later(ctx.now(), -PLACE_DAYS * DAY_MS));
}
