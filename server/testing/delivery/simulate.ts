/**
 * Simulates days of an ad zone's traffic with the ad server's own selection and a simulated clock. It reports what each
 * ad gets and when its campaign is delivered. It is pure and seeded, so it returns the same figures every time.
 */
import type { PricingModel } from '#domain/inventory/pricing.ts';
import { PACING_DAYS } from '#domain/delivery/choose.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { chooseAd } from '#server/delivery/decision/choose-ad.ts';
import { Reservations } from '#server/delivery/snapshot/reservations.ts';
import type { LiveAd, LiveZone } from '#server/delivery/snapshot/snapshot.ts';
import { subjectOf } from '#server/delivery/tokens/tokens.ts';

type Campaign = {
  name: string;
  pricingModel: PricingModel;
  /** The number of days, impressions or clicks, depending on the pricing model. */
  amount: number;
  /** Clicks per view. */
  ctr?: number;
  /** The start in days relative to the simulation's start, and the impressions or clicks delivered before it. */
  startDay?: number;
  had?: number;
};

export type Scenario = {
  name: string;
  viewsPerDay: number;
  days: number;
  /** The forecast of views per day, if it differs from the real ones. */
  forecastPerDay?: number;
  ads: Campaign[];
};

export type Outcome = {
  name: string;
  pricingModel: PricingModel;
  goal: number | null;
  /** Views of each day. */
  shown: number[];
  views: number;
  clicks: number;
  /** Days from the ad's start until its goal was reached; null if that didn't happen within the simulation. */
  doneAfter: number | null;
  /** For a per-day ad: the lowest ratio of a full day's views to an N-th of that day's views; otherwise null. */
  worstDayOfFloor: number | null;
};

/** Traffic by hour of the day: little at night, most in the evening; 1 on average. */
const CURVE = [
  0.5, 0.35, 0.25, 0.2, 0.2, 0.3, 0.55, 0.9, 1.15, 1.25, 1.3, 1.35, 1.4, 1.35, 1.3, 1.3, 1.3, 1.35, 1.4, 1.5,
  1.6, 1.45, 1.05, 0.7,
];
const CURVE_SUM = CURVE.reduce((sum, part) => sum + part, 0);

/** Fixed, so that the figures change only when the rules change. */
const SEED = 42;

export function simulate({ viewsPerDay, days, forecastPerDay = viewsPerDay, ads }: Scenario): Outcome[] {
  const random = randomOf(SEED);
  const campaigns = ads.map((ad, index) => ({
    ...ad,
    live: liveAd(ad, index),
    shown: Array<number>(days).fill(0),
  }));
  const floors = campaigns.map(() => Array<number>(days).fill(0));
  const done = new Map<LiveAd, number>();
  const zone = emptyZone(forecastPerDay);

  for (let hour = 0; hour < days * 24; hour++) {
    const day = Math.floor(hour / 24);
    const count = Math.round((viewsPerDay * (CURVE[hour % 24] as number)) / CURVE_SUM);
    for (let view = 0; view < count; view++) {
      const nowMs = (hour + view / count) * HOUR_MS;
      const live = campaigns.filter(
        (ad) => ad.live.startMs <= nowMs && nowMs < ad.live.endMs && !done.has(ad.live),
      );
      // The ad server reloads a zone when its ads change.
      if (live.length !== zone.ads.length)
        Object.assign(zone, { ads: live.map((ad) => ad.live), shares: null });
      for (const ad of live) floors[campaigns.indexOf(ad)]![day]! += 1 / live.length;
      const shownAd = chooseAd(zone, null, nowMs, random);
      const chosen = campaigns.find((ad) => ad.live === shownAd);
      if (!chosen) continue;
      const { live: ad, ctr = 0.002 } = chosen;
      chosen.shown[day]! += 1;
      ad.views += 1;
      if (random() < ctr) ad.clicks += 1;
      const delivered = ad.pricingModel === 'per_click' ? ad.clicks : ad.views;
      if (ad.goal !== null && delivered >= ad.goal) done.set(ad, nowMs);
    }
  }

  return campaigns.map(({ name, pricingModel, live, shown }, index) => {
    const doneAt = done.get(live);
    const wholeDays = shown
      .map((views, day) => views / (floors[index]![day] as number))
      .filter((_, day) => day * DAY_MS >= live.startMs && (day + 1) * DAY_MS <= live.endMs);
    return {
      name,
      pricingModel,
      goal: live.goal,
      shown,
      views: live.views,
      clicks: live.clicks,
      doneAfter: doneAt === undefined ? null : (doneAt - live.startMs) / DAY_MS,
      worstDayOfFloor: pricingModel === 'per_day' ? Math.min(...wholeDays) : null,
    };
  });
}

