/** The parts of answers that are made when an ad zone is read, so that a request only fills in its tokens. */
import { adStyle, type StyledContent, type StyledZone } from '#domain/delivery/ad-style.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import { ascii, asciiJson } from '#server/platform/http/raw-answer.ts';

/**
 * An answer as asciiJson writes it, in three parts. The style is most of it and the same for all ads of a zone, so they
 * share one text.
 */
export type Fragment = { before: string; style: string; after: string };

/** The JSON of the style of an ad in this zone. */
export type StyleOf = (zone: StyledZone, content: StyledContent) => string;

/** Publishers choose size, look and accent, so the number of different styles has no bound of its own. */
const MAX_STYLES = 2000;

/** Makes each style once. All zones of the same size, look and accent share it. */
export function createStyles(): StyleOf {
  const styles = new Map<string, string>();
  return (zone, content) => {
    // All images and videos have the same style.
    const key =
      content === 'media' ? content : `${content} ${zone.width} ${zone.height} ${zone.look} ${zone.accent}`;
    let style = styles.get(key);
    if (style === undefined) {
      style = asciiJson(adStyle(zone, content));
      if (styles.size >= MAX_STYLES) styles.clear();
      styles.set(key, style);
    }
    return style;
  };
}

/** The answer with the fields of `first`, the style as `css`, and the fields of `last`. It ends with `end`. */
export function fragmentOf(
  first: Partial<ServedAd>,
  style: string,
  last: Partial<ServedAd>,
  end: string,
): Fragment {
  return {
    before: ascii(`${JSON.stringify(first).slice(0, -1)},"css":`),
    style,
    after: ascii(`,${JSON.stringify(last).slice(1, -1)}${end}`),
  };
}

/** The answer of an ad zone without an ad. */
export function houseAnswer({ before, style, after }: Fragment): string {
  return before + style + after;
}

/** The answer of an ad with the tokens of a decision. */
export function adAnswer(
  { before, style, after }: Fragment,
  tokens: { view: string; click: string },
  clickUrl: string,
): string {
  return `${before}${style}${after}${tokens.view}","click":"${clickUrl}${tokens.click}"}`;
}
