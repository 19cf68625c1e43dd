import { expect, it } from 'vitest';
import { formatVisitors, trafficLevel, visitorsText } from './traffic.ts';

// Proves MKT-03, OP-077
it.each([
  [50_000, 'high'],
  [49_999, 'medium'],
  [10_000, 'medium'],
  [9999, 'low'],
  [0, 'low'],
] as const)('classifies %i monthly visitors as %s traffic', (visitors, level) => {
  expect(trafficLevel(visitors)).toBe(level);
});

// Proves MKT-08, OP-078
it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1K'],
  [1500, '1.5K'],
  [50_000, '50K'],
  [999_949, '999.9K'],
  [9999, '9.9K'],
  [49_999, '49.9K'],
  [999_999, '999.9K'],
  [1_000_000, '1M'],
  [1_200_000, '1.2M'],
  [2_147_483_647, '2147.4M'],
])('shows %i visitors as %s', (visitors, shown) => {
  expect(formatVisitors(visitors)).toBe(shown);
});

// Proves MKT-08
it('says that monthly visitors are not stated instead of 0', () => {
  expect(visitorsText(0)).toBe('monthly visitors not stated');
  expect(visitorsText(12_500)).toBe('12.5K monthly visitors');
});
