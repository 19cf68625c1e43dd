import type { AdZone, HouseAd, MarketplaceWebsite, Product, Website } from '#domain/inventory/contract.ts';
import { embedSnippet } from '#domain/inventory/embed.ts';
import { displayAddress } from './site-address.ts';
import type { OfferedWebsiteRow, OfferedZoneRow, ProductRow, WebsiteRow } from './store.ts';

/** Leaves out the owner, so that a website does not reveal its publisher's identity. */
export function viewWebsite(row: WebsiteRow): Website {
  return {
    id: row.id,
    publicId: row.publicId,
    name: row.name,
    url: row.url,
    displayAddress: displayAddress(row.url),
    description: row.description,
    category: row.category,
    monthlyVisitors: row.monthlyVisitors,
    isActive: row.isActive,
    isVerified: row.verifiedAt !== null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function viewOfferedWebsite(row: OfferedWebsiteRow): MarketplaceWebsite {
  return {
    ...viewWebsite(row),
    adTypes: row.adTypes,
    lowestPrice: row.lowestPrice,
    sizes: row.sizes,
  };
}

export function viewZone(row: OfferedZoneRow, deliveryUrl: string): AdZone {
  return {
    id: row.id,
    publicId: row.publicId,
    websiteId: row.websiteId,
    name: row.name,
    width: row.width,
    height: row.height,
    zoneType: row.zoneType,
    isActive: row.isActive,
    embedCode: embedSnippet(row, deliveryUrl),
    deliveryUrl,
    offers: row.offers,
    tagSeenAt: row.tagSeenAt?.toISOString() ?? null,
    pausedAt: row.pausedAt?.toISOString() ?? null,
    houseAd: viewHouseAd(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function viewHouseAd({ houseTitle, houseDescription, houseUrl }: OfferedZoneRow): HouseAd | null {
  if (houseTitle === null || houseDescription === null || houseUrl === null) return null;
  return { title: houseTitle, description: houseDescription, targetUrl: houseUrl };
}

export function viewProduct(row: ProductRow): Product {
  return {
    id: row.id,
    adZoneId: row.adZoneId,
    adType: row.adType,
    price: row.price,
    pricingModel: row.pricingModel,
    duration: row.duration,
    impressions: row.impressions,
    clicks: row.clicks,
    isActive: row.isActive,
    createdAt: row.createdAt.toISOString(),
  };
}
