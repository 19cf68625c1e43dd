import { z } from 'zod';
import { ENDED_REASONS } from '../ads/ended.ts';
import { AD_STATUSES } from '../ads/status.ts';
import { AD_TYPES } from '../ads/types.ts';
import { REASONS } from '../delivery/reasons.ts';
import { endpoint, type Reply } from '../endpoint.ts';
import { id, instant, money, pageQuery, referenceParams } from '../fields.ts';
import { SIGNALS } from '../invalid-traffic/signals.ts';
import { STEPS } from './days.ts';
import { GROUPINGS } from './groupings.ts';

/**
 * The parts of a total, which is without refunds and lost disputes: earned or spent by delivery, and paid for but not
 * delivered yet. [FIG-02]
 */
const byDelivery = { delivered: money, notDelivered: money };

export const getEarnings = endpoint({
  method: 'GET',
  path: '/api/analytics/earnings',
  summary: 'Earnings from paid ads in your own ad zones; months are calendar months in UTC',
  reply: z.object({ totalEarnings: money, ...byDelivery, thisMonth: money }),
});

export const getSpending = endpoint({
  method: 'GET',
  path: '/api/analytics/spending',
  summary: 'Spending on your own paid ads, and what they delivered',
  reply: z.object({
    totalSpending: money,
    ...byDelivery,
    /** Paid in this calendar month, in UTC, without refunds. [OP-097] */
    thisMonth: money,
    totalImpressions: z.number().int(),
    totalClicks: z.number().int(),
    /** In this calendar month, in UTC. [OP-044] */
    impressionsThisMonth: z.number().int(),
    clicksThisMonth: z.number().int(),
  }),
});

export const getActiveZones = endpoint({
  method: 'GET',
  path: '/api/analytics/active-ad-zones',
  summary: 'The number of your active ad zones',
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
  /** Without refunds and lost disputes. The sum of the two parts. */
  earnings: money,
  ...byDelivery,
  status: z.enum(AD_STATUSES),
  /** Why the ad ended; null while it runs. */
  endedReason: z.enum(ENDED_REASONS).nullable(),
  /**
   * The part of the amount that goes or went back to the advertiser. `earnings` are already reduced by the publisher's
   * share of it.
   */
  refunded: money,
  /** The time of the payment. */
  date: instant,
});
export type Transaction = z.output<typeof transaction>;

export const listTransactions = endpoint({
  method: 'GET',
  path: '/api/analytics/transactions',
  summary: 'Paid ads in your own ad zones, newest payment first',
  query: pageQuery,
  reply: z.array(transaction),
  paged: true,
});

export const SIDES = ['buyer', 'seller'] as const;
export type Side = (typeof SIDES)[number];
/** No figure can lie outside these years. Very distant dates differ between calendar implementations. */
const day = z.iso
  .date()
  .refine((value) => value >= '2000-01-01' && value < '2200-01-01', 'Please choose days from 2000 to 2199');

/**
 * The side, the days and the filters of a report. Days are in the user's timezone, both included. A week or month that
 * begins before `from` or ends after `to` contains only the days of the range.
 */
export const range = z.object({
  side: z.enum(SIDES),
  from: day,
  to: day,
  /**
   * Public ids. An advertiser names their own ads and the ad zones and websites of these, a publisher their own
   * websites and ad zones and the ads there.
   */
  campaign: z.uuid().optional(),
  zone: z.uuid().optional(),
  website: z.uuid().optional(),
});

/** The days and the filters of a report that only publishers have. */
export const sellerRange = range.omit({ side: true, campaign: true });

/**
 * When the days of the figures begin in the timezone. Delivery is counted by the hour of UTC, so it is '00:00', or '00:30' or
 * '00:45' where clocks differ from UTC by a part of an hour.
 */
export const dayStart = z.string().regex(/^00:[0-5]\d$/);

const figures = z.object({
  impressions: z.number().int(),
  clicks: z.number().int(),
  /** Spent by the advertiser or earned by the publisher, on the day of the delivery. Negative where more was taken back. */
  amount: money,
  /** The same side's part of the payments, on the day of the payment, without refunds. */
  paid: money,
  /** The amount per 1,000 impressions; null without impressions. */
  cpm: money.nullable(),
  /** The amount per click; null without clicks. */
  cpc: money.nullable(),
  /** Clicks per impression, such as 0.025; null without impressions. */
  ctr: z.number().nullable(),
});
export type Figures = z.output<typeof figures>;

export const bucket = figures.extend({
  /** The first day of the bucket, such as a week's Monday, even if the range begins later. */
  start: z.iso.date(),
});
export type Bucket = z.output<typeof bucket>;

