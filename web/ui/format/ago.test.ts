import { expect, it } from 'vitest';
import { formatAgo } from './ago.ts';

// Proves ZONE-02
it('shows an elapsed time in the largest whole unit', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const shown = (instant: string) => formatAgo(instant, now);
  expect(shown('2026-03-10T12:00:00Z')).toBe('just now');
  expect(shown('2026-03-10T12:00:30Z')).toBe('just now');
  expect(shown('2026-03-10T11:59:00Z')).toBe('1 minute ago');
  expect(shown('2026-03-10T11:00:01Z')).toBe('59 minutes ago');
  expect(shown('2026-03-10T11:00:00Z')).toBe('1 hour ago');
  expect(shown('2026-03-09T12:00:00Z')).toBe('yesterday');
  expect(shown('2026-03-01T12:00:00Z')).toBe('9 days ago');
});
