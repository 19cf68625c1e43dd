/**
 * A video ad as a VAST 4.2 document (IAB Tech Lab, Video Ad Serving Template, June 2019). The schema fixes the order of the
 * elements. There are no TrackingEvents, because the server would not use them.
 */
import { randomUUID } from 'node:crypto';
import { type Markup, xml } from '#server/platform/http/html.ts';

/** The parts of a video ad's document that come from the ad. */
export type Video = {
  adPublicId: string;
  /** That of the ad, or of its second creative. */
  publicId: string;
  title: string;
  description: string;
  /** The name of the advertiser. Null when the account has been deleted. */
  advertiser: string | null;
  /** Complete addresses. */
  src: string;
  why: string;
  /** The file name of the rendition: '{sha256}.mp4'. */
  rendition: string;
  width: number;
  height: number;
  durationMs: number;
  byteSize: number;
};

/** The document of an ad without the values of a decision: text, name of a value, text, name of a value … in turn. */
export type VastTemplate = readonly string[];

/** The complete addresses that a decision adds. */
export type VastAddresses = { view: string; click: string; error: string };

/** An answer without an ad, which is not an error. */
export const EMPTY_VAST =
  '<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2" xmlns="http://www.iab.com/VAST"/>\n';

/** Marks where a value of the decision goes. An escaped text cannot contain a mark, because it has no '<'. */
const MARK = /<\?(error|rendered|view|serving|click)\?>/;

/** Made once, when an ad is read, so that a request only fills in its addresses. */
export function vastTemplate(video: Video, publicUrl: string): VastTemplate {
  const document = xml`<?xml version="1.0" encoding="UTF-8"?>
<VAST version="4.2" xmlns="http://www.iab.com/VAST">
<Ad id="${video.adPublicId}" adType="video"><InLine>
<AdSystem>Openslot</AdSystem>
<Error><?error?></Error>
<Impression><?rendered?></Impression>
<ViewableImpression><Viewable><?view?></Viewable></ViewableImpression>
<AdServingId><?serving?></AdServingId>
<AdTitle>${video.title}</AdTitle>
${video.advertiser !== null && xml`<Advertiser>${video.advertiser}</Advertiser>`}
<Creatives><Creative id="${video.publicId}" adId="${video.adPublicId}"><Linear>
<Icons><Icon program="Openslot" width="28" height="16" xPosition="left" yPosition="top" pxratio="2">
<StaticResource creativeType="image/png">${publicUrl}/ad-mark.png</StaticResource>
<IconClicks><IconClickThrough>${video.why}</IconClickThrough></IconClicks>
</Icon></Icons>
<Duration>${clock(video.durationMs)}</Duration>
<MediaFiles><MediaFile delivery="progressive" type="video/mp4" codec="avc1" width="${video.width}" height="${video.height}" bitrate="${kilobits(video)}" fileSize="${video.byteSize}">${video.src}</MediaFile></MediaFiles>
<VideoClicks><ClickThrough><?click?></ClickThrough></VideoClicks>
</Linear>
<UniversalAdId idRegistry="openslot">${video.rendition}</UniversalAdId>
</Creative></Creatives>
<Description>${video.description}</Description>
</InLine></Ad>
</VAST>
`;
  return document.toString().split(MARK);
}

/** The document of one decision. Players replace [ERRORCODE] with the number of their error. */
export function fillVast(template: VastTemplate, { view, click, error }: VastAddresses): string {
  const values: Record<string, Markup | string> = {
    error: xml`${error}?code=[ERRORCODE]`,
    rendered: xml`${view}?rendered`,
    view: xml`${view}`,
    serving: randomUUID(),
    click: xml`${click}`,
  };
  return template.map((part, at) => (at % 2 === 1 ? values[part] : part)).join('');
}

/** 'HH:MM:SS.mmm', for durations of less than a day. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

function kilobits({ byteSize, durationMs }: Video): number {
  return Math.max(1, Math.round((byteSize * 8) / durationMs));
}
