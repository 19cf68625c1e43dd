/**
 * The ad as video players want it: VAST 4.2 (IAB Tech Lab, Video Ad Serving Template, June 2019). The order of the
 * elements is the schema's. Nothing is asked of players that nothing is made of, so there are no TrackingEvents.
 */
import { randomUUID } from 'node:crypto';
import { escapeHtml } from '#server/http/html.ts';

/** What a video ad's document is made of. */
export type Video = {
  adPublicId: string;
  title: string;
  description: string;
  /** On whose behalf; null when the account is gone. */
  advertiser: string | null;
  /** Whole addresses. */
  src: string;
  why: string;
  /** Of the rendition: '{sha256}.mp4'. */
  rendition: string;
  width: number;
  height: number;
  durationMs: number;
  byteSize: number;
};

/** A video's document but for what each decision adds: text, address, text, address … in turn. */
export type VastTemplate = readonly string[];

/** What a decision adds, each a whole address. */
export type VastAddresses = { view: string; click: string; error: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2" xmlns="http://www.iab.com/VAST"';

/** No ad, and nothing wrong. */
export const EMPTY_VAST = `${HEAD}/>\n`;

/** Stands where a decision's own values go; no text of ours or of others can hold it. */
const GAP = '\0';
const FILLED_BY = ['error', 'rendered', 'view', 'serving', 'click'] as const;
type Filling = (typeof FILLED_BY)[number];
const gap = (name: Filling) => `${GAP}${name}${GAP}`;

/** Made when a zone is read, so that a request only fills in its addresses. */
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

/** The document of one decision. Players put their error's number in the place of [ERRORCODE]. */
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

/** What XML 1.0 cannot hold at all, escaped or not. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

function xml(text: string): string {
  return escapeHtml(text.replaceAll(NOT_XML, ''));
}

/** 'HH:MM:SS.mmm' of less than a day. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

function kilobits({ byteSize, durationMs }: Video): number {
  return Math.max(1, Math.round((byteSize * 8) / durationMs));
}
