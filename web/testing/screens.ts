/** The answers that whole screens of publishers and advertisers ask for, with little or nothing to show. */
import { getCalendar, listWaitingEntries } from '#domain/ads/booking-contract.ts';
import {
  getAd,
  countMyAds,
  getAudience,
  getZoneAvailability,
  listMyAds,
  listPendingAds,
  type Ad,
  type Submission,
} from '#domain/ads/contract.ts';
import type { CampaignList } from '#domain/ads/campaign-lists.ts';
import type { AdType } from '#domain/ads/types.ts';
import { listVariants } from '#domain/ads/variants-contract.ts';
import {
  getActiveZones,
  getAdTimes,
  getBreakdown,
  getCounting,
  getEarnings,
  getSeries,
  getSpending,
} from '#domain/analytics/contract.ts';
import {
  getPages,
  getPosition,
  listPlaces,
  listPositionChanges,
} from '#domain/analytics/position-contract.ts';
import {
  getHoursWithoutTag,
  getReturned,
  listAgents,
  listPriceTrials,
  listZoneYields,
} from '#domain/analytics/publisher-contract.ts';
import { getResults } from '#domain/delivery/conversions-contract.ts';
import { watchZone, zoneWatch } from '#domain/delivery/zone-watch-contract.ts';
import { listFaults } from '#domain/delivery/faults-contract.ts';
import type { Reference } from '#domain/fields.ts';
import {
  getFacets,
  getWebsite,
  listMyWebsites,
  listProducts,
  listWebsites,
  listZones,
  previewWebsite,
  type AdZone,
  type MarketplaceWebsite,
  type Product,
  type Website,
} from '#domain/inventory/contract.ts';
import { listZoneSales, getPriceSuggestion } from '#domain/inventory/my-zones-contract.ts';
import { getAdLedger } from '#domain/payments/ledger-contract.ts';
import { getPayouts } from '#domain/payments/payout-contract.ts';
import { listMyPayments } from '#domain/payments/refund-contract.ts';
import { answer, broken, refused } from './answers.ts';
import { makeOffered, makeProduct, makeZone, noForecast, uuid } from './market.ts';
import { sample } from './sample.ts';

const noFigures = sample(getSeries.reply.shape.totals, { impressions: 0, clicks: 0, amount: '0.00' });

export const noSeries = sample(getSeries.reply, {
  timezone: 'UTC',
  dayStart: '00:00',
  totals: noFigures,
  previous: noFigures,
});

export const nothingMeasured = { recent: null, before: null, change: null };

export const noResults = sample(getResults.reply, {
  clicks: 0,
  landings: 0,
  conversions: 0,
  value: '0.00',
  windowDays: 30,
});

export const noAvailability = sample(getZoneAvailability.reply, {
  ...noForecast,
  yoursPerDay: 0,
  sharedWith: 0,
  quantity: 1,
  finishes: true,
});

/** The page of an advertiser's own campaign, on which nothing was delivered yet. */
export function answerCampaign(ad: Ad): void {
  answer(getAd, ad);
  answer(getAdTimes, { timezone: 'UTC', hours: [], conversions: [] });
  answer(getCounting, { timezone: 'UTC', dayStart: '00:00', buckets: [] });
  answer(getAdLedger, sample(getAdLedger.reply, { total: ad.totalAmount, kept: '0.00' }));
  answer(listMyPayments, []);
  answer(getBreakdown, []);
  answer(getSeries, noSeries);
  answer(getPosition, {
    ...nothingMeasured,
    secondsInView: nothingMeasured,
    firstScreen: nothingMeasured,
    places: [],
  });
  answer(getResults, noResults);
  answer(listVariants, []);
}

const RESULTS = [
  getReturned,
  listAgents,
  listFaults,
  listPositionChanges,
  listZoneYields,
] as (typeof listPositionChanges)[];

/** The page Results, for tests that are not about its sections. */
export function answerResultsWithErrors(): void {
  for (const section of RESULTS) answer(section, broken);
}

/** The dashboard of a publisher who has sold nothing yet. */
export function answerSellerDashboard(pending: Submission[] = []): void {
  answer(getEarnings, {
    totalEarnings: '0.00',
    delivered: '0.00',
    notDelivered: '0.00',
    thisMonth: '0.00',
  });
  answer(getActiveZones, { count: 0 });
  answer(getSeries, noSeries);
  answer(getBreakdown, []);
  answer(listPendingAds, pending);
  answer(
    getPayouts,
    sample(getPayouts.reply, { account: { state: 'none', country: null, requirements: [] } }),
  );
}

