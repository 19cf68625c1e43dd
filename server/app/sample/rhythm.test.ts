import { expect, it } from 'vitest';
import { later, DAY_MS } from '#domain/time.ts';
import { momentsBetween } from './rhythm.ts';

// Four weeks from a Monday.
const from = new Date('2026-10-05T09:30:00Z');
const until = later(from, 28 * DAY_MS);
const perDay = { views: 200, clicks: 4, weekends: 'quiet', seed: 3 } as const;

// Proves GEN-01
it('spreads sample views over the range at about the given rate, with fewer at night and on quiet weekends', () => {
  const moments = momentsBetween(from, until, perDay);
  expect(moments.every(({ at }) => at >= from && at < until)).toBe(true);
  const views = (of: (at: Date) => boolean) =>
    moments.reduce((sum, each) => sum + (of(each.at) ? each.views : 0), 0);
  const all = views(() => true);
  expect(Math.abs(all / 28 - 200)).toBeLessThan(40);
  const weekend = views((at) => [0, 6].includes(at.getUTCDay()));
  expect(weekend / 8).toBeLessThan((all - weekend) / 20 / 1.5);
  expect(views((at) => at.getUTCHours() < 8)).toBeLessThan(views((at) => at.getUTCHours() >= 16) / 2);
  const busy = momentsBetween(from, until, { ...perDay, weekends: 'busy' });
  expect(
    busy.filter(({ at }) => at.getUTCDay() === 0).reduce((sum, each) => sum + each.views, 0),
  ).toBeGreaterThan(views((at) => at.getUTCDay() === 0) * 2);
  expect(moments.every(({ clicks, views }) => clicks <= views)).toBe(true);
  expect(momentsBetween(from, until, perDay)).toEqual(moments);
});
