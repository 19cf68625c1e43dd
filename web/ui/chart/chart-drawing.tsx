import type { ChartPoint, Geometry } from './chart-geometry.ts';

type ChartDrawingProps = {
  geometry: Geometry;
  points: readonly ChartPoint[];
  size: { width: number; height: number };
  formatTick: (value: number) => string;
  goal: { value: number; label: string } | undefined;
  /** The selected point, or null. */
  index: number | null;
};

/** The chart's picture. It is hidden from screen readers, which read the slider around it or the table behind it. */
export function ChartDrawing({ geometry, points, size, formatTick, goal, index }: ChartDrawingProps) {
  return (
    <svg aria-hidden="true" {...size} className="block overflow-visible text-xs">
      <Rules geometry={geometry} formatTick={formatTick} />
      {geometry.kind === 'bars' ? (
        <Bars geometry={geometry} points={points} index={index} />
      ) : (
        <Line geometry={geometry} points={points} index={index} />
      )}
      {goal && <Goal geometry={geometry} goal={goal} />}
      <Names geometry={geometry} points={points} />
    </svg>
  );
}

function Rules({ geometry, formatTick }: Pick<ChartDrawingProps, 'geometry' | 'formatTick'>) {
  const { left, right, rules } = geometry;
  return rules.map(({ value, y }) => (
    <g key={value}>
      <line
        x1={left}
        x2={right}
        y1={y}
        y2={y}
        shapeRendering="crispEdges"
        className={value === 0 ? 'stroke-line-strong/60' : 'stroke-line'}
      />
      <text x={left - 8} y={y} dy="0.32em" textAnchor="end" className="figures fill-ink-faint">
        {formatTick(value)}
      </text>
    </g>
  ));
}

/** Draws the labels of the axis. The first and the last one are aligned so that they don't cross the chart's edge. */
function Names({ geometry, points }: Pick<ChartDrawingProps, 'geometry' | 'points'>) {
  const { left, right, named, x, bottom } = geometry;
  const anchorOf = (at: number) => {
    if (named.length === 1) return 'middle';
    if (right - at < 24) return 'end';
    return at - left < 16 ? 'start' : 'middle';
  };
  return named.map((index) => {
    const anchor = anchorOf(x(index));
    const at = { middle: x(index), end: right, start: left }[anchor];
    return (
      <text key={index} x={at} y={bottom + 18} textAnchor={anchor} className="fill-ink-faint">
        {points[index]?.name}
      </text>
    );
  });
}

type BarsProps = Pick<ChartDrawingProps, 'points' | 'index'> & {
  geometry: Extract<Geometry, { kind: 'bars' }>;
};

function Bars({ geometry, points, index }: BarsProps) {
  const { barWidth, top, bottom, x, y } = geometry;
  const step = points.length > 1 ? x(1) - x(0) : barWidth * 1.4;
  return (
    <>
      {index !== null && (
        <rect x={x(index) - step / 2} y={top} width={step} height={bottom - top} className="fill-sunken" />
      )}
      {points.map(({ key, value, isOpen }, at) => {
        const shape = barShape(x(at), barWidth, bottom, y(value ?? 0));
        return (
          shape && (
            <g key={key} data-bar={key}>
              {/* An opaque base, so that the grid doesn't show through the translucent bar of an unfinished bucket. */}
              {isOpen && <path d={shape} className="fill-surface" />}
              <path d={shape} className={isOpen ? 'fill-accent/50' : 'fill-accent'} />
            </g>
          )
        );
      })}
    </>
  );
}

/** The path of a bar with rounded top corners, or null for a height of zero. */
function barShape(middle: number, width: number, bottom: number, top: number): string | null {
  const height = bottom - top;
  if (height <= 0) return null;
  const r = Math.min(3, width / 2, height);
  const left = `M${middle - width / 2} ${bottom}v${r - height}q0 ${-r} ${r} ${-r}`;
  const right = `q${r} 0 ${r} ${r}v${height - r}z`;
  return `${left}h${width - 2 * r}${right}`;
}

type LineProps = Pick<ChartDrawingProps, 'points' | 'index'> & {
  geometry: Extract<Geometry, { kind: 'line' }>;
};

function Line({ geometry, points, index }: LineProps) {
  const { line, area, dots, x, y, top, bottom } = geometry;
  const value = index === null ? null : (points[index]?.value ?? null);
  return (
    <>
      <path d={area} className="fill-accent/10" />
      <path
        d={line}
        fill="none"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent"
      />
      {dots.map((dot) => (
        <circle key={dot} cx={x(dot)} cy={y(points[dot]?.value ?? 0)} r="2.5" className="fill-accent" />
      ))}
      {index !== null && (
        <line x1={x(index)} x2={x(index)} y1={top} y2={bottom} className="stroke-line-strong/60" />
      )}
      {index !== null && value !== null && (
        <circle cx={x(index)} cy={y(value)} r="4.5" strokeWidth="2" className="fill-accent stroke-surface" />
      )}
    </>
  );
}

function Goal({ geometry, goal }: { geometry: Geometry; goal: NonNullable<ChartDrawingProps['goal']> }) {
  const { left, right, y } = geometry;
  return (
    <g>
      <line
        x1={left}
        x2={right}
        y1={y(goal.value)}
        y2={y(goal.value)}
        strokeWidth="1.5"
        strokeDasharray="5 4"
        className="stroke-ink-soft"
      />
      <text x={left + 6} y={y(goal.value) - 6} className="fill-ink-soft font-medium">
        {goal.label}
      </text>
    </g>
  );
}
