import { expect, it } from 'vitest';
import { isExpired, judgeEvent, judgeTraffic, leastAgeMs } from './judge.ts';

const honest = { prefetch: false, automated: false, foreignSite: false };
const event = {
  kind: 'click' as const,
  video: false,
  ageMs: 5000,
  traffic: honest,
  decision: null,
  clickedBefore: false,
};

it('GEN-19 the first rule that is hit is the reason', () => {
  expect(judgeTraffic(honest)).toBeNull();
  expect(judgeTraffic({ prefetch: true, automated: true, foreignSite: true })).toBe('prefetch');
  expect(judgeTraffic({ prefetch: false, automated: true, foreignSite: true })).toBe('bot');
  expect(judgeTraffic({ prefetch: false, automated: false, foreignSite: true })).toBe('wrong_site');

  const worst = { ...event, ageMs: 0, decision: 'wrong_site' as const, clickedBefore: true };
  expect(judgeEvent({ ...worst, traffic: { ...honest, automated: true } })).toBe('bot');
  expect(judgeEvent(worst)).toBe('wrong_site');
  expect(judgeEvent({ ...worst, decision: null })).toBe('too_fast');
  expect(judgeEvent({ ...worst, decision: null, ageMs: 400 })).toBe('frequency');
  expect(judgeEvent(event)).toBeNull();
});

it('GEN-19 no event is sooner than what it measures takes', () => {
  expect(leastAgeMs('view', false)).toBe(1000);
  expect(leastAgeMs('view', true)).toBe(2000);
  expect(leastAgeMs('click', true)).toBe(400);
});

it('GEN-19 a token dated ahead of every clock of ours is as worthless as an old one', () => {
  expect(isExpired('view', 0, 3_600_000)).toBe(false);
  expect(isExpired('view', 0, 3_600_001)).toBe(true);
  expect(isExpired('click', 0, 86_400_001)).toBe(true);
  expect(isExpired('click', 60_000, 0)).toBe(false);
  expect(isExpired('click', 60_001, 0)).toBe(true);
});
