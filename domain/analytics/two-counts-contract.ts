/** The page views of a website by its own analytics, and the comparison with our counts. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { okReply, referenceParams } from '../fields.ts';
import { dayStart, range } from './contract.ts';
import { FIRST_DAY, MAX_DAYS, MAX_PAGE_VIEWS, NO_DAYS, TOO_MANY_DAYS } from './page-views.ts';

const DATE = `Send each date as a day from ${FIRST_DAY}, like 2026-11-27`;
const VIEWS = `Send pageViews as a whole number from 0 to ${MAX_PAGE_VIEWS}`;

const dayViews = z.object({
  date: z.iso.date(DATE).refine((date) => date >= FIRST_DAY, DATE),
  pageViews: z.number(VIEWS).int(VIEWS).min(0, VIEWS).max(MAX_PAGE_VIEWS, VIEWS),
});

export const storePageViews = endpoint({
  method: 'PUT',
  path: '/api/websites/:ref/page-views',
  summary:
    'Stores the page views per day that your own analytics counted on one of your websites; days that were stored before are replaced, other days stay',
  params: referenceParams,
  body: z.object({
    days: z
      .array(dayViews)
      .min(1, NO_DAYS)
      .max(MAX_DAYS, TOO_MANY_DAYS)
      .refine(
        (days) => new Set(days.map(({ date }) => date)).size === days.length,
        'Send each date only once',
      ),
  }),
  reply: z.object({
    /** All stored days of the website. */
    days: z.number().int(),
    from: z.iso.date(),
    to: z.iso.date(),
  }),
});

export const deletePageViews = endpoint({
  method: 'DELETE',
  path: '/api/websites/:ref/page-views',
  summary: 'Deletes the page views that you stored for one of your websites',
  params: referenceParams,
  reply: okReply,
});

export const getTwoCounts = endpoint({
  method: 'GET',
  path: '/api/analytics/two-counts',
  summary: 'Our counts of one of your websites beside the page views of its own analytics',
  query: range.pick({ from: true, to: true }).extend({ website: z.uuid() }),
  reply: z.object({
    timezone: z.string(),
    dayStart,
    /** The ad zone with the most ad requests in the range, with which the page views are compared; null without any. */
    zoneName: z.string().nullable(),
    days: z.array(
      z.object({
        date: z.iso.date(),
        /** Null for a day that is not stored. */
        pageViews: z.number().int().nullable(),
        /** Valid ad requests of the ad zone. */
        requests: z.number().int(),
      }),
    ),
    /** Measured clicks on the website's ads, and those of them that the advertisers' pages reported as landings. */
    landings: z.object({ clicks: z.number().int(), landings: z.number().int() }),
    /** Whether any day is stored, also outside the range. */
    hasPageViews: z.boolean(),
  }),
});
export type TwoCounts = Reply<typeof getTwoCounts>;
