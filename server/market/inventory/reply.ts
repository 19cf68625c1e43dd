import { quantitiesOf } from '#domain/inventory/quantity.ts';
import type {
  AdSpace,
  AdZone,
  HouseAd,
  MarketplaceWebsite,
  Product,
  Website,
} from '#domain/inventory/contract.ts';
import { sitePagePath } from '#domain/inventory/site-page.ts';
import { SITE_PICTURES } from '#domain/inventory/site-pictures.ts';
import { embedSnippet } from '#domain/inventory/embed.ts';
import { forecastOfSite } from '#domain/delivery/forecast.ts';
import { measuredOf, roundForecast } from '#domain/delivery/forecast-fields.ts';
import { decimalOf } from '#domain/money.ts';
import { storedLimits } from '#domain/targeting/limits.ts';
import type { ZoneFigures } from '#server/delivery/forecast/zone-figures.ts';
import { displayAddress } from '#server/platform/net/web-address.ts';
import type { Config } from '#server/platform/settings/config.ts';
import type { AdSpaceRow, OfferedWebsiteRow, OfferedZoneRow, ProductRow, ShownWebsiteRow } from './store.ts';

/** The facts that the view of a website shows beside its row: the figures of its zones, and its usual answer time in hours. */
export type AboutWebsite = { figures: readonly ZoneFigures[]; usualAnswerHours: number | null };

/** Leaves out the owner, so that a website does not reveal its publisher's identity. */
export function websiteReply(
  config: Config,
  row: ShownWebsiteRow,
  { figures, usualAnswerHours }: AboutWebsite,
): Website {
  return {
    id: row.id,
    publicId: row.publicId,
    name: row.name,
    url: row.url,
    displayAddress: displayAddress(row.url),
    description: row.description,
    audience: row.audience,
    category: row.category,
    monthlyVisitors: row.monthlyVisitors,
    picture: row.picture && SITE_PICTURES + row.picture,
    measured: measuredOf(figures.flatMap(({ measured }) => measured ?? [])),
    rules: { subjects: row.refusedSubjects, domains: row.refusedDomains, words: row.refusedWords },
    usualAnswerHours,
    isActive: row.isActive,
    isListed: row.isListed,
    pageUrl: row.page !== null && config.hasCatalogue ? config.publicUrl + sitePagePath(row.page) : null,
    suspendedReason: row.suspendedReason,
    review: row.review === null ? null : { state: row.review, text: row.reviewText },
    isVerified: row.verifiedAt !== null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function offeredWebsiteReply(
  config: Config,
  row: OfferedWebsiteRow,
  about: AboutWebsite,
): MarketplaceWebsite {
  const bookable = about.figures.filter(({ isBookable }) => isBookable);
  const forecast = forecastOfSite(bookable.map((zone) => zone.forecast));
  return {
    ...websiteReply(config, row, about),
    adTypes: row.adTypes,
    lowestPrice: row.lowestOffer?.price ?? null,
    lowestOffer: row.lowestOffer,
    costPerThousand: row.pricePerThousand === null ? null : decimalOf(row.pricePerThousand),
    sizes: row.sizes,
    forecast: forecast && roundForecast(forecast),
  };
}

/** `page` is the name of the website's page. */
export function adSpaceReply(config: Config, row: AdSpaceRow, page: string): AdSpace {
  const { name, width, height, websiteName, websiteUrl } = row;
  const [cheapest] = row.offers.toSorted((a, b) => Number(a.price) - Number(b.price));
  return {
    website: {
      name: websiteName,
      displayAddress: displayAddress(websiteUrl),
      pageUrl: config.publicUrl + sitePagePath(page),
    },
    zone: { name, width, height },
    lowestOffer: cheapest ?? null,
  };
}

export function zoneReply(row: OfferedZoneRow, figures: ZoneFigures, config: Config): AdZone {
  const { deliveryUrl } = config;
  return {
    id: row.id,
    publicId: row.publicId,
    websiteId: row.websiteId,
    name: row.name,
    width: row.width,
    height: row.height,
    zoneType: row.zoneType,
    isActive: row.isActive,
    suspendedReason: row.suspendedReason,
    embedCode: embedSnippet(row, deliveryUrl),
    deliveryUrl,
    offers: row.offers,
    liveAds: row.liveAds,
    forecast: roundForecast(figures.forecast),
    measured: figures.measured && measuredOf([figures.measured]),
    tagSeenAt: row.tagSeenAt?.toISOString() ?? null,
    pausedAt: row.pausedAt?.toISOString() ?? null,
    houseAd: houseAdReply(row),
    look: row.look,
    accent: row.accent,
    slots: row.slots,
    blockedDays: row.blockedDays,
    excludes: storedLimits(row.excludes),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function houseAdReply({ houseTitle, houseDescription, houseUrl }: OfferedZoneRow): HouseAd | null {
  if (houseTitle === null || houseDescription === null || houseUrl === null) return null;
  return { title: houseTitle, description: houseDescription, targetUrl: houseUrl };
}

export function productReply(row: ProductRow): Omit<Product, 'finishes' | 'expectedDays'> {
  return {
    id: row.id,
    adZoneId: row.adZoneId,
    adType: row.adType,
    price: row.price,
    pricingModel: row.pricingModel,
    duration: row.duration,
    impressions: row.impressions,
    clicks: row.clicks,
    minQuantity: row.minQuantity,
    maxQuantity: row.maxQuantity,
    step: row.step,
    volumePrices: [...quantitiesOf(row).volumePrices],
    isActive: row.isActive,
    createdAt: row.createdAt.toISOString(),
  };
}
