import { expect, it } from 'vitest';
import { formatAgo } from './ago.ts';

// Proves ZONE-02
it('how long ago is told in the largest whole unit', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const told = (instant: string) => formatAgo(instant, now);
  expect(told('2026-03-10T12:00:00Z')).toBe('just now');
  expect(told('2026-03-10T12:00:30Z')).toBe('just now');
  expect(told('2026-03-10T11:59:00Z')).toBe('1 minute ago');
  expect(told('2026-03-10T11:00:01Z')).toBe('59 minutes ago');
  expect(told('2026-03-10T11:00:00Z')).toBe('1 hour ago');
  expect(told('2026-03-09T12:00:00Z')).toBe('yesterday');
  expect(told('2026-03-01T12:00:00Z')).toBe('9 days ago');
});
