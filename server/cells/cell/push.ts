import { later } from '#domain/time.ts';
import type { Context } from '../../context.ts';
import { sightingsToSend } from '../../delivery/zone-watch/of-cells.ts';
import { RELEASE } from '../../release.ts';
import { FIGURES_AT_ONCE, type SentFigure, SIGHTINGS_AT_ONCE } from '../wire.ts';
import type { Marketplace } from './ask.ts';
import { requireOwn } from './pull.ts';
import { type Due, findDue, findProgress, readCounts, readCreatives, readEnds, removeDue } from './store.ts';

const DUE_AT_ONCE = 2000;
/** The figures of decisions are collected for so long before they are written. */
const COLLECTED_MS = 2000;

/**
 * Sends the figures of hours that have changed since the marketplace acknowledged them, oldest first. They are whole figures
 * of these hours, so that a lost answer does no harm. What was seen of watched zones goes with them. Returns whether more are waiting. `backlogMs`: how long the oldest
 * acknowledged event has not been counted. [SCALE-78, SCALE-79]
 */
export async function push(ctx: Context, marketplace: Marketplace, backlogMs: number): Promise<boolean> {
  const countedUntil = later(ctx.now(), -Math.max(COLLECTED_MS, backlogMs));
  const due = await findDue(ctx.db, DUE_AT_ONCE);
  const { sightings, sent } = await sightingsToSend(ctx.db, SIGHTINGS_AT_ONCE);
  const byAd = Map.groupBy(due, ({ zoneId, adId }) => `${zoneId} ${adId}`);
  const taken = [...byAd.values()].slice(0, FIGURES_AT_ONCE);
  const isMore = due.length === DUE_AT_ONCE || taken.length < byAd.size;
  const answer = await marketplace.sendFigures({
    release: RELEASE,
    countedUntil: isMore ? null : countedUntil.toISOString(),
    // After `due`: these figures have at least what was noted there.
    figures: await figuresOf(ctx, taken),
    sightings,
  });
  requireOwn(await findProgress(ctx.db), answer);
  for (const refused of answer.refused)
    ctx.log.error(refused, 'the marketplace refused figures of this cell');
  await removeDue(
    ctx.db,
    taken.flatMap((rows) => rows.map(({ id }) => id)),
  );
  await sent();
  return isMore || sightings.length === SIGHTINGS_AT_ONCE;
}

async function figuresOf(ctx: Context, taken: readonly Due[][]): Promise<SentFigure[]> {
  const keys = taken.flatMap((rows) => [...new Map(rows.map((row) => [row.hour.getTime(), row])).values()]);
  const adIds = taken.flatMap(([first]) => (first!.adId === 0 ? [] : [first!.adId]));
  const counts = Map.groupBy(await readCounts(ctx.db, keys), ({ zoneId, adId }) => `${zoneId} ${adId}`);
  const ends = await readEnds(ctx.db, adIds);
  const creatives = Map.groupBy(await readCreatives(ctx.db, adIds), ({ adId }) => adId);
  return taken.map((rows) => {
    const { zoneId, adId } = rows[0]!;
    return {
      zoneId,
      adId: adId === 0 ? null : adId,
      endedAt: ends.get(adId)?.toISOString() ?? null,
      hours: [...new Set(rows.map(({ hour }) => hour.toISOString()))],
      counts: (counts.get(`${zoneId} ${adId}`) ?? []).map(({ hour, kind, reason, n }) => [
        hour.toISOString(),
        kind,
        reason,
        n,
      ]),
      creatives: (creatives.get(adId) ?? []).map(({ creative, kind, n }) => [creative, kind, n]),
    };
  });
}
