import { describe, expect, it } from 'vitest';
import { isMonthFinished } from './months.ts';
import {
  alikeIn,
  effective,
  exceededBy,
  fairShare,
  isInvalid,
  lowerLimit,
  type Market,
  marketOf,
  SIGNALS,
  variation,
  type ZoneTraffic,
} from './signals.ts';
import { textOf } from './signal-texts.ts';

const MARKET: Market = { clickRate: 0.003, tagLoadsPerServed: 0.5 };
/** n events, spread evenly over this many values. */
const evenly = (n: number, values: number) => ({ n, pairs: values * (n / values) * (n / values - 1) });
const DAY = [9, 6, 4, 3, 3, 5, 9, 16, 22, 26, 27, 28, 30, 29, 28, 27, 29, 32, 36, 41, 44, 40, 30, 18];
const HONEST: ZoneTraffic = {
  counted: { views: 540, clicks: 2 },
  passed: { views: 540, clicks: 2 },
  served: 900,
  seen: 545,
  hourly: DAY,
  networks: evenly(540, 270),
  browsers: evenly(540, 6),
  delays: evenly(540, 6),
  returning: { n: 540, known: 120 },
  landings: { clicks: 20, landed: 15, expected: 16 },
  tagLoads: 400,
  past: { views: 10_000, clicks: 31 },
  cleared: [],
  usualBrowsers: [11],
  usualDelays: [5, 6],
};
const named = (traffic: Partial<ZoneTraffic>, market = MARKET) =>
  exceededBy({ ...HONEST, ...traffic }, market).map(({ signal }) => signal);

