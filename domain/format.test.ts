import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { percentText, shortPercentText } from './format.ts';

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
    'server/payments/documents/formats.ts',
  ]);
  const files = globSync('{domain,web,server}/**/*.{ts,tsx}').filter(
    (file) => !/\.test\.|\/testing\//.test(file) && !others.has(file),
  );
  expect(files.length).toBeGreaterThan(1000);
  const copies = files.filter((file) =>
    /toFixed\(\d?\)\}? ?%|style: 'percent'|\* 1000\) \/ 10\}/.test(readFileSync(file, 'utf8')),
  );
  expect(copies).toEqual([]);
});
