/**
 * The style of an ad in its zone. The ad server sends it with each ad and the previews of the web application use it
 * too, so the tag itself contains none (docs/decisions/125-tag-in-ordinary-pages.md).
 */
import { type HexColor, readableAccent, TINT_ALPHA } from './accent.ts';

/** 'plain' is written on the page itself. 'card' has a surface of its own. */
export const ZONE_LOOKS = ['plain', 'card'] as const;
export type ZoneLook = (typeof ZONE_LOOKS)[number];

export type StyledZone = {
  /** The size of the zone as it was sold, in CSS pixels. */
  width: number;
  height: number;
  look: ZoneLook;
  accent: HexColor | null;
};

/** 'open' is the zone that advertises itself. */
export type StyledContent = 'text' | 'media' | 'open';

/** The name of the target's site as the ad shows it. `target` is null for an address that cannot be parsed. */
export function siteLabel(target: { host: string } | null): string {
  return target ? target.host.replace(/^www\./, '') : '';
}

/**
 * The style sheet for the shadow root that the tag renders (tag/render.ts): a link 'Ad', which an unpaid ad lacks, and
 * a link around `b`, `span` and `i` with title, text and site, or around the image or video. The ad takes only the
 * font, the text color and the color scheme from the page.
 */
export function adStyle(zone: StyledZone, content: StyledContent): string {
  if (content === 'media') return BASE + MEDIA;
  const sizes = zone.height < 120 ? stripSizes(zone) : boxSizes(zone);
  const layout = content === 'open' ? openLayout(zone, sizes) : adLayout(zone, sizes);
  return BASE + TEXTS + layout + colors(zone, content);
}

const BASE =
  'a{all:initial;display:grid;color:inherit;color-scheme:inherit;cursor:revert;font:15px/1.4 a;font-family:inherit;outline:revert;outline-offset:-2px;overflow-wrap:anywhere;visibility:inherit}' +
  'a:not(:last-child){position:absolute;z-index:1;margin:1px;padding:0 5px;font-size:11px;line-height:22px}' +
  'a:last-child{position:relative;box-sizing:border-box;height:100%}' +
  'a:last-child::after{content:"";position:absolute;inset:0;border:1px solid;border-radius:inherit;opacity:.2;pointer-events:none}';

/** The mark needs a surface of its own above an image. */
const MEDIA =
  'img,video{width:100%;height:100%;min-height:0;object-fit:contain}' +
  'a:not(:last-child){background:Canvas;color:CanvasText;border-radius:0 0 6px}';

const TEXTS =
  'b,span{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;unicode-bidi:plaintext}' +
  'b{font-weight:600;line-height:1.25}' +
  'i{align-self:center;overflow:hidden;font-size:12px;font-style:normal;text-overflow:ellipsis;white-space:nowrap}' +
  // The empty text after the slash keeps the sign from screen readers, in browsers that know it.
  'a:last-child::before{content:"→";content:"→"/"";align-self:center;border-radius:50%;font-family:system-ui;font-weight:600;text-align:center}';

/** Sizes in pixels, and the number of complete lines that fit. */
type Sizes = {
  title: number;
  text: number;
  sign: number;
  titleLines: number;
  textLines: number;
  padding: number;
};

const TITLE_LINE = 1.25;
const TEXT_LINE = 1.4;
/** The height of the 'Ad' mark with its distance from the edge. */
const MARK = 24;
/** Between title and text. */
const GAP = 4;

/** A zone in which title and text share one line with site and sign, such as 728x90 or 320x50. */
function stripSizes({ width, height }: StyledZone): Sizes {
  const title = clamp(height / 4.8, 13, 22);
  const text = clamp(title * 0.78, 12, 16);
  const free = height - 10 - title * TITLE_LINE;
  return {
    title,
    text,
    sign: height < 40 || width < 200 ? 0 : clamp(height * 0.42, 24, 40),
    titleLines: 1,
    textLines: Math.min(3, lines(free, text * TEXT_LINE)),
    padding: clamp(height / 5, 8, 20),
  };
}

