import { z } from 'zod';
import { AD_STATUSES } from '../ads/status.ts';
import { AD_TYPES } from '../ads/types.ts';
import { REASONS } from '../delivery/reasons.ts';
import { endpoint } from '../endpoint.ts';
import { id, instant, money, pageQuery } from '../fields.ts';

export const getEarnings = endpoint({
  method: 'GET',
  path: '/api/analytics/earnings',
  summary: "Earnings from paid ads on one's own zones; months are calendar months in UTC (OP-097)",
  reply: z.object({ totalEarnings: money, thisMonth: money }),
});

export const getSpending = endpoint({
  method: 'GET',
  path: '/api/analytics/spending',
  summary: "Spending on one's own paid ads and what they delivered",
  reply: z.object({
    totalSpending: money,
    thisMonth: money,
    totalImpressions: z.number().int(),
    totalClicks: z.number().int(),
    /** This calendar month in UTC (OP-044). */
    impressionsThisMonth: z.number().int(),
    clicksThisMonth: z.number().int(),
  }),
});

export const getActiveZones = endpoint({
  method: 'GET',
  path: '/api/analytics/active-ad-zones',
  summary: "How many of one's own zones are active",
  reply: z.object({ count: z.number().int() }),
});

export const transaction = z.object({
  id,
  adType: z.enum(AD_TYPES),
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  title: z.string(),
  adZoneName: z.string(),
  websiteName: z.string(),
  advertiserEmail: z.string(),
  amount: money,
  earnings: money,
  status: z.enum(AD_STATUSES),
  /** When it was paid. */
  date: instant,
});
export type Transaction = z.output<typeof transaction>;

export const listTransactions = endpoint({
  method: 'GET',
  path: '/api/analytics/transactions',
  summary: "Paid ads on one's own zones, newest first",
  query: pageQuery,
  reply: z.array(transaction),
  paged: true,
});

export const SIDES = ['buyer', 'seller'] as const;
export type Side = (typeof SIDES)[number];
export const STEPS = ['day', 'week', 'month'] as const;
export type Step = (typeof STEPS)[number];

/** More buckets than these in one series are refused. */
export const MAX_BUCKETS = 400;

/** Years without which no figure can be; beyond them no calendar agrees with another. */
const day = z.iso
  .date()
  .refine((value) => value >= '2000-01-01' && value < '2200-01-01', 'Please choose days from 2000 to 2199');

/**
 * Whose figures, of which days, and of what only. Days are those of the caller's own timezone, both included; a week
 * or month that begins before `from` or ends after `to` holds the days of the range only.
 */
const range = z.object({
  side: z.enum(SIDES),
  from: day,
  to: day,
  /** Public ids; one's own ads or sites bought on as a buyer, one's own sites and what runs there as a seller. */
  campaign: z.uuid().optional(),
  zone: z.uuid().optional(),
  website: z.uuid().optional(),
});

const figures = z.object({
  impressions: z.number().int(),
  clicks: z.number().int(),
  /** Spent (buyer) or earned (seller), by the day of the payment, less what was given back of it. */
  amount: money,
});

export const bucket = figures.extend({
  /** The first day of the bucket: a week's Monday, a month's first, also when the range begins later. */
  start: z.iso.date(),
});
export type Bucket = z.output<typeof bucket>;

export const getSeries = endpoint({
  method: 'GET',
  path: '/api/analytics/series',
  summary:
    'Impressions, clicks and money per day, week or month of one’s own timezone; empty buckets included',
  query: range.extend({ step: z.enum(STEPS) }),
  reply: z.object({ timezone: z.string(), buckets: z.array(bucket) }),
});

const reported = z.object({
  /** Billed, and shown everywhere else as impressions or clicks. */
  counted: z.number().int(),
  /** Why the others were not, in the order of REASONS; none that never happened. */
  uncounted: z.array(z.object({ reason: z.enum(REASONS), count: z.number().int() })),
});
export type Reported = z.output<typeof reported>;

const counting = z.object({
  /** How often the ad was chosen for a page. */
  decisions: z.number().int(),
  /** How often it was then drawn. */
  rendered: z.number().int(),
  /** Reports of a viewable impression; counted and uncounted together are gross. */
  views: reported,
  clicks: reported,
});

export const countingBucket = counting.extend({ start: z.iso.date() });
export type CountingBucket = z.output<typeof countingBucket>;

export const getCounting = endpoint({
  method: 'GET',
  path: '/api/analytics/counting',
  summary: 'What was reported of one’s own ads, or on one’s own zones, and why what was not counted was not',
  query: range.extend({ step: z.enum(STEPS) }),
  reply: z.object({ timezone: z.string(), buckets: z.array(countingBucket) }),
});

export const unusualHour = z.object({
  /** Public id of the zone. */
  zone: z.string(),
  zoneName: z.string(),
  websiteName: z.string(),
  /** When the hour began. */
  hour: instant,
  views: z.number().int(),
  clicks: z.number().int(),
  /** What was counted in the weeks before. */
  before: z.object({ views: z.number().int(), clicks: z.number().int() }),
});
export type UnusualHour = z.output<typeof unusualHour>;

export const listUnusualHours = endpoint({
  method: 'GET',
  path: '/api/analytics/unusual-hours',
  summary: 'Hours in which the click-through rate of one’s own zones was far from usual, newest first',
  query: range.omit({ side: true, campaign: true }),
  reply: z.array(unusualHour),
});

export const GROUPINGS = ['campaign', 'zone', 'website'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const breakdownRow = figures.extend({
  publicId: z.string(),
  name: z.string(),
  /** Where it is: a campaign's website and zone, a zone's website. */
  place: z.string().nullable(),
  /** What a campaign shows; null for zones and websites. */
  creative: z
    .object({
      adType: z.enum(AD_TYPES),
      imageUrl: z.string().nullable(),
      videoUrl: z.string().nullable(),
      status: z.enum(AD_STATUSES),
    })
    .nullable(),
});
export type BreakdownRow = z.output<typeof breakdownRow>;

export const getBreakdown = endpoint({
  method: 'GET',
  path: '/api/analytics/breakdown',
  summary: 'The same figures per campaign, zone or website, most seen first',
  query: range.extend({ by: z.enum(GROUPINGS), ...pageQuery.shape }),
  reply: z.array(breakdownRow),
  paged: true,
});
