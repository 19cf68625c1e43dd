import { expect, it } from 'vitest';
import { firstOfMonth } from './months.ts';

// Proves OP-097
it.each([
  ['2026-02-28T23:59:59.999Z', '2026-02-01'],
  ['2026-03-01T00:00:00.000Z', '2026-03-01'],
  ['2026-12-31T23:59:59.999Z', '2026-12-01'],
])('finds that %s is in the month that begins on %s', (instant, first) => {
  expect(firstOfMonth(new Date(instant))).toBe(first);
});