/** The mixes of ads that the docs and the tests name. */
export const SCENARIOS = {
  'usual mix': {
    name: 'usual mix',
    viewsPerDay: 10_000,
    days: PACING_DAYS + 2,
    ads: [
      { name: 'per day A', pricingModel: 'per_day', amount: 60 },
      { name: 'per day B', pricingModel: 'per_day', amount: 60 },
      { name: '30,000 views', pricingModel: 'per_impression', amount: 30_000 },
      { name: '40 clicks', pricingModel: 'per_click', amount: 40 },
    ],
  },
  overbooked: {
    name: 'overbooked',
    viewsPerDay: 10_000,
    days: 10,
    ads: [
      { name: 'per day', pricingModel: 'per_day', amount: 60 },
      { name: '300,000 views', pricingModel: 'per_impression', amount: 300_000 },
      { name: '600,000 views', pricingModel: 'per_impression', amount: 600_000 },
    ],
  },
  'only quotas': {
    name: 'only quotas',
    viewsPerDay: 10_000,
    days: PACING_DAYS + 2,
    ads: [
      { name: '30,000 views', pricingModel: 'per_impression', amount: 30_000 },
      { name: '60,000 views', pricingModel: 'per_impression', amount: 60_000 },
      { name: '100 clicks', pricingModel: 'per_click', amount: 100 },
    ],
  },
  'late ad': {
    name: 'late ad',
    viewsPerDay: 10_000,
    days: PACING_DAYS + 2,
    ads: [
      { name: 'per day', pricingModel: 'per_day', amount: 60 },
      {
        name: '30,000 views, 29,000 missing after 25 days',
        pricingModel: 'per_impression',
        amount: 30_000,
        startDay: -25,
        had: 1000,
      },
      { name: '30,000 views', pricingModel: 'per_impression', amount: 30_000 },
    ],
  },
  'twenty ads': {
    name: 'twenty ads',
    viewsPerDay: 10_000,
    days: PACING_DAYS + 2,
    ads: [
      ...Array.from(
        { length: 10 },
        (_, at) => ({ name: `per day ${at + 1}`, pricingModel: 'per_day', amount: 60 }) as const,
      ),
      ...Array.from(
        { length: 6 },
        (_, at) => ({ name: `9,000 views ${at + 1}`, pricingModel: 'per_impression', amount: 9000 }) as const,
      ),
      ...Array.from(
        { length: 4 },
        (_, at) => ({ name: `15 clicks ${at + 1}`, pricingModel: 'per_click', amount: 15 }) as const,
      ),
    ],
  },
  'a third fewer readers than thought': {
    name: 'a third fewer views than forecast',
    viewsPerDay: 6700,
    forecastPerDay: 10_000,
    days: PACING_DAYS + 2,
    ads: [
      { name: 'per day A', pricingModel: 'per_day', amount: 60 },
      { name: 'per day B', pricingModel: 'per_day', amount: 60 },
      { name: '30,000 views', pricingModel: 'per_impression', amount: 30_000 },
      { name: '40 clicks', pricingModel: 'per_click', amount: 40 },
    ],
  },
} satisfies Record<string, Scenario>;

function liveAd({ name, pricingModel, amount, startDay = 0, had = 0 }: Campaign, index: number): LiveAd {
  const startMs = startDay * DAY_MS;
  return {
    id: index + 1,
    publicId: name,
    zoneId: 1,
    creative: 0,
    second: null,
    next: null,
    video: false,
    subject: subjectOf({ zoneId: 1, adId: index + 1, video: false, creative: 0 }),
    targetUrl: '',
    measuresLandings: false,
    pricingModel,
    goal: pricingModel === 'per_day' ? null : amount,
    views: pricingModel === 'per_impression' ? had : 0,
    clicks: pricingModel === 'per_click' ? had : 0,
    startMs,
    endMs: pricingModel === 'per_day' ? startMs + amount * DAY_MS : Infinity,
    targeting: null,
    isWithin: null,
    lastAllowedMs: -Infinity,
    lastLimitedMs: -Infinity,
    fragment: { before: '', style: '', after: '' },
    vast: null,
    reservations: new Reservations(),
    recentlyServed: false,
    uncounted: { views: 0, clicks: 0 },
  };
}

/** A zone with these ads, all of which start now. */
export function makeZoneOf(forecastPerDay: number, ads: Campaign[]): LiveZone {
  return { ...emptyZone(forecastPerDay), ads: ads.map(liveAd) };
}

function emptyZone(forecastPerDay: number): LiveZone {
  return {
    id: 1,
    publicId: 'zone',
    websiteId: 1,
    publisherId: 1,
    site: null,
    tagSeenAtMs: 0,
    textStyle: '""',
    area: 0,
    house: { before: '', style: '', after: '' },
    forecastPerDay,
    measuredViewsPerDay: 0,
    ads: [],
    isLimited: false,
    needsPage: false,
    isExcluded: null,
    shares: null,
  };
}

/** The pseudo-random generator mulberry32. The same seed gives the same numbers in [0, 1). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
