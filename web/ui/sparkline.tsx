import type { ReactNode } from 'react';

const WIDTH = 96;
const HEIGHT = 28;
/** Keeps the line's stroke inside the drawing. */
const EDGE = 1.5;

/**
 * A figure over time without axes, hidden from screen readers. The caller shows the figure itself. Without a value above
 * zero it is a dashed line, so that 'nothing yet' doesn't look like a measured course.
 */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (!values.some((value) => value > 0)) {
    return (
      <Drawing>
        <path
          d={`M${EDGE} ${HEIGHT - EDGE}H${WIDTH - EDGE}`}
          strokeDasharray="2 4"
          strokeWidth="1.5"
          className="stroke-line-strong"
        />
      </Drawing>
    );
  }
  const max = Math.max(...values);
  const points = values.map((value, index) => {
    const x = EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
    const y = HEIGHT - EDGE - (Math.max(0, value) / max) * (HEIGHT - 2 * EDGE);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <Drawing>
      <polygon
        points={`${EDGE},${HEIGHT} ${points.join(' ')} ${WIDTH - EDGE},${HEIGHT}`}
        className="fill-accent-soft"
      />
      <polyline
        points={points.join(' ')}
        strokeWidth="1.5"
        strokeLinejoin="round"
        className="stroke-accent"
      />
    </Drawing>
  );
}

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} fill="none">
      {children}
    </svg>
  );
}
