import { expect, it } from 'vitest';
import { endDate, isComplete } from './completion.ts';

const start = new Date('2026-03-28T23:30:00.000Z');
const days = { pricingModel: 'per_day', duration: 2, impressions: null, clicks: null } as const;
const views = { pricingModel: 'per_impression', duration: null, impressions: 100, clicks: null } as const;
const clicks = { pricingModel: 'per_click', duration: null, impressions: null, clicks: 3 } as const;

// Proves STATE-06, OP-062
it('ends a per-day ad after exact 24-hour days, also across a change to summer time', () => {
  expect(endDate(days, start)).toEqual(new Date('2026-03-30T23:30:00.000Z'));
  const delivered = { impressions: 1e6, clicks: 1e6, endDate: endDate(days, start) };
  expect(isComplete(days, delivered, new Date('2026-03-30T23:29:59.999Z'))).toBe(false);
  expect(isComplete(days, delivered, new Date('2026-03-30T23:30:00.000Z'))).toBe(true);
});

// Proves STATE-06, OP-062, OP-063
it('completes a quota ad only at its last impression or click, and gives it no end date', () => {
  const later = new Date('2036-01-01T00:00:00.000Z');
  expect(endDate(views, start)).toBeNull();
  expect(endDate(clicks, start)).toBeNull();
  expect(isComplete(views, { impressions: 99, clicks: 99, endDate: null }, later)).toBe(false);
  expect(isComplete(views, { impressions: 100, clicks: 0, endDate: null }, start)).toBe(true);
  expect(isComplete(clicks, { impressions: 9999, clicks: 2, endDate: null }, later)).toBe(false);
  expect(isComplete(clicks, { impressions: 0, clicks: 3, endDate: null }, start)).toBe(true);
});
