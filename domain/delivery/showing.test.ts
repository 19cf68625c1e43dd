import { expect, it } from 'vitest';
import { hintOf, ruleOfState } from './showing.ts';

const open = { zoneIsActive: true, websiteIsActive: true, takenDownReason: null, pause: null };

it('checks the state of the ad first, then the website, then the zone', () => {
  expect(ruleOfState({ ...open, status: 'active' })).toBe(null);
  expect(ruleOfState({ ...open, status: 'approved' })).toBe('unpaid');
  for (const status of ['pending', 'rejected', 'completed'] as const)
    expect(ruleOfState({ ...open, status, zoneIsActive: false, websiteIsActive: false })).toBe(status);
  expect(ruleOfState({ ...open, status: 'completed', takenDownReason: 'Fakes' })).toBe('taken_down');
  expect(ruleOfState({ ...open, status: 'active', zoneIsActive: false })).toBe('zone_paused');
  expect(ruleOfState({ ...open, status: 'active', zoneIsActive: false, websiteIsActive: false })).toBe(
    'website_hidden',
  );
  expect(ruleOfState({ ...open, status: 'active', zoneIsActive: false, pause: 'suspended' })).toBe(
    'suspended',
  );
  expect(ruleOfState({ ...open, status: 'approved', pause: 'suspended' })).toBe('unpaid');
  expect(ruleOfState({ ...open, status: 'active', pause: 'dispute' })).toBe('disputed');
});

const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR_AGO = '2026-11-21T11:00:00.000Z';
const hintFor = (fields: Partial<Parameters<typeof hintOf>[0]> = {}) =>
  hintOf(
    {
      rule: null,
      tagSeenAt: HOUR_AGO,
      requests: { total: 100 },
      lately: { chosen: 50, views: 30, clicks: 1, filtered: [] },
      ...fields,
    },
    NOW,
  );

it('gives a hint if an ad can be shown and is not viewed, and none if all is well', () => {
  expect(hintFor()).toBe(null);
  expect(hintFor({ tagSeenAt: null })).toEqual({ kind: 'tag_never_seen' });
  expect(hintFor({ tagSeenAt: '2026-11-20T11:59:59.000Z' })).toEqual({ kind: 'tag_silent' });
  expect(hintFor({ tagSeenAt: '2026-11-20T12:00:00.000Z' })).toBe(null);
  expect(hintFor({ lately: { chosen: 0, views: 0, clicks: 0, filtered: [] } })).toEqual({
    kind: 'not_chosen',
  });
  expect(hintFor({ lately: { chosen: 20, views: 0, clicks: 0, filtered: [] } })).toEqual({
    kind: 'not_viewed',
  });
  expect(hintFor({ lately: { chosen: 19, views: 0, clicks: 0, filtered: [] } })).toBe(null);
});

it('hints at the filter once there are as many filtered events as counted ones', () => {
  const filtered = [
    { reason: 'bot' as const, n: 2 },
    { reason: 'wrong_site' as const, n: 8 },
  ];
  expect(hintFor({ lately: { chosen: 20, views: 9, clicks: 1, filtered } })).toEqual({
    kind: 'filtered',
    reason: 'wrong_site',
    n: 8,
  });
  expect(hintFor({ lately: { chosen: 20, views: 10, clicks: 1, filtered } })).toBe(null);
});

it('gives no hint for an ad that a rule keeps out, except for the temporary rule "reserved"', () => {
  expect(hintFor({ rule: 'unpaid', tagSeenAt: null })).toBe(null);
  expect(hintFor({ rule: 'reserved', tagSeenAt: null })).toEqual({ kind: 'tag_never_seen' });
});