export const getSeries = endpoint({
  method: 'GET',
  path: '/api/analytics/series',
  summary: 'Impressions, clicks and money per day, week or month of your own timezone, including empty ones',
  query: range.extend({ step: z.enum(STEPS) }),
  reply: z.object({
    timezone: z.string(),
    dayStart,
    /** The sums of the buckets. */
    totals: figures,
    /** The same number of days before the range. */
    previous: figures,
    buckets: z.array(bucket),
  }),
});

const reported = z.object({
  /** Billed, and shown everywhere else as impressions or clicks. */
  counted: z.number().int(),
  /** Uncounted reports by reason, in the order of REASONS. Reasons with a count of 0 are left out. */
  uncounted: z.array(z.object({ reason: z.enum(REASONS), count: z.number().int() })),
});
export type Reported = z.output<typeof reported>;

const counting = z.object({
  /** How often the ad was selected for a page. */
  decisions: z.number().int(),
  /** How often it was then rendered. */
  rendered: z.number().int(),
  /** Reported viewable impressions. Counted and uncounted together are the gross count. */
  views: reported,
  clicks: reported,
  /** Clicks of ads whose advertiser measures landings, and those of them that landed. */
  landings: z.object({ clicks: z.number().int(), landings: z.number().int() }),
});

export const countingBucket = counting.extend({ start: z.iso.date() });
export type CountingBucket = z.output<typeof countingBucket>;

export const getCounting = endpoint({
  method: 'GET',
  path: '/api/analytics/counting',
  summary:
    'Reported views and clicks of your own ads, or in your own ad zones: those counted, and the others by reason',
  query: range.extend({ step: z.enum(STEPS) }),
  reply: z.object({ timezone: z.string(), dayStart, buckets: z.array(countingBucket) }),
});

export const unusualHour = z.object({
  /** Public id of the zone. */
  zone: z.string(),
  zoneName: z.string(),
  websiteName: z.string(),
  /** The start of the hour. */
  hour: instant,
  views: z.number().int(),
  clicks: z.number().int(),
  /** Counted in the four weeks before. */
  before: z.object({ views: z.number().int(), clicks: z.number().int() }),
});
export type UnusualHour = z.output<typeof unusualHour>;

export const listUnusualHours = endpoint({
  method: 'GET',
  path: '/api/analytics/unusual-hours',
  summary: 'Hours in which the click-through rate of your own ad zones was unusual, newest first',
  query: sellerRange,
  reply: z.array(unusualHour),
});

export const withdrawal = z.object({
  id,
  /** Public id of the zone. */
  zone: z.string(),
  zoneName: z.string(),
  websiteName: z.string(),
  /** The compared hours: from the start of the first one to the end of the last one. */
  from: instant,
  until: instant,
  madeAt: instant,
  /** Withdrawn from the user's own ads, or from the ads in their own zones. */
  views: z.number().int(),
  clicks: z.number().int(),
  /** The signals that exceeded their bounds. */
  signals: z.array(z.object({ signal: z.enum(SIGNALS), value: z.number(), bound: z.number() })),
  /** When and why the operator overruled the withdrawal, or null. */
  overruled: z.object({ at: instant, reason: z.string() }).nullable(),
});
export type Withdrawal = z.output<typeof withdrawal>;

export const listWithdrawals = endpoint({
  method: 'GET',
  path: '/api/analytics/withdrawals',
  summary:
    'Counted views and clicks that were withdrawn as invalid traffic, with the hours and the reasons, newest first',
  query: range.extend(pageQuery.shape),
  reply: z.array(withdrawal),
  paged: true,
});

export const breakdownRow = figures.extend({
  publicId: z.string(),
  name: z.string(),
  /** A campaign's website and zone, or a zone's website. */
  place: z.string().nullable(),
  /** A campaign's creative; null for zones and websites. */
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
  summary: 'Impressions, clicks and money per campaign, ad zone or website, most impressions first',
  query: range.extend({ by: z.enum(GROUPINGS), ...pageQuery.shape }),
  reply: z.array(breakdownRow),
  paged: true,
});

export const getAdTimes = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/times',
  summary:
    'When one of your own ads was viewed and clicked, by hour of the day, and its conversions by day, in your timezone',
  params: referenceParams,
  reply: z.object({
    timezone: z.string(),
    /** The hours of the day with a view or a click, in order. */
    hours: z.array(
      z.object({
        hour: z.number().int().min(0).max(23),
        impressions: z.number().int(),
        clicks: z.number().int(),
      }),
    ),
    /** The days with a conversion, in order. */
    conversions: z.array(z.object({ day: z.iso.date(), count: z.number().int() })),
  }),
});
export type AdTimes = Reply<typeof getAdTimes>;
