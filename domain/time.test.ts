import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { addDays } from './time.ts';

it('adds days over the ends of months and years', () => {
  expect([addDays('2027-12-31', 1), addDays('2028-03-01', -1), addDays('2027-01-15', 0)]).toEqual([
    '2028-01-01',
    '2028-02-29',
    '2027-01-15',
  ]);
});

it('owns the lengths of minutes, hours and days, and the sum of a day and days', () => {
  const files = globSync('{domain,web,server}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.|\/testing\//.test(file) && file !== 'domain/time.ts',
  );
  expect(files.length).toBeGreaterThan(1000);
  const copies = files.filter((file) =>
    /\b60 \* (?:1000|60_000)\b|(?:function|const) addDays\b|const (?:DAY|HOUR|MINUTE)_MS\b/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(copies).toEqual([]);
});
