import { AD_KINDS, type AdType, shownAs } from '#domain/ads/types.ts';
import { creativeNumbers } from '#domain/ads/variants.ts';
import { fillMacros } from '#domain/delivery/macros.ts';
import { siteLabel } from '#domain/delivery/ad-style.ts';
import { firstForecast } from '#domain/delivery/forecast.ts';
import { advertiseHereUrl, HOUSE_TITLE, houseText } from '#domain/delivery/house.ts';
import { type ServedAd, stillable, stillOf } from '#domain/delivery/wire.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { excluded, needsPage, within } from '#domain/targeting/matches.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import { type Fragment, fragmentOf, type StyleOf } from './fragments.ts';
import { Reservations } from './reservations.ts';
import type { LiveAd, LiveCreative, LiveZone } from './snapshot.ts';
import {
  type AdRow,
  type CreativeRow,
  findSecondCreatives,
  findShownAds,
  findZones,
  type SecondRow,
  type ZoneRow,
  findVideos,
} from './store.ts';
import { subjectOf } from '../tokens/tokens.ts';
import { siteOf } from '../traffic/traffic.ts';
import { type VastTemplate, vastTemplate } from './vast-document.ts';

/** Loads the offered zones among `ids`, with the ads that they show, in the form that decisions need. */
export async function loadZones(ctx: Context, ids: readonly number[], styleOf: StyleOf): Promise<LiveZone[]> {
  if (ids.length === 0) return [];
  const rows = await findZones(ctx.db, ids);
  const shown = rows.map((row) => row.id);
  const found = await findShownAds(ctx.db, shown);
  const ads = Map.groupBy(found, (ad) => ad.adZoneId);
  const adIds = found.map(({ id }) => id);
  const seconds = adIds.length === 0 ? [] : await findSecondCreatives(ctx.db, adIds);
  const making = {
    seconds: new Map(seconds.map((second) => [second.adId, second])),
    videos: await readVideos(ctx, found),
    styleOf,
    config: ctx.config,
  };
  return rows.map((row) => liveZone(row, ads.get(row.id) ?? [], making));
}

/** The rows, files and settings that all zones of a chunk are made with. */
type Making = {
  /** The second creatives, by the id of their ad. */
  seconds: ReadonlyMap<number, SecondRow>;
  videos: ReadonlyMap<string, VastTemplate>;
  styleOf: StyleOf;
  config: Config;
};

function liveZone(row: ZoneRow, ads: AdRow[], making: Making): LiveZone {
  const limits = [row, ...ads].flatMap((each) => ('excludes' in each ? each.excludes : each.targeting) ?? []);
  return {
    id: row.id,
    publicId: row.publicId,
    websiteId: row.websiteId,
    publisherId: row.publisherId,
    site: siteOf(row.websiteUrl),
    tagSeenAtMs: row.tagSeenAt?.getTime() ?? 0,
    house: houseAd(row, making),
    forecastPerDay: row.measuredLikely ?? firstForecast(row.monthlyVisitors),
    measuredViewsPerDay: 0,
    ads: ads.map((ad) => liveAd(ad, row, making)),
    isLimited: limits.length > 0,
    needsPage: limits.some(needsPage),
    isExcluded: row.excludes && excluded(row.excludes),
    shares: null,
    hourlyCount: undefined,
  };
}

/** The ad of a zone without a paid ad: the publisher's own or 'Advertise here'. Neither is counted. */
function houseAd(row: ZoneRow, { styleOf, config: { publicUrl, currency } }: Making): Fragment {
  const { houseTitle, houseDescription, houseUrl } = row;
  const shared: Partial<ServedAd> = { zone: row.publicId, kind: 'house' };
  if (houseTitle !== null && houseDescription !== null && houseUrl !== null) {
    const site = siteLabel(URL.parse(houseUrl));
    return fragmentOf(
      { ...shared, title: houseTitle, text: houseDescription, site },
      styleOf(row, 'text'),
      { click: houseUrl },
      '}',
    );
  }
  const { price, pricingModel, duration, impressions, clicks } = row;
  const option =
    price === null || pricingModel === null
      ? null
      : { price, plan: planOf({ pricingModel, duration, impressions, clicks }) };
  return fragmentOf(
    { ...shared, title: HOUSE_TITLE, text: houseText(option, currency) },
    styleOf(row, 'open'),
    { click: advertiseHereUrl(publicUrl, row.websitePublicId, row.publicId) },
    '}',
  );
}

