import { causeOf } from '#domain/delivery/fault-causes.ts';
import { COUNTED_AFTER_MS, isSilent, MIN_REPORTS } from '#domain/delivery/faults.ts';
import { HOUR_MS, hourOf, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { noteFault } from './store.ts';
import { hasRequestsSince, sitesWithoutRequests } from './store-sums.ts';

/** The name of the job, under which job_hours notes the hours that were looked at. */
export const FIND_SILENT_SITES = 'find-silent-sites';

const NO_FACTS = { n: 0, privateAddress: 0, sameNetwork: 0, imaPlayer: 0, strippedHeaders: 0 };

/**
 * The job of each full hour: opens a fault for each website that usually requests ads and requested none in that hour. If
 * no website requested any, the installation has the fault instead.
 */
export async function findSilentSites(ctx: Context): Promise<void> {
  const end = new Date(hourOf(later(ctx.now(), -COUNTED_AFTER_MS).getTime()));
  const hour = later(end, -HOUR_MS);
  // If no server looked an hour ago, none may have run, and then nothing could be requested.
  if (!(await lookedAt(ctx, later(hour, -HOUR_MS)))) return;
  const rows = await sitesWithoutRequests(ctx.db, hour, MIN_REPORTS);
  const sites = rows.filter(({ dayBefore, weekBefore }) => isSilent(dayBefore, weekBefore));
  const isEverywhere = sites.length > 1 && !(await hasRequestsSince(ctx.db, null, hour));
  if (isEverywhere) {
    const total = sites.reduce((sum, { dayBefore }) => sum + dayBefore, 0);
    const cause = causeOf('silent', { isInstallation: true, isOneSite: false, facts: NO_FACTS })!;
    await noteFault(
      ctx.db,
      { websiteId: null, kind: 'silent', cause, counted: 'requests', total, refused: total },
      end,
    );
    return;
  }
  for (const { websiteId, dayBefore: total, tagLoads } of sites) {
    const cause = tagLoads > 0 ? 'tag_stopped' : 'tag_gone';
    await noteFault(
      ctx.db,
      { websiteId, kind: 'silent', cause, counted: 'requests', total, refused: total },
      end,
    );
  }
}

async function lookedAt({ db }: Context, hour: Date): Promise<boolean> {
  const row = await db
    .selectFrom('jobHours')
    .select('hour')
    .where('name', '=', FIND_SILENT_SITES)
    .where('hour', '=', hour)
    .executeTakeFirst();
  return row !== undefined;
}
