/**
 * Writes an ad as VAST 4.2 for video players (IAB Tech Lab, Video Ad Serving Template, June 2019). The schema fixes the
 * order of the elements. There are no TrackingEvents, because Openslot does not use the progress of a video.
 */
import { randomUUID } from 'node:crypto';
import { escapeHtml } from '#server/http/html.ts';

/** The content of a video ad's document. */
export type Video = {
  adPublicId: string;
  title: string;
  description: string;
  /** On whose behalf the ad is shown; null if the account was deleted. */
  advertiser: string | null;
  /** Absolute URLs. */
  src: string;
  why: string;
  /** The name of the re-encoded file: '{sha256}.mp4'. */
  rendition: string;
  width: number;
  height: number;
  durationMs: number;
  byteSize: number;
};

/** A document without the values of a decision. Text and the names of values alternate. */
export type VastTemplate = readonly string[];

/** The absolute URLs that each decision adds. */
export type VastAddresses = { view: string; click: string; error: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2" xmlns="http://www.iab.com/VAST"';

/** The answer without an ad. It is valid, and not an error. */
export const EMPTY_VAST = `${HEAD}/>\n`;

/** Marks where the values of a decision go. XML cannot contain this character, so no text of an ad can either. */
const GAP = '\0';
const FILLED_BY = ['error', 'rendered', 'view', 'serving', 'click'] as const;
type Filling = (typeof FILLED_BY)[number];
const gap = (name: Filling) => `${GAP}${name}${GAP}`;

/** Built when a zone is loaded, so that a request only fills in its URLs. */
export function vastTemplate(video: Video, publicUrl: string): VastTemplate {
  const advertiser = video.advertiser === null ? '' : `<Advertiser>${xml(video.advertiser)}</Advertiser>\n`;
  return `${HEAD}>
<Ad id="${xml(video.adPublicId)}" adType="video"><InLine>
<AdSystem>Openslot</AdSystem>
<Error>${gap('error')}</Error>
<Impression>${gap('rendered')}</Impression>
<ViewableImpression><Viewable>${gap('view')}</Viewable></ViewableImpression>
<AdServingId>${gap('serving')}</AdServingId>
<AdTitle>${xml(video.title)}</AdTitle>
${advertiser}<Creatives><Creative id="${xml(video.adPublicId)}" adId="${xml(video.adPublicId)}"><Linear>
<Icons><Icon program="Openslot" width="28" height="16" xPosition="left" yPosition="top" pxratio="2">
<StaticResource creativeType="image/png">${xml(publicUrl)}/ad-mark.png</StaticResource>
<IconClicks><IconClickThrough>${xml(video.why)}</IconClickThrough></IconClicks>
</Icon></Icons>
<Duration>${clock(video.durationMs)}</Duration>
<MediaFiles><MediaFile delivery="progressive" type="video/mp4" codec="avc1" width="${video.width}" height="${video.height}" bitrate="${kilobits(video)}" fileSize="${video.byteSize}">${xml(video.src)}</MediaFile></MediaFiles>
<VideoClicks><ClickThrough>${gap('click')}</ClickThrough></VideoClicks>
</Linear>
<UniversalAdId idRegistry="openslot">${xml(video.rendition)}</UniversalAdId>
</Creative></Creatives>
<Description>${xml(video.description)}</Description>
</InLine></Ad>
</VAST>
`.split(GAP);
}

/** The document of one decision. A player replaces [ERRORCODE] with the number of its error. */
export function fillVast(template: VastTemplate, { view, click, error }: VastAddresses): string {
  const values: Record<Filling, string> = {
    error: `${xml(error)}?code=[ERRORCODE]`,
    rendered: `${xml(view)}?rendered`,
    view: xml(view),
    serving: randomUUID(),
    click: xml(click),
  };
  return template.map((part, at) => (at % 2 === 1 ? values[part as Filling] : part)).join('');
}

/** The characters that XML 1.0 does not allow, escaped or not. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function xml(text: string): string {
  return escapeHtml(text.replaceAll(NOT_XML, ''));
}

/** 'HH:MM:SS.mmm', for less than a day. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

function kilobits({ byteSize, durationMs }: Video): number {
  return Math.max(1, Math.round((byteSize * 8) / durationMs));
}
