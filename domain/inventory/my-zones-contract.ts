import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { id, instant, money, pageQuery, referenceParams } from '../fields.ts';
import { COMPARED_MODELS, SIMILARITIES } from './similar-prices.ts';

export const listZoneSales = endpoint({
  method: 'GET',
  path: '/api/ad-zones/overview',
  summary: 'Your own ad zones by website, each with the paid ads that run in it',
  query: pageQuery,
  reply: z.array(
    z.object({
      id,
      publicId: z.string(),
      websitePublicId: z.string(),
      /** The number of paid ads that have not ended. 0: the zone is free. */
      running: z.number().int(),
      /** The latest two of them. */
      ads: z.array(
        z.object({
          publicId: z.string(),
          title: z.string(),
          /** The advertiser's business, or else their name; null if they have stated neither. */
          advertiser: z.string().nullable(),
          /** Null for an ad that is bought by views or clicks. */
          endDate: instant.nullable(),
        }),
      ),
    }),
  ),
  paged: true,
});
export type ZoneSales = Reply<typeof listZoneSales>[number];

export const getPriceSuggestion = endpoint({
  method: 'GET',
  path: '/api/ad-zones/:ref/price-suggestion',
  summary:
    'What similar ad zones of other publishers ask and get, for one of your own ad zones, and the commission on your next sales',
  params: referenceParams,
  reply: z.object({
    /** The marketplace's share of your sales, in percent. */
    commissionPercent: z.number(),
    /** Empty if too few of them have a price. */
    similar: z.array(
      z.object({
        model: z.enum(COMPARED_MODELS),
        similarity: z.enum(SIMILARITIES),
        zones: z.number().int(),
        publishers: z.number().int(),
        /** The price of a day, or of 1,000 views: half of the publishers ask between `low` and `high`. */
        low: money,
        high: money,
        median: money,
        /** The median of the last sales; null if there are too few of them. */
        paid: money.nullable(),
      }),
    ),
  }),
});
export type PriceSuggestion = Reply<typeof getPriceSuggestion>;
