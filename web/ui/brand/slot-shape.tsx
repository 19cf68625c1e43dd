type SlotShapeProps = { x: number; y: number; width: number; height: number };

/** An open ad zone inside an SVG: pale, with open corners, as `slot-open` draws it in CSS. */
export function SlotShape({ x, y, width, height }: SlotShapeProps) {
  // The corners of a small zone leave its sides open as well.
  const across = Math.min(18, width / 3);
  const down = Math.min(18, height / 3);
  const right = x + width;
  const bottom = y + height;
  return (
    <>
      <rect x={x} y={y} width={width} height={height} className="fill-lit-soft" />
      <path
        d={[
          `M${x} ${y + down}V${y}h${across}`,
          `M${right - across} ${y}H${right}v${down}`,
          `M${right} ${bottom - down}V${bottom}h${-across}`,
          `M${x + across} ${bottom}H${x}v${-down}`,
        ].join('')}
        fill="none"
        strokeWidth="1.5"
        className="stroke-lit"
      />
    </>
  );
}
