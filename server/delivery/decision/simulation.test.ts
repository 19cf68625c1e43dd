/** Simulates weeks of traffic on a simulated clock. `npm run lab simulate` prints the figures that these tests check. */
import { describe, expect, it } from 'vitest';
import { PACING_DAYS } from '#domain/delivery/choose.ts';
import { type Outcome, SCENARIOS, simulate } from '#server/testing/delivery/simulate.ts';

type Name = keyof typeof SCENARIOS;

const known = new Map<Name, Outcome[]>();
/** Plays each scenario once. It is seeded, so the outcomes would be the same again. */
function run(name: Name): Outcome[] {
  const outcomes = known.get(name) ?? simulate(SCENARIOS[name]);
  known.set(name, outcomes);
  return outcomes;
}
const named = (outcomes: Outcome[], name: string) => outcomes.find((ad) => ad.name === name) as Outcome;

/** The standard deviation of n views a day is √n. A share that is four deviations off practically never happens. */
const scatter = (viewsPerDay: number) => 1 - 4 / Math.sqrt(viewsPerDay);

describe('the selector, over weeks of simulated traffic', () => {
  const shared: [Name, floor: number][] = [
    ['usual mix', 10_000 / 4],
    ['overbooked', 10_000 / 3],
    ['late ad', 10_000 / 3],
    ['twenty ads', 10_000 / 20],
    ['a third fewer readers than thought', 6700 / 4],
  ];
  // Proves DEL-18, DEL-43, STATE-06
  it.each(shared)('gives every per-day ad its floor on every day: %s', (name, floor) => {
    const perDay = run(name).filter((ad) => ad.pricingModel === 'per_day');
    expect(perDay.length).toBeGreaterThan(0);
    for (const ad of perDay) expect(ad.worstDayOfFloor).toBeGreaterThan(scatter(floor));
    // Per-day ads share equally. The totals of the run scatter less than those of a single day.
    const views = perDay.map((ad) => ad.views);
    expect(Math.min(...views) / Math.max(...views)).toBeGreaterThan(scatter(Math.max(...views)));
  });

  const met: [Name, tolerance: number][] = [
    ['usual mix', 0.02],
    ['late ad', 0.02],
    ['twenty ads', 0.02],
    // The ad's rising need makes up for half of the missing third. The rest is late.
    ['a third fewer readers than thought', 0.03],
  ];
  // Proves DEL-18, DEL-43, STATE-06
  it.each(met)('delivers every quota in full and on time: %s', (name, tolerance) => {
    const quotas = run(name).filter((ad) => ad.goal !== null);
    expect(quotas.length).toBeGreaterThan(0);
    for (const ad of quotas) {
      expect(ad.pricingModel === 'per_click' ? ad.clicks : ad.views).toBe(ad.goal);
      expect(ad.doneAfter).toBeLessThan(PACING_DAYS * (1 + tolerance));
      // The last clicks come by chance, one or two at a time, so a click quota may be done early.
      if (ad.pricingModel === 'per_impression')
        expect(ad.doneAfter).toBeGreaterThan(PACING_DAYS * (1 - tolerance));
    }
  });

  // Proves DEL-43
  it('scales overbooked quotas down by the same factor and leaves per-day ads their floor', () => {
    const outcomes = run('overbooked');
    const [small, large] = ['300,000 views', '600,000 views'].map((name) => named(outcomes, name));
    expect((large as Outcome).views / (small as Outcome).views).toBeCloseTo(2, 1);
    expect(named(outcomes, 'per day').views / 100_000).toBeCloseTo(1 / 3, 2);
  });

  // Proves DEL-43
  it('wastes no view in a zone with quotas only: all are delivered early and at the same time', () => {
    const done = run('only quotas').map((ad) => ad.doneAfter as number);
    expect(Math.max(...done)).toBeLessThan(PACING_DAYS / 2);
    expect(Math.min(...done) / Math.max(...done)).toBeGreaterThan(0.95);
  });

  // Proves DEL-43
  it('gives a late ad what the floor leaves, and keeps the others on time', () => {
    const outcomes = run('late ad');
    const late = named(outcomes, '30,000 views, 29,000 missing after 25 days');
    expect(Math.max(...late.shown)).toBeGreaterThan(5000);
    expect(named(outcomes, '30,000 views').shown[0]).toBeGreaterThan(750);
  });
});
