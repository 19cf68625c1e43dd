import { HOUR_MS, hourOf, later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';

/** The counts of an hour are complete this long after its end. */
const COMPLETE_AFTER_MS = 5 * MINUTE_MS;

/**
 * Runs `work` unless it has already run for the last full hour of the marketplace's clock. The hour is noted after the
 * work, so a failed or killed run is repeated. After a jump of the clock it runs once, for the newest hour.
 */
export async function onceAnHour(
  ctx: Context,
  name: string,
  work: (ctx: Context) => Promise<unknown>,
): Promise<void> {
  const ended = hourOf(later(ctx.now(), -COMPLETE_AFTER_MS).getTime());
  const hour = new Date(ended - HOUR_MS);
  const known = await ctx.db
    .selectFrom('jobHours')
    .select('hour')
    .where('name', '=', name)
    .where('hour', '>=', hour)
    .executeTakeFirst();
  if (known) return;
  await work(ctx);
  await ctx.db
    .insertInto('jobHours')
    .values({ name, hour })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ hour }))
    .execute();
}
