import { deviceText, drawingOf, type MeasuredPlace } from '#domain/delivery/place.ts';
import { html, type Markup } from '#server/platform/http/html.ts';

export type DrawnZone = {
  /** The number beside the zone's name on the page. */
  number: number;
  width: number;
  height: number;
  /** Whether no paid ad runs in it. */
  isFree: boolean;
};

type Place = { zone: DrawnZone; x: number; y: number };

/** More zones than these would make the page of the drawing too long to take in. */
const MAX_DRAWN = 12;
const LEAST_WIDTH = 1000;
const MARGIN = 48;
const GAP = 32;
const HEAD = 88;
/** The part of the page's width that zones beside each other may take. The rest shows lines of text. */
const SIDE = 0.62;

/**
 * Draws a web page with the zones in their real proportions to each other and to the page. One unit is one CSS pixel.
 * Zones without a paid ad are lit. The caller names the sizes in words, because the drawing is a picture.
 */
export function drawZones(zones: readonly DrawnZone[]): Markup {
  const drawn = zones.slice(0, MAX_DRAWN);
  const page = Math.max(LEAST_WIDTH, ...drawn.map(({ width }) => width + 2 * MARGIN));
  const content = page - 2 * MARGIN;
  const places: Place[] = [];
  const lines: Markup[] = [];
  let y = HEAD;
  for (const row of rowsOf(drawn, content * SIDE)) {
    const height = Math.max(...row.map((zone) => zone.height));
    const width = row.reduce((sum, zone) => sum + zone.width + GAP, -GAP);
    const isAlone = width > content * SIDE;
    let x = isAlone ? (page - width) / 2 : page - MARGIN - width;
    for (const zone of row) {
      places.push({ zone, x, y });
      x += zone.width + GAP;
    }
    const room = content - width - GAP;
    if (!isAlone) lines.push(...textLines(MARGIN, y, room, height));
    y += height + GAP;
    if (isAlone) {
      lines.push(...textLines(MARGIN, y, content, 70));
      y += 70 + GAP;
    }
  }
  const scale = page / LEAST_WIDTH;
  const left = zones.length - drawn.length;
  const label = `A web page with ${zones.length === 1 ? 'one ad zone' : `${zones.length} ad zones`}, drawn to scale${left > 0 ? `; the first ${drawn.length} are shown` : ''}`;
  return html`<svg class="sketch" viewBox="0 0 ${page} ${y}" role="img" aria-label="${label}">
<rect class="paper" width="${page}" height="${y}" rx="${14 * scale}"/>
<rect class="line" x="${MARGIN}" y="32" width="150" height="18" rx="9"/>
${[3, 2, 1].map((each) => html`<rect class="line" x="${page - MARGIN - each * 96 + 20}" y="36" width="76" height="10" rx="5"/>`)}
<path class="rule" d="M0 ${HEAD - 20}H${page}"/>
${lines}${places.map((place) => drawZone(place, scale))}
</svg>`;
}

/** Wide zones get a row of their own; the others stand beside each other while they fit into `room`. */
function rowsOf(zones: readonly DrawnZone[], room: number): DrawnZone[][] {
  const rows: DrawnZone[][] = [];
  let open: { row: DrawnZone[]; left: number } | null = null;
  for (const zone of zones) {
    if (zone.width >= 2.5 * zone.height || zone.width > room) {
      rows.push([zone]);
      continue;
    }
    if (!open || open.left < zone.width) {
      open = { row: [], left: room };
      rows.push(open.row);
    }
    open.row.push(zone);
    open.left -= zone.width + GAP;
  }
  return rows;
}

function textLines(x: number, y: number, width: number, height: number): Markup[] {
  const count = Math.min(60, Math.floor((height + 18) / 28));
  return Array.from({ length: count }, (_, at) => {
    const isLast = at === count - 1 || at % 7 === 6;
    return html`<rect class="line" x="${x}" y="${y + at * 28}" width="${Math.round(width * (isLast ? 0.6 : 1))}" height="10" rx="5"/>`;
  });
}

function drawZone({ zone, x, y }: Place, scale: number): Markup {
  const { width, height, isFree, number } = zone;
  const right = x + width;
  const bottom = y + height;
  // The corners of a small zone leave its sides open as well.
  const across = Math.min(28 * scale, width / 3);
  const down = Math.min(28 * scale, height / 3);
  const corners = [
    `M${x} ${y + down}V${y}h${across}`,
    `M${right - across} ${y}H${right}v${down}`,
    `M${right} ${bottom - down}V${bottom}h${-across}`,
    `M${x + across} ${bottom}H${x}v${-down}`,
  ].join('');
  const fits = Math.min(width, height) >= 40 * scale;
  return html`<g class="${isFree ? 'free' : 'taken'}"><rect x="${x}" y="${y}" width="${width}" height="${height}"/><path d="${corners}"/>${
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
