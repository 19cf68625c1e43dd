import {
  COMPARED_HOURS,
  type Exceeded,
  exceededBy,
  isInvalid,
  isSuspicious,
  marketOf,
  MIN_COMPARED_VIEWS,
} from '#domain/invalid-traffic/signals.ts';
import { DAY_MS, HOUR_MS, hourOf, later } from '#domain/time.ts';
import type { Context } from '../context.ts';
import { holdSuspicious, releaseCleared } from './store-holds.ts';
import { deleteTraits, type Facts, factsOf, visitedZones, withdraw } from './store.ts';

const ZONES_PER_QUERY = 200;
/** The comparison reads two days. One more covers a server whose jobs were late. */
const TRAITS_KEPT_MS = 3 * DAY_MS;

/**
 * The hourly job: compares the last day of each zone that had visitors, and of each website with several such zones,
 * with human traffic. It withdraws the hours of invalid traffic and holds the earnings of suspicious traffic. A second
 * run withdraws nothing more, and two instances cannot withdraw the same hour twice. Returns the number of withdrawals.
 * [SIVT-01, SIVT-09]
 */
export async function withdrawInvalidTraffic(ctx: Context): Promise<number> {
  const now = ctx.now();
  const until = new Date(hourOf(now.getTime()));
  const zones: Facts[] = [];
  for (let after = 0; ;) {
    const ids = await visitedZones(ctx.db, until, after, ZONES_PER_QUERY);
    if (ids.length === 0) break;
    zones.push(...(await factsOf(ctx.db, 'zone', ids, until)));
    after = ids.at(-1) as number;
  }
  const publishers = publishersOf(zones);
  const suspicious = new Set<number>();
  let made = 0;
  for (const facts of [...zones, ...(await websitesOf(ctx, zones, until))]) {
    const signals = exceededBy(facts, marketOf(publishers, facts.publisherId));
    if (isSuspicious(signals)) for (const zoneId of facts.zoneIds) suspicious.add(zoneId);
    if (isInvalid(signals)) made += await withdrawFrom(ctx, facts.zoneIds, signals, { until, now });
  }
  await holdOrClear(ctx, [...suspicious], { until, now });
  await deleteTraits(ctx.db, new Date(now.getTime() - TRAITS_KEPT_MS));
  return made;
}

/**
 * Each comparison covers COMPARED_HOURS, so an hour is compared for the last time this long after it. A hold ends when
 * none of its hours was found suspicious again until then.
 */
async function holdOrClear(
  ctx: Context,
  zoneIds: readonly number[],
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  const comparedMs = COMPARED_HOURS * HOUR_MS;
  if (zoneIds.length > 0)
    await holdSuspicious(ctx.db, now, {
      zoneIds,
      from: later(until, -comparedMs),
      until,
      heldUntil: later(until, comparedMs),
    });
  await releaseCleared(ctx.db, now);
}

/** The websites with several visited zones. A script that visits a page reports all of its zones, each a little. */
async function websitesOf(ctx: Context, zones: readonly Facts[], until: Date): Promise<Facts[]> {
  const shared = [...Map.groupBy(zones, ({ websiteId }) => websiteId).values()].filter(
    (own) => own.length > 1,
  );
  const websites: Facts[] = [];
  for (let at = 0; at < shared.length; at += ZONES_PER_QUERY) {
    const ids = shared
      .slice(at, at + ZONES_PER_QUERY)
      .flatMap((own) => own.flatMap(({ zoneIds }) => zoneIds));
    websites.push(...(await factsOf(ctx.db, 'website', ids, until)));
  }
  return websites;
}

async function withdrawFrom(
  ctx: Context,
  zoneIds: readonly number[],
  signals: readonly Exceeded[],
  { until, now }: { until: Date; now: Date },
): Promise<number> {
  const from = later(until, -COMPARED_HOURS * HOUR_MS);
  let made = 0;
  for (const zoneId of zoneIds) {
    const id = await withdraw(ctx.db, now, { zoneId, from, until, signals });
    if (id === null) continue;
    made += 1;
    ctx.log.warn({ withdrawal: id, zone: zoneId, signals }, 'invalid traffic of a zone was withdrawn');
  }
  return made;
}

/** The rates of each publisher with enough views, over all of their zones. */
function publishersOf(zones: readonly Facts[]) {
  return [...Map.groupBy(zones, ({ publisherId }) => publisherId)].map(([publisherId, own]) => {
    const sum = (of: (zone: Facts) => number) => own.reduce((total, zone) => total + of(zone), 0);
    const views = sum(({ passed }) => passed.views);
    const served = Math.max(...own.map((zone) => zone.served));
    return {
      publisherId,
      clickRate: views < MIN_COMPARED_VIEWS ? null : sum(({ passed }) => passed.clicks) / views,
      tagLoadsPerServed:
        served < MIN_COMPARED_VIEWS ? null : Math.max(...own.map((zone) => zone.tagLoads)) / served,
    };
  });
}