/** A zone with a line for the site and the sign below the texts, such as 300x250 or 160x600. */
function boxSizes({ width, height }: StyledZone): Sizes {
  const title = clamp(Math.min(Math.sqrt(width * height) / 12, width / 8, height / 8), 14, 32);
  const text = clamp(title * 0.7, 13, 18);
  const sign = clamp(title * 1.6, 26, 44);
  const padding = clamp(Math.min(width, height) / 13, 10, 32);
  const free = height - Math.max(padding, MARK) - padding - sign - 2 * GAP;
  const titleLines = Math.max(1, Math.min(4, lines(free * 0.55, title * TITLE_LINE)));
  const textLines = lines(free - titleLines * title * TITLE_LINE, text * TEXT_LINE);
  return { title, text, sign, titleLines, textLines, padding };
}

function adLayout({ height }: StyledZone, sizes: Sizes): string {
  const { padding } = sizes;
  const layout =
    height < 120
      ? `a:last-child{grid:minmax(0,1fr) auto auto minmax(0,1fr)/minmax(60%,1fr) minmax(0,max-content) auto;column-gap:12px;padding:0 ${padding}px 0 28px}` +
        `b{grid-area:2/1}span{grid-area:3/1}i{grid-area:1/2/5${height < 60 ? ';display:none' : ''}}a:last-child::before{grid-area:1/3/5}`
      : `a:last-child{grid:minmax(0,1fr) auto auto minmax(0,1.6fr) auto/minmax(0,1fr) auto;column-gap:8px;padding:${Math.max(padding, MARK)}px ${padding}px ${padding}px}` +
        `b{grid-area:2/1/3/3}span{grid-area:3/1/4/3;margin-top:${GAP}px}i{grid-area:5/1}a:last-child::before{grid-area:5/2}`;
  return layout + textSizes(sizes);
}

function openLayout({ height }: StyledZone, sizes: Sizes): string {
  const isStrip = height < 120;
  return (
    `a:last-child{place-content:center;place-items:center;gap:${isStrip ? '0 14px' : '6px'};padding:0 ${sizes.padding}px;text-align:center;text-wrap:balance${isStrip ? ';grid-auto-flow:column' : ''}}` +
    'a:last-child::before{content:"+";content:"+"/""}' +
    // The frame of an empty ad zone is open at the top and at the bottom.
    'a:last-child::after{opacity:.45;clip-path:polygon(0 0,12px 0,12px 100%,calc(100% - 12px) 100%,calc(100% - 12px) 0,100% 0,100% 100%,0 100%)}' +
    textSizes(sizes)
  );
}

function textSizes({ title, text, sign, titleLines, textLines }: Sizes): string {
  return (
    `b{font-size:${title}px;-webkit-line-clamp:${titleLines}}` +
    (textLines > 0 ? `span{font-size:${text}px;-webkit-line-clamp:${textLines}}` : 'span{display:none}') +
    (sign > 0
      ? `a:last-child::before{width:${sign}px;height:${sign}px;font-size:${Math.round(sign / 2)}px;line-height:${sign}px}`
      : 'a:last-child::before{display:none}')
  );
}

/** Without an accent, the ad has the page's own two colors. */
function colors({ look, accent }: StyledZone, content: StyledContent): string {
  const isCard = look === 'card';
  const card = 'background:Canvas;color:CanvasText;border-radius:12px';
  if (accent === null) {
    return isCard
      ? `a:last-child{${card}}a:not(:last-child){color:CanvasText}a:last-child::before{background:CanvasText;color:Canvas}`
      : 'a:last-child::before{box-shadow:inset 0 0 0 1px}';
  }
  const { light, dark } = readableAccent(accent);
  // Browsers that do not know light-dark() keep the declaration before it.
  const sign = `a:last-child::before{background:${light};background:light-dark(${light},${dark});color:#fff;color:light-dark(#fff,#000)}`;
  if (!isCard) return sign;
  const tint = accent + TINT_ALPHA;
  return (
    `a:last-child{${card};background:linear-gradient(${tint},${tint}),Canvas}a:not(:last-child){color:CanvasText}` +
    (content === 'text' ? `i{color:CanvasText;color:light-dark(${light},${dark})}` : '') +
    sign
  );
}

function lines(height: number, lineHeight: number): number {
  return Math.max(0, Math.floor(height / lineHeight));
}

function clamp(value: number, least: number, most: number): number {
  return Math.round(Math.min(most, Math.max(least, value)));
}
