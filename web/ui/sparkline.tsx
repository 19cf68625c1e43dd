const WIDTH = 96;
const HEIGHT = 28;
/** Keeps the line's stroke inside the drawing. */
const EDGE = 1.5;

/** A figure over time without axes, hidden from screen readers. The caller shows the figure itself. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const max = Math.max(1, ...values);
  const points = values.map((value, index) => {
    const x = EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE);
    const y = HEIGHT - EDGE - (Math.max(0, value) / max) * (HEIGHT - 2 * EDGE);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} fill="none">
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
    </svg>
  );
}
