import { nice, ticks } from 'd3-array';
import { area, curveMonotoneX, line } from 'd3-shape';

export type ChartPoint = {
  key: string;
  /** The label under the axis. */
  name: string;
  /** Null for a missing value, which is not the same as 0. */
  value: number | null;
  /** The text for screen readers: the time and the value. */
  spoken: string;
  /** True for a bucket that isn't over yet, so that its value can still grow. */
  isOpen?: boolean;
};

export type ChartShape = 'bars' | 'line';

/** The data of a chart: one value per bucket, in order of time. */
export type ChartData = {
  values: readonly (number | null)[];
  shape: ChartShape;
  /** The values are whole numbers, so the axis shows no fractions. */
  isWhole: boolean;
  /** The value that a campaign should reach. It is drawn as a line. */
  goal?: number;
};

export type Geometry = {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** The lines of the grid, from the bottom up. */
  rules: { value: number; y: number }[];
  /** The buckets that have a label under the axis: as many as fit, and always the last one. */
  named: number[];
  /** The horizontal middle of a bucket. */
  x: (index: number) => number;
  y: (value: number) => number;
  /** The bucket at a distance from the left, or the nearest bucket beyond the chart's edges. */
  at: (x: number) => number;
} & ({ kind: 'bars'; barWidth: number } | { kind: 'line'; line: string; area: string; dots: number[] });

// All sizes are in CSS pixels.
const TOP = 14;
const BOTTOM_MARGIN = 26;
const RIGHT = 6;
/** The width of a digit on the axis, rounded up. */
const DIGIT_WIDTH = 7;
/** About as many steps as the axis has. */
const TICKS = 4;
/** Below this distance the bars would touch, so the chart becomes a line. */
const MIN_BAR_STEP = 5;
/** The part of a bucket's width that its bar takes. */
const BAR_SHARE = 0.72;
const LABEL_WIDTH = 84;

export function geometryOf(
  { values, shape, isWhole, goal }: ChartData,
  size: { width: number; height: number },
  nameOf: (value: number) => string,
): Geometry {
  const max = Math.max(0, goal ?? 0, ...values.map((value) => value ?? 0));
  const [top, bottom] = [TOP, size.height - BOTTOM_MARGIN];
  const [, highest] = nice(0, max || 1, TICKS);
  const y = (value: number) => bottom - (value / highest) * (bottom - top);
  const rules = (max === 0 ? [0] : ticks(0, highest, TICKS)).filter(
    (value) => !isWhole || Number.isInteger(value),
  );
  const left = Math.max(...rules.map((value) => nameOf(value).length)) * DIGIT_WIDTH + 10;
  const right = size.width - RIGHT;

  const step = (right - left) / values.length;
  const barWidth = step * BAR_SHARE;
  const x = (index: number) => left + step * (index + 0.5);
  const common = {
    left,
    right,
    top,
    bottom,
    rules: rules.map((value) => ({ value, y: y(value) })),
    named: namedOf(values.length, right - left),
    x,
    y,
    at: (from: number) => nearest((from - left) / step, values.length),
  };
  if (shape === 'bars' && step >= MIN_BAR_STEP) {
    return { ...common, kind: 'bars', barWidth: Math.min(barWidth, 40) };
  }
  return { ...common, kind: 'line', ...linesOf(values, common) };
}

function linesOf(
  values: readonly (number | null)[],
  { x, y, bottom }: Pick<Geometry, 'x' | 'y' | 'bottom'>,
): { line: string; area: string; dots: number[] } {
  const isDefined = (value: number | null) => value !== null;
  const xOf = (_value: number | null, index: number) => x(index);
  const yOf = (value: number | null) => y(value ?? 0);
  // The curve stays between neighboring points, so it shows no value that does not exist.
  return {
    line: line(xOf, yOf).defined(isDefined).curve(curveMonotoneX)(values) ?? '',
    area: area(xOf, bottom, yOf).defined(isDefined).curve(curveMonotoneX)(values) ?? '',
    // A value between two gaps has no line, so it gets a dot.
    dots: values.flatMap((value, index) =>
      value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null
        ? [index]
        : [],
    ),
  };
}

function namedOf(count: number, width: number): number[] {
  const every = Math.ceil(count / Math.max(1, Math.floor(width / LABEL_WIDTH)));
  const named: number[] = [];
  for (let index = count - 1; index >= 0; index -= every) named.unshift(index);
  return named;
}

function nearest(position: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(position)));
}
