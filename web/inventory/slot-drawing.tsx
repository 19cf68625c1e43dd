type Size = { width: number; height: number };

const GAP = 5;

/**
 * Ad places drawn to one scale, side by side on one line, in a box of `width` by `height` pixels: a shape is read faster than
 * '728x90', which stands beside it in words.
 */
export function SlotDrawing({
  sizes,
  width,
  height,
}: {
  sizes: readonly Size[];
  width: number;
  height: number;
}) {
  const room = width - GAP * (sizes.length - 1);
  const widths = sizes.reduce((sum, size) => sum + size.width, 0);
  const scale = Math.min(room / widths, height / Math.max(...sizes.map((size) => size.height)));
  // A place of 5000x1 is still a line that can be seen.
  const drawn = sizes.map((size) => ({
    width: Math.max(3, size.width * scale),
    height: Math.max(3, size.height * scale),
  }));
  const widthOf = (count: number) => drawn.slice(0, count).reduce((x, slot) => x + slot.width + GAP, 0);
  const left = Math.max(0, (width - widthOf(drawn.length) + GAP) / 2);
  return (
    <svg aria-hidden="true" width={width} height={height} className="shrink-0">
      {drawn.map((slot, index) => (
        <rect
          key={widthOf(index)}
          x={left + widthOf(index) + 0.5}
          y={(height - slot.height) / (sizes.length > 1 ? 1 : 2) + 0.5}
          width={Math.max(2, slot.width - 1)}
          height={Math.max(2, slot.height - 1)}
          rx={1.5}
          className="fill-lit-soft stroke-lit"
        />
      ))}
    </svg>
  );
}
