import {
  alikeIn,
  COMPARED_HOURS,
  type Exceeded,
  exceededBy,
  fairShare,
  fairViewsWithin,
  isCleared,
  isInvalid,
  marketOf,
  MIN_COMPARED_VIEWS,
  WEEK_HOURS,
} from '#domain/invalid-traffic/signals.ts';
import { DAY_MS, HOUR_MS, hourOf, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { type Facts, factsOf } from './store-facts.ts';
import { crowdsOf, deleteTraits, type Taken, visitedZones, withdraw, zonesWithViews } from './store.ts';

const ZONES_PER_QUERY = 200;
/** The comparison reads two days. One more covers a server whose jobs were late. */
const TRAITS_KEPT_MS = 3 * DAY_MS;
/** The same for zones that are compared over a week. */
const TRAITS_OF_FEW_KEPT_MS = 8 * DAY_MS;

/**
 * The hourly job: compares the last day of each zone that had visitors, and of each website with several such zones,
 * with human traffic. A zone with few visitors is compared over a week. The job withdraws what networks have beyond their
 * fair share and, where two groups of signals agree, what looks alike. A second run withdraws nothing more, and two
 * instances cannot withdraw the same events twice. Returns the number of withdrawals. [SIVT-01]
 */
export async function withdrawInvalidTraffic(ctx: Context): Promise<number> {
  const now = ctx.now();
  const until = new Date(hourOf(now.getTime()));
  const zones: Facts[] = [];
  let made = 0;
  for (let after = 0; ;) {
    const ids = await visitedZones(ctx.db, until, after, ZONES_PER_QUERY);
    if (ids.length === 0) break;
    const busy = await zonesWithViews(ctx.db, ids, until, MIN_COMPARED_VIEWS);
    const few = ids.filter((id) => !busy.includes(id));
    for (const [zoneIds, hours] of [
      [busy, COMPARED_HOURS],
      [few, WEEK_HOURS],
    ] as const) {
      made += await withdrawUnfair(ctx, zoneIds, { until, now, hours });
      const ofHours = await factsOf(ctx.db, 'zone', zoneIds, until, hours);
      if (hours === COMPARED_HOURS) zones.push(...ofHours);
      else made += await withdrawAlike(ctx, ofHours, zones, { until, now, hours });
    }
    after = ids.at(-1) as number;
  }
  const hours = COMPARED_HOURS;
  made += await withdrawAlike(ctx, zones, zones, { until, now, hours });
  made += await withdrawAlike(ctx, await websitesOf(ctx, zones, until), zones, { until, now, hours });
  await deleteTraits(ctx.db, {
    before: later(now, -TRAITS_KEPT_MS),
    ofFewBefore: later(now, -TRAITS_OF_FEW_KEPT_MS),
    few: MIN_COMPARED_VIEWS,
  });
  return made;
}

type Span = { until: Date; now: Date; hours: number };

/** Withdraws what networks have beyond their fair share of a zone, unless an operator has cleared its source. */
async function withdrawUnfair(ctx: Context, zoneIds: readonly number[], span: Span): Promise<number> {
  const { until, hours } = span;
  const crowds = await crowdsOf(ctx.db, zoneIds, { until, hours, fair: fairViewsWithin(hours) });
  const unfair = crowds
    .map((crowd) => ({ ...crowd, fair: fairShare(crowd, hours) }))
    .filter(({ mostViews, mostClicks, fair }) => mostViews > fair.views || mostClicks > fair.clicks);
  if (unfair.length === 0) return 0;
  const facts = await factsOf(
    ctx.db,
    'zone',
    unfair.map(({ zoneId }) => zoneId),
    until,
    hours,
  );
  let made = 0;
  for (const { zoneId, mostViews, mostClicks, fair } of unfair) {
    const zone = facts.find(({ zoneIds: [id] }) => id === zoneId);
    if (!zone || isCleared(zone, 'share')) continue;
    const signals: Exceeded[] = [];
    if (mostViews > fair.views) signals.push({ signal: 'share', value: mostViews, bound: fair.views });
    if (mostClicks > fair.clicks)
      signals.push({ signal: 'clickShare', value: mostClicks, bound: fair.clicks });
    made += await withdrawFrom(ctx, { zoneId, signals, fair }, span);
  }
  return made;
}

/** Withdraws what looks alike where enough signals agree. */
async function withdrawAlike(
  ctx: Context,
  compared: readonly Facts[],
  market: readonly Facts[],
  span: Span,
): Promise<number> {
  const publishers = publishersOf(market);
  let made = 0;
  for (const facts of compared) {
    const signals = exceededBy(facts, marketOf(publishers, facts.publisherId));
    if (!isInvalid(signals)) continue;
    const alike = alikeIn(facts, signals);
    for (const zoneId of facts.zoneIds) made += await withdrawFrom(ctx, { zoneId, signals, alike }, span);
  }
  return made;
}

async function withdrawFrom(
  ctx: Context,
  taken: Omit<Taken, 'from' | 'until'>,
  { until, now, hours }: Span,
): Promise<number> {
  const from = later(until, -hours * HOUR_MS);
  const id = await withdraw(ctx.db, now, { ...taken, from, until });
  if (id === null) return 0;
  const { zoneId, signals } = taken;
  ctx.log.warn({ withdrawal: id, zone: zoneId, signals }, 'invalid traffic of a zone was withdrawn');
  return 1;
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
