import { useRef, type ReactNode } from 'react';
import { ChartDrawing } from './chart-drawing.tsx';
import { useChartCursor } from './chart-cursor.ts';
import { geometryOf, type ChartPoint, type ChartShape, type Geometry } from './chart-geometry.ts';
import { useWidth } from './use-width.ts';

type TimeChartProps = {
  /** What is drawn, of what, in which time. */
  label: string;
  /** In order of time; at least one. */
  points: readonly ChartPoint[];
  shape: ChartShape;
  isWhole?: boolean;
  formatTick: (value: number) => string;
  goal?: { value: number; label: string };
  /** Shown beside a point that is looked at. */
  renderTip: (index: number) => ReactNode;
};

/** In CSS pixels; `h-60` for whoever holds its place. */
const HEIGHT = 240;

/**
 * Values over time. One tab stop, whose arrow keys, Home and End go from bucket to bucket.
 *
 * To assistive technology it is a slider: of all roles that hold a value the only one for which every screen reader
 * hands the arrow keys over without being told to, speaks `aria-valuetext` on each step, and which can be swiped
 * through on a phone. A live region would need a mode of its own in NVDA and JAWS, and is not heard on iOS.
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
      // A finger moves the cursor sideways and the page up and down.
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

/** As wide as `w-48`. */
const TIP_WIDTH = 192;

/** Beside its point, on the side with more room, and never over the edge. */
function leftOfTip({ x, left, right }: Geometry, index: number, width: number): number {
  const isRight = x(index) > (left + right) / 2;
  const wanted = x(index) + (isRight ? -10 - TIP_WIDTH : 10);
  return Math.max(0, Math.min(width - TIP_WIDTH, wanted));
}
