import { expect, it } from 'vitest';
import { nextIndex } from './chart-cursor.ts';
import { geometryOf, type ChartData } from './chart-geometry.ts';

const SIZE = { width: 600, height: 240 };

function draw(data: Partial<ChartData> & Pick<ChartData, 'values'>, width = SIZE.width) {
  return geometryOf({ shape: 'bars', isWhole: true, ...data }, { ...SIZE, width }, String);
}

it('draws heights in proportion to the values, with an axis that starts at zero', () => {
  const { y, bottom, top, rules } = draw({ values: [0, 50, 100] });
  expect(y(0)).toBe(bottom);
  expect(y(100)).toBeGreaterThanOrEqual(top);
  expect((bottom - y(100)) / (bottom - y(50))).toBeCloseTo(2);
  expect(rules.map(({ value }) => value)).toEqual([0, 20, 40, 60, 80, 100]);
});

it('shows fractions on the axis of rates, not of counts, and only the base line if all values are zero', () => {
  const heights = (data: Partial<ChartData>) =>
    draw({ values: [1], ...data }).rules.map(({ value }) => value);
  expect(heights({})).toEqual([0, 1]);
  expect(heights({ isWhole: false })).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(heights({ values: [0, null, 0] })).toEqual([0]);
});

it('extends the axis up to the goal', () => {
  const { y, top } = draw({ values: [1, 2], goal: 1000, shape: 'line' });
  expect(y(1000)).toBeGreaterThanOrEqual(top);
});

it('draws a line instead of bars that would be too narrow', () => {
  const values = Array.from({ length: 90 }, () => 1);
  expect(draw({ values }, 1000).kind).toBe('bars');
  expect(draw({ values }, 300).kind).toBe('line');
  expect(draw({ values: [1, 2], shape: 'line' }).kind).toBe('line');
});

it('leaves a gap in the line for a missing value, and draws a value between two gaps as a dot', () => {
  const drawn = draw({ values: [1, null, 3, null, 4, 5], shape: 'line', isWhole: false });
  if (drawn.kind !== 'line') throw new Error('Drawn as bars');
  expect(drawn.line.match(/M/g)).toHaveLength(3);
  expect(drawn.dots).toEqual([0, 2]);
});

it.each([1, 2, 7, 30, 90, 400])(
  'keeps the labels under %i buckets apart and labels the last bucket',
  (count) => {
    const { named, x, at } = draw({ values: Array.from({ length: count }, () => 1) }, 300);
    expect(named.at(-1)).toBe(count - 1);
    for (const [index, name] of named.slice(1).entries())
      expect(x(name) - x(named[index] ?? 0)).toBeGreaterThan(60);
    // Pointing at the middle of a bucket selects it. Pointing beside the chart selects the nearest bucket.
    for (const index of [0, Math.floor(count / 2), count - 1]) expect(at(x(index))).toBe(index);
    expect([at(-50), at(5000)]).toEqual([0, count - 1]);
  },
);

it('moves the cursor by the keys of a slider and stops at both ends', () => {
  const from = (index: number) => (key: string) => nextIndex(key, index, 29);
  expect(
    ['ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'PageUp', 'PageDown', 'Home', 'End'].map(from(10)),
  ).toEqual([9, 9, 11, 11, 17, 3, 0, 29]);
  expect(['ArrowLeft', 'PageDown'].map(from(0))).toEqual([0, 0]);
  expect(['ArrowRight', 'PageUp'].map(from(29))).toEqual([29, 29]);
  expect(['Tab', 'Escape', 'a', 'Enter'].map(from(10))).toEqual([null, null, null, null]);
});
