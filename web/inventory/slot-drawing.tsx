import { SlotShape } from '#web/ui/brand/slot-shape.tsx';

type Size = { width: number; height: number };

const GAP = 5;

/**
 * Draws ad zones to one scale, side by side, in a box of `width` by `height` pixels. The drawing is hidden from screen
 * readers, so the caller also shows the sizes as text.
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
  const availableWidth = width - GAP * (sizes.length - 1);
  const widths = sizes.reduce((sum, size) => sum + size.width, 0);
  const scale = Math.min(availableWidth / widths, height / Math.max(...sizes.map((size) => size.height)));
  // At least 3 px, so that an ad zone of 5000x1 is still visible.
  const scaled = sizes.map((size) => ({
    width: Math.max(3, size.width * scale),
    height: Math.max(3, size.height * scale),
  }));
  const widthOf = (count: number) => scaled.slice(0, count).reduce((x, zone) => x + zone.width + GAP, 0);
  const left = Math.max(0, (width - widthOf(scaled.length) + GAP) / 2);
  return (
    <svg aria-hidden="true" width={width} height={height} className="shrink-0">
      {scaled.map((zone, index) => (
        <SlotShape
          key={widthOf(index)}
          x={left + widthOf(index) + 1}
          y={(height - zone.height) / (sizes.length > 1 ? 1 : 2) + 1}
          width={Math.max(1, zone.width - 2)}
          height={Math.max(1, zone.height - 2)}
        />
      ))}
    </svg>
  );
}
