import { expect, it } from 'vitest';
import type { AdPlan } from '../inventory/pricing.ts';
import { DAY_MS, HOUR_MS, later } from '../time.ts';
import { outlookOf, progressOf, type Running } from './pace.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const VIEWS: AdPlan = { pricingModel: 'per_impression', duration: null, impressions: 1000, clicks: null };
const CLICKS: AdPlan = { pricingModel: 'per_click', duration: null, impressions: null, clicks: 40 };
const DAYS: AdPlan = { pricingModel: 'per_day', duration: 7, impressions: null, clicks: null };

function running(plan: AdPlan, days: number, impressions: number, clicks = 0): Running {
  const start = later(NOW, -days * DAY_MS);
  const end = plan.pricingModel === 'per_day' ? later(start, plan.duration * DAY_MS) : null;
  return {
    plan,
    status: 'active',
    start,
    end,
    pausedAt: null,
    ownPauseAt: null,
    silentDays: 0,
    delivered: { impressions, clicks },
  };
}
const recent = (impressions: number, clicks = 0) => ({ impressions, clicks });
const inDays = (count: number) => ({ kind: 'expected', at: later(NOW, count * DAY_MS) });

it('measures progress in bought impressions, clicks or days', () => {
  expect(progressOf(running(VIEWS, 3, 250, 9), NOW)).toEqual({ done: 250, goal: 1000 });
  expect(progressOf(running(CLICKS, 3, 250, 9), NOW)).toEqual({ done: 9, goal: 40 });
  const day = (age: number) => progressOf(running(DAYS, age, 0), NOW).done;
  expect([0, 0.5, 2.5, 7, 30].map(day)).toEqual([0, 0.5, 2.5, 7, 7]);
  // A completed ad has no days left, even if it ended early.
  expect(progressOf({ ...running(DAYS, 2, 0), status: 'completed' }, NOW)).toEqual({ done: 7, goal: 7 });
});

it('uses the pace of the last seven days, or since the start for a younger ad', () => {
  expect(outlookOf(running(VIEWS, 30, 300), recent(350, 1), NOW)).toEqual(inDays(14));
  expect(outlookOf(running(CLICKS, 30, 300, 26), recent(350, 7), NOW)).toEqual(inDays(14));
  expect(outlookOf(running(VIEWS, 4, 200), recent(1), NOW)).toEqual(inDays(16));
  // Seven complete days can begin before the ad did, so an ad of 7.5 days is still young.
  expect(outlookOf(running(VIEWS, 7.5, 250), recent(1), NOW)).toEqual(inDays(22.5));
  expect(outlookOf(running(VIEWS, 8, 250), recent(70), NOW)).toEqual(inDays(75));
  expect(outlookOf(running(VIEWS, 30, 300), undefined, NOW)).toBeUndefined();
});

it('gives no date without counted events or within hours of the start', () => {
  expect(outlookOf(running(VIEWS, 2, 0), recent(0), NOW)).toEqual({ kind: 'silent', isNew: true });
  expect(outlookOf(running(VIEWS, 30, 10), recent(0), NOW)).toEqual({ kind: 'silent', isNew: false });
  expect(outlookOf(running(VIEWS, 5 / 24, 10), recent(0), NOW)).toEqual({ kind: 'early' });
  const sixHours = { ...running(VIEWS, 0, 500), start: later(NOW, -6 * HOUR_MS) };
  expect(outlookOf(sixHours, recent(0), NOW)).toEqual(inDays(0.25));
});

it('recognizes ads that will take years, that have reached their goal or that have an end date', () => {
  expect(outlookOf(running(VIEWS, 30, 1), recent(1), NOW)).toEqual({ kind: 'far' });
  expect(outlookOf(running(VIEWS, 30, 1000), undefined, NOW)).toEqual({ kind: 'reached' });
  expect(outlookOf(running(DAYS, 2, 0), undefined, NOW)).toEqual({
    kind: 'ends',
    at: later(NOW, 5 * DAY_MS),
    silentDays: 0,
  });
  const over = { ...running(DAYS, 9, 0), status: 'completed' as const };
  expect(outlookOf(over, undefined, NOW)).toEqual({ kind: 'reached' });
});

// Proves DEL-44, DEL-45
it('counts a per-day ad’s days by its own clock, which a pause stops and a silent day sets back', () => {
  // The ad began nine days ago, and three of these days were paused or silent.
  const moved = { ...running(DAYS, 9, 0), end: later(NOW, DAY_MS), silentDays: 2 };
  expect(progressOf(moved, NOW)).toEqual({ done: 6, goal: 7 });
  expect(progressOf(moved, later(NOW, -DAY_MS))).toEqual({ done: 5, goal: 7 });
  expect(outlookOf(moved, undefined, NOW)).toEqual({ kind: 'ends', at: later(NOW, DAY_MS), silentDays: 2 });

  const paused = { ...running(DAYS, 5, 0), pausedAt: later(NOW, -3.5 * DAY_MS) };
  for (const days of [0, 1, 400]) expect(progressOf(paused, later(NOW, days * DAY_MS)).done).toBe(1.5);
  const since = paused.pausedAt;
  expect(outlookOf(paused, undefined, NOW)).toEqual({ kind: 'paused', since, endMoves: true });
  const waiting = { ...running(VIEWS, 30, 10), pausedAt: since };
  expect(outlookOf(waiting, recent(5), NOW)).toEqual({ kind: 'paused', since, endMoves: false });
});

it('says that views and clicks wait while the advertiser pauses, and that days go on', () => {
  const ownPauseAt = later(NOW, -DAY_MS);
  expect(outlookOf({ ...running(VIEWS, 30, 10), ownPauseAt }, recent(5), NOW)).toEqual({
    kind: 'paused-by-advertiser',
    since: ownPauseAt,
  });
  const days = { ...running(DAYS, 5, 0), ownPauseAt };
  expect(outlookOf(days, undefined, NOW)).toEqual(outlookOf(running(DAYS, 5, 0), undefined, NOW));
});
