import { changeTexts, positionOf } from '#domain/analytics/position.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { comparedReports } from '#server/delivery/position/compared-reports.ts';
import { notifyPerson } from '#server/notify/notify.ts';
import { type ChangedPosition, positionMail } from '#server/notify/mails/position-mail.ts';
import { claimTelling, nextLiveZones, peopleOfZone, type PositionRow, sumZonesById } from './store.ts';

/** Small enough that one query is short. */
const ZONES_AT_ONCE = 200;
/** In this hour (UTC), all counts of the day before are complete. */
const HOUR = 1;
/** A change is in both of the compared periods until then, so it is told once. */
const TOLD_AGAIN_MS = 35 * DAY_MS;

/**
 * Once a day, mails the publisher and the advertisers of each zone with a running ad whose viewability, time in view or place
 * on the screen has changed by more than half. Several instances may do this at once, because each zone's row is claimed.
 */
export async function tellPositions(ctx: Context): Promise<void> {
  if (ctx.now().getUTCHours() !== HOUR) return;
  const today = utcDay(ctx.now());
  for (let after = 0; ;) {
    const ids = await nextLiveZones(ctx.db, after, ZONES_AT_ONCE);
    const last = ids.at(-1);
    if (last === undefined) return;
    const reportsOf = await comparedReports(ctx.db, ids, ctx.now());
    for (const row of await sumZonesById(ctx.db, ids, today)) {
      const [first, ...more] = changeTexts(positionOf(row, reportsOf(row.zoneId)));
      if (first) await tell(ctx, row, [first, ...more]);
    }
    after = last;
  }
}

async function tell(
  ctx: Context,
  { zoneId, zoneName, websiteName }: PositionRow,
  changes: ChangedPosition['changes'],
): Promise<void> {
  const now = ctx.now();
  const { publicUrl } = ctx.config;
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await claimTelling(tx, zoneId, { at: now, toldBefore: later(now, -TOLD_AGAIN_MS) }))) return;
    for (const { side, campaign, ...person } of await peopleOfZone(tx, zoneId)) {
      const url = campaign === null ? `${publicUrl}/results` : `${publicUrl}/campaigns/${campaign}`;
      const mail = positionMail(side, { zoneName, websiteName, changes }, { url, publicUrl });
      await notifyPerson(ctx, tx, person, { kind: 'placement-changed', mail });
    }
  });
}
