import { describe, expect, it } from 'vitest';
import { CAUSES, causesOf, type CountedDay, countTogether, type Together } from './two-counts.ts';

const day = (pageViews: number | null, requests: number): CountedDay => ({
  date: '2026-11-01',
  pageViews,
  requests,
});

describe('two counts', () => {
  it.each<[string, CountedDay[], Together]>([
    ['no days', [], { days: 0, pageViews: 0, requests: 0, difference: null }],
    ['only ours', [day(null, 900)], { days: 0, pageViews: 0, requests: 0, difference: null }],
    ['a day of zero', [day(0, 5)], { days: 1, pageViews: 0, requests: 5, difference: null }],
    [
      'fewer',
      [day(100, 70), day(null, 900), day(100, 80)],
      { days: 2, pageViews: 200, requests: 150, difference: -0.25 },
    ],
    ['more', [day(200, 250)], { days: 1, pageViews: 200, requests: 250, difference: 0.25 }],
  ])('are compared on the days that have both: %s', (_what, days, together) => {
    expect(countTogether(days)).toEqual(together);
  });

  it.each([
    [-0.3, [...CAUSES.fewer, ...CAUSES.always]],
    [-0.05, [...CAUSES.fewer, ...CAUSES.always]],
    [-0.049, []],
    [0, []],
    [0.049, []],
    [0.4, [...CAUSES.more, ...CAUSES.always]],
  ])('differ for known causes: %s', (difference, causes) => {
    expect(causesOf(difference)).toEqual(causes);
  });
});