describe('the comparison of a zone', () => {
  // Proves SIVT-02
  it('finds nothing in a usual day, and names each signal with its value and bound', () => {
    expect(exceededBy(HONEST, MARKET)).toEqual([]);
    expect(exceededBy({ ...HONEST, networks: evenly(540, 20) }, MARKET)).toEqual([
      { signal: 'network', value: 20.7308, bound: 30 },
    ]);
    expect(named({ returning: { n: 540, known: 530 } })).toEqual(['returning']);
    expect(named({ browsers: evenly(540, 1) })).toEqual(['browser']);
    expect(named({ delays: evenly(540, 2) })).toEqual(['delay']);
    expect(named({ seen: 899 })).toEqual(['viewability']);
    expect(named({ hourly: Array<number>(24).fill(22) })).toEqual(['hours']);
    expect(named({ passed: { views: 540, clicks: 40 } })).toEqual(['clicks']);
    // Traffic beyond the ceiling counts here, although it is not billed.
    expect(named({ counted: { views: 540, clicks: 40 } })).toEqual([]);
    expect(named({ tagLoads: 3 })).toEqual(['tag']);
    expect(named({ landings: { clicks: 20, landed: 2, expected: 16 } })).toEqual(['landings']);
    expect(named({ landings: { clicks: 20, landed: 0, expected: 20 } })).toEqual(['landings']);
  });

  // Proves SIVT-02
  it('compares nothing that has too few events, and no rate without a marketplace', () => {
    const scripted = {
      networks: evenly(19, 1),
      browsers: evenly(19, 1),
      delays: evenly(19, 1),
      served: 29,
      returning: null,
    };
    expect(
      named({ ...scripted, seen: 29, counted: { views: 19, clicks: 19 }, passed: { views: 19, clicks: 19 } }),
    ).toEqual([]);
    expect(
      named({ ...scripted, seen: 30, counted: { views: 19, clicks: 9 }, passed: { views: 19, clicks: 9 } }),
    ).toEqual([]);
    expect(named({ passed: { views: 540, clicks: 9 } })).toEqual([]);
    expect(
      named(
        { tagLoads: 0, passed: { views: 540, clicks: 40 } },
        { clickRate: null, tagLoadsPerServed: null },
      ),
    ).toEqual([]);
    // A cache in front of the server hides all loads of the tag.
    expect(named({ tagLoads: 0 }, { clickRate: 0.003, tagLoadsPerServed: 0.01 })).toEqual([]);
    // The zone has always had this rate.
    expect(named({ passed: { views: 540, clicks: 40 }, past: { views: 10_000, clicks: 740 } })).toEqual([]);
  });

  // Proves EVID-06
  it('takes clicks that do not land for a signal only if there are enough of them, and if they usually land', () => {
    const landed = (clicks: number, landed: number, expected: number) =>
      named({ landings: { clicks, landed, expected } });
    // Nothing is known about the page: no script, or no landing elsewhere or before.
    expect(landed(0, 0, 0)).toEqual([]);
    expect(landed(500, 0, 0)).toEqual([]);
    expect(landed(9, 0, 9)).toEqual([]);
    // A page on which one visitor of ten stays for the script: 20 clicks without a landing are chance.
    expect(landed(20, 0, 2)).toEqual([]);
    expect(landed(300, 0, 30)).toEqual(['landings']);
    // A quarter of the usual rate can be visitors in a hurry.
    expect(landed(300, 60, 240)).toEqual([]);
  });

  // Proves SIVT-01
  it('withdraws only if two groups agree, and signals with one cause are one group', () => {
    const of = (...signals: (typeof SIGNALS)[number][]) =>
      isInvalid(signals.map((signal) => ({ signal, value: 0, bound: 0 })));
    expect(of('network', 'returning', 'share')).toBe(false);
    expect(of('delay', 'hours')).toBe(false);
    expect(of('network', 'browser')).toBe(true);
    expect(of('viewability', 'tag')).toBe(true);
    expect(of('clicks', 'landings')).toBe(true);
  });

  // Proves SIVT-01
  it('takes only the browsers and delays that look alike, or all if neither does', () => {
    const alike = (...signals: (typeof SIGNALS)[number][]) =>
      alikeIn(
        HONEST,
        signals.map((signal) => ({ signal, value: 0, bound: 0 })),
      );
    expect(alike('browser', 'delay')).toEqual({ browsers: [11], delays: [5, 6] });
    expect(alike('browser', 'tag')).toEqual({ browsers: [11], delays: null });
    expect(alike('viewability', 'tag')).toEqual({ browsers: null, delays: null });
  });

  // Proves SIVT-04
  it('leaves out the groups of signals that an operator has cleared', () => {
    const campus = { networks: evenly(540, 1), returning: { n: 540, known: 540 } };
    expect(named(campus)).toEqual(['network', 'returning']);
    expect(named({ ...campus, cleared: ['share'], browsers: evenly(540, 1) })).toEqual(['browser']);
  });

  // Proves SIVT-10
  it('lets a network count for eight views, or for a thirtieth of what an audience spreads', () => {
    const views = (networks: number, each: number, hours = 24) =>
      fairShare({ networks, views: networks * each, spread: networks * Math.min(each, 8) }, hours).views;
    expect(views(30, 5)).toBe(8);
    expect(views(450, 2)).toBe(30);
    // Networks that are no audience cannot raise their share, however much they send: a third of their number.
    for (const [networks, fair] of [
      [1, 0],
      [8, 2],
      [20, 6],
      [29, 8],
    ] as const)
      expect(views(networks, 1000)).toBe(fair);
    expect(views(90, 1, 168)).toBe(20);
  });

  // Proves SIVT-11
  it('judges a zone with less than 30 views in a week by its views alone', () => {
    const few = { networks: 1, views: 29, spread: 20 };
    expect(fairShare(few, 168).views).toBe(8);
    expect(fairShare({ ...few, views: 30 }, 168).views).toBe(0);
  });

  // Proves SIVT-10
  it('lets a network count for two clicks, or for a twentieth of its fair views', () => {
    const clicks = (spread: number) => fairShare({ networks: 300, views: spread, spread }, 24).clicks;
    expect(clicks(600)).toBe(2);
    expect(clicks(6000)).toBe(10);
  });

  // Proves SIVT-02
  it('compares a publisher only with the others, and needs three of them', () => {
    const rates = [0.001, 0.002, 0.9, 0.003].map((clickRate, at) => ({
      publisherId: at,
      clickRate,
      tagLoadsPerServed: at === 0 ? null : 0.4,
    }));
    expect(marketOf(rates, 2)).toEqual({ clickRate: 0.002, tagLoadsPerServed: null });
    expect(marketOf(rates, 9)).toEqual({ clickRate: 0.003, tagLoadsPerServed: 0.4 });
    expect(marketOf(rates.slice(0, 2), 9)).toEqual({ clickRate: null, tagLoadsPerServed: null });
  });

  // Proves SIVT-03
  it('describes each signal in words', () => {
    for (const signal of SIGNALS)
      expect(textOf({ signal, value: 0.5, bound: 0.9 })).toMatch(/bound: \S+|of which \S+ count/);
  });
});

describe('the statistics', () => {
  // Proves SIVT-02
  it('are those of Simpson, Wilson and Poisson', () => {
    expect(effective(evenly(1000, 20), 100)).toBeCloseTo(20.4, 1);
    expect(effective({ n: 40, pairs: 0 }, 20)).toBe(Infinity);
    expect(effective({ n: 19, pairs: 19 * 18 }, 20)).toBeNull();
    expect(lowerLimit(50, 50)).toBeCloseTo(0.902, 3);
    expect(lowerLimit(0, 100)).toBeCloseTo(0, 6);
    expect(variation(DAY)).toBeGreaterThan(0.4);
    expect(variation([100, 100, 100, 100])).toBe(0);
    expect(variation([0, 0])).toBeNull();
  });
});

// Proves SIVT-05
it('finishes a month ten days after its end', () => {
  const hour = new Date('2026-11-30T23:00:00Z');
  expect(isMonthFinished(hour, new Date('2026-12-10T23:59:59Z'))).toBe(false);
  expect(isMonthFinished(hour, new Date('2026-12-11T00:00:00Z'))).toBe(true);
});
