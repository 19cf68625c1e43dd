import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';

export type ChartPoint = {
  key: string;
  /** Under the axis. */
  name: string;
  /** null where there is none, which is not the same as 0. */
  value: number | null;
  /** All of it in words: when, and what. */
  spoken: string;
  /** Not over yet, so that its value will grow. */
  isOpen?: boolean;
};

export type ChartShape = 'bars' | 'line';

/** What is drawn: one value per bucket, in order of time. */
export type ChartData = {
  values: readonly (number | null)[];
  shape: ChartShape;
  /** The axis has no halves. */
  isWhole: boolean;
  /** A height that is to be reached. */
  goal?: number;
};

export type Geometry = {
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** Heights of the grid, from the ground up. */
  rules: { value: number; y: number }[];
  /** Which buckets are named under the axis: as many as there is room for, the last one always. */
  named: number[];
  /** The middle of a bucket. */
  x: (index: number) => number;
  y: (value: number) => number;
  /** The bucket at a distance from the left, the nearest one outside. */
  at: (x: number) => number;
} & ({ kind: 'bars'; barWidth: number } | { kind: 'line'; line: string; area: string; dots: number[] });

const TOP = 14;
const GROUND = 26;
const RIGHT = 6;
/** Of a digit of the axis, with room to spare. */
const DIGIT = 7;
/** Narrower bars run into one another; then a line says the same. */
const NARROWEST_STEP = 5;
const NAME_ROOM = 84;

export function geometryOf(
  { values, shape, isWhole, goal }: ChartData,
  size: { width: number; height: number },
  nameOf: (value: number) => string,
): Geometry {
  const most = Math.max(0, goal ?? 0, ...values.map((value) => value ?? 0));
  const [top, bottom] = [TOP, size.height - GROUND];
  // Of nothing at all only the ground is drawn.
  const yScale = scaleLinear([0, most || 1], [bottom, top]).nice(4);
  const rules = (most === 0 ? [0] : yScale.ticks(4)).filter((value) => !isWhole || Number.isInteger(value));
  const left = Math.max(...rules.map((value) => nameOf(value).length)) * DIGIT + 10;
  const right = size.width - RIGHT;

  const indices = values.map((_value, index) => index);
  const bands = scaleBand(indices, [left, right]).paddingInner(0.28).paddingOuter(0.14);
  const middle = bands.bandwidth() / 2;
  const x = (index: number) => (bands(index) ?? left) + middle;
  const y = (value: number) => yScale(value);
  const common = {
    left,
    right,
    top,
    bottom,
    rules: rules.map((value) => ({ value, y: y(value) })),
    named: namedOf(values.length, right - left),
    x,
    y,
    at: (from: number) => nearest((from - left) / bands.step(), values.length),
  };
  if (shape === 'bars' && bands.step() >= NARROWEST_STEP) {
    return { ...common, kind: 'bars', barWidth: Math.min(bands.bandwidth(), 40) };
  }
  return { ...common, kind: 'line', ...linesOf(values, common) };
}

function linesOf(
  values: readonly (number | null)[],
  { x, y, bottom }: Pick<Geometry, 'x' | 'y' | 'bottom'>,
): { line: string; area: string; dots: number[] } {
  type Plotted = { value: number | null; index: number };
  const points = values.map((value, index): Plotted => ({ value, index }));
  const defined = ({ value }: Plotted) => value !== null;
  const across = ({ index }: Plotted) => x(index);
  const up = ({ value }: Plotted) => y(value ?? 0);
  return {
    line: line<Plotted>(across, up).defined(defined).curve(curveMonotoneX)(points) ?? '',
    area: area<Plotted>(across, bottom, up).defined(defined).curve(curveMonotoneX)(points) ?? '',
    // A value between two gaps has no line to stand on.
    dots: points
      .filter(
        ({ index, value }) =>
          value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null,
      )
      .map(({ index }) => index),
  };
}

function namedOf(count: number, room: number): number[] {
  const every = Math.ceil(count / Math.max(1, Math.floor(room / NAME_ROOM)));
  const named: number[] = [];
  for (let index = count - 1; index >= 0; index -= every) named.unshift(index);
  return named;
}

function nearest(position: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(position)));
}