function liveAd(row: AdRow, zone: ZoneRow, making: Making): LiveAd {
  const second = making.seconds.get(row.id);
  const numbers = second ? creativeNumbers(second.number) : { first: 0, second: 0 };
  const creativeOf = (creative: CreativeRow, number: number) =>
    liveCreative(creative, { adId: row.id, number, zone }, making);
  return {
    ...creativeOf(row, numbers.first),
    id: row.id,
    publicId: row.publicId,
    zoneId: row.adZoneId,
    second: second ? creativeOf(second, numbers.second) : null,
    next: null,
    measuresLandings: row.measuresLandings,
    pricingModel: row.pricingModel,
    goal: row.impressions ?? row.clicks,
    views: row.totalImpressions,
    clicks: row.totalClicks,
    startMs: row.startDate.getTime(),
    endMs: row.endDate?.getTime() ?? Infinity,
    targeting: row.targeting,
    isWithin: row.targeting && within(row.targeting),
    lastAllowedMs: -Infinity,
    lastLimitedMs: -Infinity,
    reservations: new Reservations(),
    recentlyServed: false,
    uncounted: { views: 0, clicks: 0 },
    hourlyCount: undefined,
  };
}

function liveCreative(
  row: CreativeRow,
  { adId, number, zone }: { adId: number; number: number; zone: ZoneRow },
  { videos, styleOf, config: { publicUrl, deliveryUrl } }: Making,
): LiveCreative {
  // Visitors load files from this server only. An address elsewhere could be changed after the approval.
  const fileUrl = (rendition: string | null) => (rendition ? `${deliveryUrl}/m/${rendition}` : undefined);
  const image = fileUrl(row.imageRendition);
  const video = fileUrl(row.videoRendition);
  const kind = shownAs(row.adType, { hasImage: image !== undefined, hasVideo: video !== undefined });
  const { image: role, plays } = AD_KINDS[kind];
  const style = role === null ? 'text' : 'media';
  const shared: Partial<ServedAd> = { zone: zone.publicId, kind, title: row.title, text: row.description };
  const media = MEDIA[kind](row, { image, video });
  const fragment = fragmentOf(
    { ...shared, ...media },
    styleOf(zone, style),
    { why: `${publicUrl}/api/serve/why/${row.publicId}`, area: zone.width * zone.height },
    `,"view":"${deliveryUrl}/api/serve/view/`,
  );
  return {
    creative: number,
    video: plays,
    subject: subjectOf({ zoneId: zone.id, adId, video: plays, creative: number }),
    // The publisher approved the address as written. Only its macros change.
    targetUrl: fillMacros(row.targetUrl, {
      site: URL.parse(zone.websiteUrl)?.host ?? '',
      zone: zone.publicId,
      ad: row.publicId,
    }),
    fragment,
    vast: videos.get(row.publicId) ?? null,
  };
}

/** The part of a served ad that depends on how it is shown. The files are addresses. */
const MEDIA: Record<
  AdType,
  (row: CreativeRow, files: { image: string | undefined; video: string | undefined }) => Partial<ServedAd>
> = {
  text: ({ targetUrl }) => ({ site: siteLabel(URL.parse(targetUrl)) }),
  image: (row, { image = '' }) => ({
    ...stillable(image),
    width: row.imageWidth ?? undefined,
    height: row.imageHeight ?? undefined,
  }),
  video: (row, { image, video }) => ({
    src: video,
    poster: image && stillOf(image),
    width: row.videoWidth ?? undefined,
    height: row.videoHeight ?? undefined,
  }),
};

/** The VAST documents of the videos of `ads`, by the public id of their creative. */
export async function readVideos(
  ctx: Context,
  ads: readonly AdRow[],
): Promise<ReadonlyMap<string, VastTemplate>> {
  const videos = ads.filter((ad) => AD_KINDS[ad.adType].plays).map((ad) => ad.id);
  if (videos.length === 0) return new Map();
  const { publicUrl, deliveryUrl } = ctx.config;
  const rows = await findVideos(ctx.db, videos);
  return new Map(
    rows.map((video) => {
      const src = `${deliveryUrl}/m/${video.rendition}`;
      const why = `${publicUrl}/api/serve/why/${video.publicId}`;
      return [video.publicId, vastTemplate({ ...video, src, why }, publicUrl)];
    }),
  );
}
