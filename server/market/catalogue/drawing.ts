import { deviceText, drawingOf, type MeasuredPlace } from '#domain/delivery/place.ts';
import { html, type Markup } from '#server/platform/http/html.ts';

type Size = { width: number; height: number };

/** More sizes than these would make the drawing too long to take in. */
const MAX_DRAWN = 12;
const LEAST_WIDTH = 1000;
const GAP = 24;

/**
 * Draws the sizes of ad zones in their proportions to each other, and nothing around them: where they stand on a page is
 * known only from measurements (drawPlace). Each has its number on the page. One unit is one CSS pixel. The caller names
 * the sizes in words, because the drawing is a picture.
 */
export function drawSizes(sizes: readonly Size[]): Markup {
  const drawn = sizes.slice(0, MAX_DRAWN);
  const room = Math.max(LEAST_WIDTH, ...drawn.map(({ width }) => width));
  const boxes: (Size & { x: number; y: number })[] = [];
  let [x, y, rowHeight] = [0, 0, 0];
  for (const { width, height } of drawn) {
    if (x > 0 && x + width > room) [x, y, rowHeight] = [0, y + rowHeight + GAP, 0];
    boxes.push({ width, height, x, y });
    x += width + GAP;
    rowHeight = Math.max(rowHeight, height);
  }
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const left = sizes.length - drawn.length;
  const label = `The sizes of ${sizes.length === 1 ? 'one ad zone' : `${sizes.length} ad zones`}, drawn to scale${left > 0 ? `; the first ${drawn.length} are shown` : ''}`;
  return html`<svg class="sketch" viewBox="-2 -2 ${right + 4} ${y + rowHeight + 4}" role="img" aria-label="${label}">
${boxes.map((box, at) => drawSize(box, at + 1, room / LEAST_WIDTH))}</svg>`;
}

function drawSize(
  { x, y, width, height }: Size & { x: number; y: number },
  number: number,
  scale: number,
): Markup {
  const fits = Math.min(width, height) >= 40 * scale;
  return html`<g class="free"><rect x="${x}" y="${y}" width="${width}" height="${height}"/>${
    fits &&
    html`<text x="${x + width / 2}" y="${y + height / 2}" font-size="${Math.round(34 * scale)}">${number}</text>`
  }</g>
`;
}

/** Draws where an ad zone stands on a page, as page views measured it. One unit is one CSS pixel. */
export function drawPlace(place: MeasuredPlace): Markup {
  const { width, height, fold, box } = drawingOf(place);
  return html`<svg class="sketch" viewBox="0 0 ${width} ${height}" role="img" aria-label="The ad zone on a page, on ${deviceText(place)}">
<rect class="paper" width="${width}" height="${height}"/>
<g class="free"><rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}"/></g>
${fold !== null && html`<path class="fold" d="M0 ${fold}H${width}"/>`}
</svg>`;
}
