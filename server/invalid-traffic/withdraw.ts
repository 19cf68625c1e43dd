import { COMPARED_HOURS, exceededBy, isInvalid, marketOf, MIN_COMPARED_VIEWS } from '#domain/invalid-traffic/signals.ts';
import { DAY_MS, HOUR_MS, hourOf, later } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { deleteTraits, factsOf, withdraw, visitedZones, type ZoneFacts } from './store.ts';

const ZONES_PER_QUERY = 200;
/** The comparison reads two days. One more covers a server whose jobs were late. */
const TRAITS_KEPT_MS = 3 * DAY_MS;

/**
 * The hourly job: compares the last day of each zone that had visitors with what people cause, and withdraws the hours of those that cannot be explained. A second run withdraws nothing more, and two instances cannot
 * withdraw the same hour twice. Returns the number of withdrawals. [SIVT-01]
 */
export async function withdrawInvalidTraffic(ctx: Context): Promise<number> {
  const now = ctx.now();
  const until = new Date(hourOf(now.getTime()));
  const zones: ZoneFacts[] = [];
  for (let after = 0; ;) {
    const ids = await visitedZones(ctx.db, until, after, ZONES_PER_QUERY);
    if (ids.length === 0) break;
    zones.push(...(await factsOf(ctx.db, ids, until)));
    after = ids.at(-1) as number;
  }
  const publishers = publishersOf(zones);
  const from = later(until, -COMPARED_HOURS * HOUR_MS);
  let made = 0;
  for (const zone of zones) {
    const signals = exceededBy(zone, marketOf(publishers, zone.publisherId));
    if (!isInvalid(signals)) continue;
    const id = await withdraw(ctx.db, now, { zoneId: zone.zoneId, from, until, signals });
    if (id === null) continue;
    made += 1;
    ctx.log.warn({ withdrawal: id, zone: zone.zoneId, signals }, 'invalid traffic of a zone was withdrawn');
  }
  await deleteTraits(ctx.db, new Date(now.getTime() - TRAITS_KEPT_MS));
  return made;
}

/** The rates of each publisher with enough views, over all of their zones. */
function publishersOf(zones: readonly ZoneFacts[]) {
  return [...Map.groupBy(zones, ({ publisherId }) => publisherId)].map(([publisherId, own]) => {
    const sum = (of: (zone: ZoneFacts) => number) => own.reduce((total, zone) => total + of(zone), 0);
    const views = sum(({ counted }) => counted.views);
    const served = Math.max(...own.map((zone) => zone.served));
    return {
      publisherId,
      clickRate: views < MIN_COMPARED_VIEWS ? null : sum(({ counted }) => counted.clicks) / views,
      tagLoadsPerServed: served < MIN_COMPARED_VIEWS ? null : Math.max(...own.map((zone) => zone.tagLoads)) / served,
    };
  });
}
