import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { counted, countText, percentText, shortPercentText } from './format.ts';

const files = globSync('{domain,web,server}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.|\/testing\//.test(file),
);
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));

it('writes shares as percentages', () => {
  expect([percentText(0.256), percentText(1), percentText(0.0123, 2)]).toEqual(['25.6%', '100.0%', '1.23%']);
  expect([0, 0.0145, 0.57, 0.9999, 1].map(shortPercentText)).toEqual(['0%', '1.5%', '57%', '100%', '100%']);
});

it('is the only place that turns a share into a percentage', () => {
  /** Whole percentages with words for the rest, figures that are percentages already, and rates in the reader’s language. */
  const others = new Set([
    'domain/format.ts',
    'web/delivery/share-text.ts',
    'web/analytics/metrics.ts',
    'server/money/documents/formats.ts',
  ]);
  const copies = filesWith(/toFixed\(\d?\)\}? ?%|style: 'percent'|\* 1000\) \/ 10\}/);
  expect(copies.filter((file) => !others.has(file))).toEqual([]);
});

it('writes counts with their words', () => {
  expect([countText(0), countText(1234)]).toEqual(['0', '1,234']);
  expect([0, 1, 2, 10_000].map((n) => counted(n, 'view'))).toEqual([
    '0 views',
    '1 view',
    '2 views',
    '10,000 views',
  ]);
});

it('is the only place that writes a count, or adds an ‘s’ to its word', () => {
  expect(files.length).toBeGreaterThan(1000);
  expect(filesWith(/NumberFormat\('en-US'\)|toLocaleString\('en-US'\)|=== 1 \? '' : 's'/)).toEqual([
    'domain/format.ts',
  ]);
});
