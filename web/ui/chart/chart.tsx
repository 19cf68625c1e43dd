import { useRef, type ReactNode } from 'react';
import { ChartDrawing } from './chart-drawing.tsx';
import { useChartCursor } from './chart-cursor.ts';
import { geometryOf, type ChartPoint, type ChartShape, type Geometry } from './chart-geometry.ts';
import { useWidth } from './use-width.ts';

type TimeChartProps = {
  /** The chart's accessible name: the metric, its subject and the time range. */
  label: string;
  /** At least one point, in order of time. */
  points: readonly ChartPoint[];
  shape: ChartShape;
  isWhole?: boolean;
  formatTick: (value: number) => string;
  goal?: { value: number; label: string };
  /** Renders the tip beside the selected point. */
  renderTip: (index: number) => ReactNode;
};

/** In CSS pixels; the same as the class `h-60`. */
const HEIGHT = 240;

/**
 * A chart of values over time. It is one tab stop; the arrow keys, Home and End move from bucket to bucket.
 *
 * To assistive technology the chart is a slider. Of all roles that hold a value, this is the only one for which every
 * screen reader passes the arrow keys on, speaks `aria-valuetext` at each step and lets a phone user swipe through the
 * values. A live region would need a special mode in NVDA and JAWS, and iOS doesn't announce it.
 */
export function TimeChart({
  label,
  points,
  shape,
  isWhole = false,
  formatTick,
  goal,
  renderTip,
}: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const values = points.map(({ value }) => value);
  const geometry = geometryOf(
    { values, shape, isWhole, goal: goal?.value },
    { width, height: HEIGHT },
    formatTick,
  );
  const { index, handlers } = useChartCursor(points.length, geometry.at);
  const spokenIndex = index ?? points.length - 1;
  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={spokenIndex + 1}
      aria-valuetext={points[spokenIndex]?.spoken}
      {...handlers}
      // A horizontal swipe moves the cursor, a vertical one scrolls the page.
      className="relative h-60 w-full touch-pan-y rounded-control select-none"
    >
      {width > 0 && (
        <ChartDrawing
          geometry={geometry}
          points={points}
          size={{ width, height: HEIGHT }}
          formatTick={formatTick}
          goal={goal}
          index={index}
        />
      )}
      {index !== null && (
        <div
          aria-hidden="true"
          data-chart-tip
          style={{ left: leftOfTip(geometry, index, width) }}
          className="pointer-events-none absolute top-2 z-10 w-48 rounded-control border border-line bg-surface px-3 py-2 text-xs shadow-lift"
        >
          {renderTip(index)}
        </div>
      )}
    </div>
  );
}

/** In CSS pixels; the same as the class `w-48`. */
const TIP_WIDTH = 192;

/** Places the tip beside its point, on the side with more room, and inside the chart. */
function leftOfTip({ x, left, right }: Geometry, index: number, width: number): number {
  const isRight = x(index) > (left + right) / 2;
  const wanted = x(index) + (isRight ? -10 - TIP_WIDTH : 10);
  return Math.max(0, Math.min(width - TIP_WIDTH, wanted));
}
