/** The two pieces of chart mathematics that d3 would load 14 kB for. */

export type Point = { x: number; y: number };

/** Round values from 0 to at least `max`, about four steps of 1, 2 or 5 times a power of ten. `max` is above 0. */
export function ticksUpTo(max: number): number[] {
  const { factor, power } = stepFor(max);
  const steps = Math.ceil(max / (factor * 10 ** power) - 1e-9);
  // Dividing instead of multiplying by 0.1 avoids 0.6000000000000001.
  const tick = (index: number) =>
    power < 0 ? (index * factor) / 10 ** -power : index * factor * 10 ** power;
  return Array.from({ length: steps + 1 }, (_each, index) => tick(index));
}

function stepFor(max: number): { factor: number; power: number } {
  const raw = max / 4;
  const power = Math.floor(Math.log10(raw));
  const rest = raw / 10 ** power;
  // The geometric means between 1, 2, 5 and 10.
  return {
    power,
    factor: rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.SQRT2 ? 2 : 1,
  };
}

/**
 * An SVG path through the points, in order of x. The curve never rises above or falls below two neighboring points, so
 * it shows no value that does not exist (M. Steffen, 1990, https://adsabs.harvard.edu/full/1990A%26A...239..443S).
 */
export function curveThrough(points: readonly Point[]): string {
  const slopes = slopesOf(points);
  const parts = points.map(({ x, y }, index) => {
    const before = points[index - 1];
    if (!before) return `M${x},${y}`;
    const third = (x - before.x) / 3;
    const from = `${before.x + third},${before.y + third * (slopes[index - 1] ?? 0)}`;
    return `C${from},${x - third},${y - third * (slopes[index] ?? 0)},${x},${y}`;
  });
  return parts.join('');
}

function slopesOf(points: readonly Point[]): number[] {
  const widths = points.slice(1).map(({ x }, index) => x - (points[index]?.x ?? 0));
  const secants = points.slice(1).map(({ y }, index) => (y - (points[index]?.y ?? 0)) / (widths[index] ?? 1));
  const inner = (index: number) => {
    const [before = 0, after = 0] = [secants[index - 1], secants[index]];
    const [width = 1, next = 1] = [widths[index - 1], widths[index]];
    const mean = (before * next + after * width) / (width + next);
    const least = Math.min(Math.abs(before), Math.abs(after), Math.abs(mean) / 2);
    return (Math.sign(before) + Math.sign(after)) * least;
  };
  const last = points.length - 1;
  return points.map((_point, index) => {
    if (last < 2) return secants[0] ?? 0;
    if (index === 0) return (3 * (secants[0] ?? 0) - inner(1)) / 2;
    if (index === last) return (3 * (secants[last - 1] ?? 0) - inner(last - 1)) / 2;
    return inner(index);
  });
}
