/** The calls of a publisher's results: what the ad zones bring, and what they could have brought. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { instant, money, pageQuery } from '../fields.ts';
import { PRICING_MODELS } from '../inventory/pricing.ts';
import { sellerRange } from './contract.ts';

const zoneNames = {
  /** Public id of the zone. */
  zone: z.string(),
  zoneName: z.string(),
  websiteName: z.string(),
};

const requested = z.object({ requests: z.number().int(), filled: z.number().int() });

export const listZoneYields = endpoint({
  method: 'GET',
  path: '/api/analytics/zones',
  summary:
    'What each of your own ad zones brought: requests, fill, viewability, and earnings per 1,000 views',
  query: sellerRange.extend(pageQuery.shape),
  reply: z.array(
    z.object({
      publicId: z.string(),
      name: z.string(),
      websitePublicId: z.string(),
      websiteName: z.string(),
      /** Valid ad requests, and those that a paid ad answered. */
      requests: z.number().int(),
      filled: z.number().int(),
      /** `filled` per request, such as 0.25; null without requests. */
      fill: z.number().nullable(),
      /** Rendered ads and those of them that became viewable, both gross, so with invalid traffic. */
      rendered: z.number().int(),
      viewable: z.number().int(),
      viewability: z.number().nullable(),
      /** Counted views. */
      impressions: z.number().int(),
      /** Your earnings, on the day of the delivery. */
      amount: money,
      /** Your earnings per 1,000 views; null without views. */
      cpm: money.nullable(),
      /** In as many days before. */
      before: requested,
      /** The range in at most 30 equal parts. */
      course: z.array(requested.extend({ views: z.number().int() })),
    }),
  ),
  paged: true,
});
export type ZoneYield = Reply<typeof listZoneYields>[number];

export const getReturned = endpoint({
  method: 'GET',
  path: '/api/analytics/advertisers',
  summary: 'How many advertisers bought in your own ad zones, and those who came back',
  reply: z.object({
    advertisers: z.number().int(),
    /** Those who bought again, a day later or more. Ads that were submitted together in a plan are one purchase. */
    returned: z.number().int(),
    /** At most the 50 whose last purchase is the newest. */
    list: z.array(
      z.object({
        /** The business, or else the person's name; null if they have stated neither. */
        name: z.string().nullable(),
        campaigns: z.number().int(),
        /** The times of the first and the last payment. */
        first: instant,
        last: instant,
        /** Your part of their payments, without refunds. */
        amount: money,
      }),
    ),
  }),
});
export type Returned = Reply<typeof getReturned>;

export const getHoursWithoutTag = endpoint({
  method: 'GET',
  path: '/api/analytics/hours-without-tag',
  summary:
    'Hours in which your own ad zones requested no ad although they usually do, and what they cost at most',
  query: sellerRange,
  reply: z.object({
    /** The sums of all silences. */
    hours: z.number().int(),
    requests: z.number().int(),
    cost: money,
    /** At most the newest hundred. */
    silences: z.array(
      z.object({
        ...zoneNames,
        from: instant,
        until: instant,
        hours: z.number().int(),
        /** The usual number of requests in these hours. */
        requests: z.number().int(),
        /** What ads by the view or click usually earn in these hours; 0.00 if none ran. */
        cost: money,
      }),
    ),
  }),
});
export type HoursWithoutTag = Reply<typeof getHoursWithoutTag>;

export const listPriceTrials = endpoint({
  method: 'GET',
  path: '/api/analytics/price-trials',
  summary:
    'What a higher price would have lost in your own ad zones, by the ads of the last 90 days, for the 100 zones with most ads',
  query: z.object({ zone: z.uuid().optional() }),
  reply: z.array(
    z.object({
      ...zoneNames,
      pricingModel: z.enum(PRICING_MODELS),
      /** The bought ads and your part of their prices. */
      ads: z.number().int(),
      amount: money,
      /** Empty if too few ads or advertisers are known. */
      trials: z.array(
        z.object({
          percent: z.number().int(),
          /** At least this many ads would have been bought, and at most all. */
          fewest: z.number().int(),
          least: money,
          most: money,
        }),
      ),
    }),
  ),
});
export type ZonePriceTrials = Reply<typeof listPriceTrials>[number];

export const listAgents = endpoint({
  method: 'GET',
  path: '/api/analytics/agents',
  summary:
    'What declared AI agents and automated browsers did in your own ad zones by days of UTC, the 50 names with most requests',
  query: sellerRange,
  reply: z.array(
    z.object({
      /** The host that it names as its operator, `unnamed` without one, its word in User-Agent, or `other` beyond 20 names a day. */
      name: z.string(),
      requests: z.number().int(),
      /** Reported, and never billed. */
      views: z.number().int(),
      clicks: z.number().int(),
    }),
  ),
});
export type AgentRow = Reply<typeof listAgents>[number];