/** The ads of My Campaigns: the list that is asked for, and the counts of all. */
export function answerMyAds(ads: Ad[]): void {
  const listOf = ({ status, startDate, withdrawnAt }: Ad): CampaignList => {
    if (status === 'active' && (startDate === null || new Date(startDate) <= new Date())) return 'live';
    return status === 'completed' || withdrawnAt !== null ? 'ended' : 'waiting';
  };
  const countOf = (list: CampaignList) => ads.filter((ad) => listOf(ad) === list).length;
  answer(countMyAds, {
    all: ads.length,
    active: ads.filter(({ status }) => status === 'active').length,
    live: countOf('live'),
    waiting: countOf('waiting'),
    ended: countOf('ended'),
  });
  answer(listMyAds, ({ query: { list, search = '' } }) =>
    ads.filter((ad) => (list === undefined || listOf(ad) === list) && ad.title.includes(search)),
  );
}

/** The dashboard of an advertiser who has bought nothing yet. */
export function answerBuyerDashboard(ads: Ad[] = []): void {
  answer(getSpending, {
    totalSpending: '0.00',
    delivered: '0.00',
    notDelivered: '0.00',
    thisMonth: '0.00',
    totalImpressions: 0,
    totalClicks: 0,
    impressionsThisMonth: 0,
    clicksThisMonth: 0,
  });
  answerMyAds(ads);
  answer(getSeries, noSeries);
  answer(getBreakdown, []);
  answer(listWaitingEntries, []);
}

/** No page has requested the ad zone. */
export const nothingWatched = sample(zoneWatch, { from: '1', testPage: '/nothing' });

type Inventory = { websites?: Website[]; zones?: AdZone[]; products?: Product[] };

const isNamed = ({ id, publicId }: { id: number; publicId: string }, ref: Reference): boolean =>
  'id' in ref ? ref.id === id : ref.publicId === publicId;

/** The ad zones of each website, and the prices of each ad zone. */
function answerInventory({ websites = [], zones = [], products = [] }: Inventory): void {
  answer(listZones, ({ params: { ref } }) =>
    zones.filter(({ websiteId }) => websites.some((each) => each.id === websiteId && isNamed(each, ref))),
  );
  answer(listProducts, ({ params: { ref } }) =>
    products.filter(({ adZoneId }) => zones.some((each) => each.id === adZoneId && isNamed(each, ref))),
  );
}

/** My Ad Zones, with these websites, ad zones and prices. */
export function answerAdZones(inventory: Inventory = {}): void {
  answer(listMyWebsites, inventory.websites ?? []);
  answerInventory(inventory);
  answer(getBreakdown, []);
  answer(listZoneSales, []);
  answer(listFaults, []);
  answer(getPriceSuggestion, { commissionPercent: 15, similar: [] });
  answer(watchZone, nothingWatched);
  answer(previewWebsite, refused(400, 'We couldn’t read this page.'));
}

/** The page of each of these ad zones, of which nothing is known yet. */
export function answerAdZone(inventory: Inventory): void {
  const { websites = [], zones = [] } = inventory;
  answerAdZones(inventory);
  answer(listZoneSales, () =>
    zones.map(({ id, publicId, websiteId }) => ({
      id,
      publicId,
      websitePublicId: websites.find((each) => each.id === websiteId)!.publicId,
      running: 0,
      ads: [],
    })),
  );
  answer(getWebsite, ({ params: { ref } }) => {
    const own = websites.find((each) => isNamed(each, ref));
    return own ? makeOffered(own) : refused(404, 'Website not found');
  });
  answer(getCalendar, ({ query: { from = '2027-01-15' } }) => ({
    timezone: 'UTC' as const,
    slots: null,
    nextFreeDay: from,
    days: [],
  }));
  answer(listPriceTrials, []);
  answer(listPlaces, []);
  answer(listZoneYields, []);
  answer(getPages, sample(getPages.reply));
  answer(getHoursWithoutTag, { hours: 0, requests: 0, cost: '0.00', silences: [] });
}

/** The wizard ‘Create Ad’, in which these websites, ad zones and prices are for sale. */
export function answerWizard({
  websites = [makeOffered()],
  zones = [makeZone()],
  products = [makeProduct()],
}: Omit<Inventory, 'websites'> & { websites?: MarketplaceWebsite[] } = {}): void {
  answer(listWebsites, websites);
  answer(getFacets, { sizes: [], prices: [] });
  answer(
    getWebsite,
    ({ params: { ref } }) => websites.find((each) => isNamed(each, ref)) ?? refused(404, 'Website not found'),
  );
  answerInventory({ websites, zones, products });
  answer(getZoneAvailability, noAvailability);
  answer(getAudience, { topics: [], paths: [] });
  answer(getCalendar, { timezone: 'UTC', slots: null, nextFreeDay: null, days: [] });
}

/** The address of the wizard's last step, for the website, ad zone and price of `answerWizard`. */
export const contentPath = (adType: AdType = 'text'): string =>
  `/create-ad?website=${uuid(1)}&zone=${uuid(11)}&type=${adType}&option=21&step=3`;
