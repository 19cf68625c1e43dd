/** Websites, ad zones and ads of component tests. */
import { ad, listPendingAds, type Ad, type Submission } from '#domain/ads/contract.ts';
import {
  adZone,
  marketplaceWebsite,
  product,
  website,
  type AdZone,
  type MarketplaceWebsite,
  type Product,
  type Website,
} from '#domain/inventory/contract.ts';
import { sample } from './sample.ts';

/** The public id of the thing with this number. */
export const uuid = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Neither measurements nor declared visitors. */
export const noForecast: AdZone['forecast'] = {
  basis: 'declared',
  viewsPerDay: { low: 1, likely: 1, high: 1 },
};

const site = {
  id: 1,
  publicId: uuid(1),
  name: 'Gazette',
  url: 'https://gazette.example/',
  displayAddress: 'gazette.example',
  category: 'News',
  isActive: true,
  isVerified: true,
} satisfies Partial<Website>;

export const makeWebsite = (members: Partial<Website> = {}): Website =>
  sample(website, { ...site, ...members });

/** A website as the marketplace shows it. */
export const makeOffered = (members: Partial<MarketplaceWebsite> = {}): MarketplaceWebsite =>
  sample(marketplaceWebsite, { ...site, adTypes: ['text'], ...members });

/** An active ad zone of 300 by 250 pixels on the website. */
export const makeZone = (members: Partial<AdZone> = {}): AdZone =>
  sample(adZone, {
    id: 11,
    publicId: uuid(11),
    websiteId: 1,
    name: 'Sidebar',
    width: 300,
    height: 250,
    zoneType: 'rectangle',
    isActive: true,
    forecast: noForecast,
    liveAds: 0,
    ...members,
  });

/** A text ad for 30 days for $100. */
export const makeProduct = (members: Partial<Product> = {}): Product =>
  sample(product, {
    id: 21,
    adZoneId: 11,
    adType: 'text',
    price: '100.00',
    pricingModel: 'per_day',
    duration: 30,
    isActive: true,
    finishes: true,
    minQuantity: 1,
    maxQuantity: 1,
    step: 1,
    ...members,
  });

const campaign = {
  id: 31,
  publicId: uuid(31),
  userId: 7,
  adZoneId: 11,
  productId: 21,
  adType: 'text',
  title: 'Fresh coffee',
  description: 'Beans roasted on Monday',
  targetUrl: 'https://coffee.example/start',
  status: 'pending',
  unitPrice: '100.00',
  totalAmount: '100.00',
  commissionAmount: '15.00',
  commissionPercent: 15,
  pricingModel: 'per_day',
  duration: 30,
  totalImpressions: 0,
  totalClicks: 0,
  silentDays: 0,
  websitePublicId: uuid(1),
  websiteName: 'Gazette',
  websiteUrl: 'https://gazette.example/',
  adZonePublicId: uuid(11),
  adZoneName: 'Sidebar',
  adZoneDescription: 'rectangle, 300x250',
  adZoneWidth: 300,
  adZoneHeight: 250,
} satisfies Partial<Ad>;

/** A text ad for 30 days that waits for its publisher. */
export const makeAd = (members: Partial<Ad> = {}): Ad =>
  sample(ad, { ...campaign, displayTarget: members.targetUrl ?? campaign.targetUrl, ...members });

/** The same as the publisher sees it. */
export const makeSubmission = (members: Partial<Submission> = {}): Submission =>
  sample(listPendingAds.reply.element, {
    ...campaign,
    displayTarget: members.targetUrl ?? campaign.targetUrl,
    advertiser: {
      name: 'Bea Bright',
      businessName: null,
      since: '2026-01-15T12:00:00.000Z',
      adsRun: 0,
      adsRejected: 0,
    },
    ...members,
  });
