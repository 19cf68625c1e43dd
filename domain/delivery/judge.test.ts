import { expect, it } from 'vitest';
import { isExpired, judgeActivity, judgeEvent, judgeTraffic, minAgeMs } from './judge.ts';

const honest = {
  prefetch: false,
  agent: false,
  automated: false,
  impossible: false,
  dataCentre: false,
  foreignSite: false,
};
const event = {
  kind: 'click' as const,
  video: false,
  byPlayer: false,
  forPlayer: false,
  proven: true,
  ageMs: 5000,
  traffic: honest,
  decision: null,
};

// Proves GEN-19
it('gives the first rule that applies as the reason', () => {
  expect(judgeTraffic(honest)).toBeNull();
  const suspect = {
    prefetch: true,
    agent: true,
    automated: true,
    impossible: true,
    dataCentre: true,
    foreignSite: true,
  };
  expect(judgeTraffic(suspect)).toBe('prefetch');
  expect(judgeTraffic({ ...suspect, prefetch: false })).toBe('agent');
  expect(judgeTraffic({ ...suspect, prefetch: false, agent: false })).toBe('bot');
  expect(judgeTraffic({ ...honest, impossible: true, dataCentre: true })).toBe('not_a_browser');
  expect(judgeTraffic({ ...honest, dataCentre: true, foreignSite: true })).toBe('data_center');
  expect(judgeTraffic({ ...honest, foreignSite: true })).toBe('wrong_site');

  const worst = { ...event, ageMs: 0, decision: 'wrong_site' as const };
  expect(judgeEvent({ ...worst, traffic: { ...honest, automated: true } })).toBe('bot');
  expect(judgeEvent(worst)).toBe('wrong_site');
  expect(judgeEvent({ ...worst, decision: null })).toBe('too_fast');
  expect(judgeEvent({ ...worst, decision: null, ageMs: 400 })).toBeNull();
  expect(judgeEvent(event)).toBeNull();
  // A player's report of an ad that was not sent to a player. [IVT-03]
  expect(judgeEvent({ ...event, byPlayer: true, video: true })).toBe('wrong_format');
  expect(judgeEvent({ ...event, byPlayer: true, forPlayer: true, video: true })).toBeNull();
  expect(judgeEvent({ ...event, proven: false })).toBe('no_proof');
});

// Proves GEN-19
it('requires one second for a view, two for a video, and 0.4 for a click', () => {
  expect(minAgeMs('view', false)).toBe(1000);
  expect(minAgeMs('view', true)).toBe(2000);
  expect(minAgeMs('click', true)).toBe(400);
});

// Proves GEN-19
it('expires a token that is too old, or dated further ahead than the clock skew allows', () => {
  expect(isExpired('view', 0, 3_600_000)).toBe(false);
  expect(isExpired('view', 0, 3_600_001)).toBe(true);
  expect(isExpired('click', 0, 86_400_001)).toBe(true);
  expect(isExpired('click', 60_000, 0)).toBe(false);
  expect(isExpired('click', 60_001, 0)).toBe(true);
});

// Proves DEL-38
it('caps the events of a visitor on an ad per day, a visitor’s clicks per hour, and events of a network per minute', () => {
  const usual = { clickedBefore: false, ofAdToday: 0, clicksThisHour: 0, fromNetworkThisMinute: 0 };
  expect(judgeActivity('view', usual)).toBeNull();
  expect(judgeActivity('click', usual)).toBeNull();
  // A visitor's clicks do not limit their views.
  expect(judgeActivity('view', { ...usual, clickedBefore: true, clicksThisHour: 99 })).toBeNull();
  expect(judgeActivity('click', { ...usual, clickedBefore: true })).toBe('frequency');

  expect(judgeActivity('view', { ...usual, ofAdToday: 29 })).toBeNull();
  expect(judgeActivity('view', { ...usual, ofAdToday: 30 })).toBe('frequency');
  expect(judgeActivity('click', { ...usual, ofAdToday: 2 })).toBeNull();
  expect(judgeActivity('click', { ...usual, ofAdToday: 3 })).toBe('frequency');
  expect(judgeActivity('click', { ...usual, clicksThisHour: 9 })).toBeNull();
  expect(judgeActivity('click', { ...usual, clicksThisHour: 10 })).toBe('activity');
  expect(judgeActivity('view', { ...usual, fromNetworkThisMinute: 599 })).toBeNull();
  expect(judgeActivity('view', { ...usual, fromNetworkThisMinute: 600 })).toBe('activity');
  expect(judgeActivity('click', { ...usual, fromNetworkThisMinute: 59 })).toBeNull();
  expect(judgeActivity('click', { ...usual, fromNetworkThisMinute: 60 })).toBe('activity');
});
