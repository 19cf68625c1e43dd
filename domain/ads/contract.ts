import { z } from 'zod';
import { ZONE_LOOKS } from '../delivery/ad-style.ts';
import { forecast } from '../delivery/forecast-fields.ts';
import { endpoint, type Reply } from '../endpoint.ts';
import {
  bodyReference,
  id,
  instant,
  MAX_ID,
  money,
  pageQuery,
  referenceParams,
  webAddress,
} from '../fields.ts';
import { PRICING_MODELS } from '../inventory/pricing.ts';
import { quantity } from '../inventory/quantity-fields.ts';
import { IMAGE_PATH } from '../media/limits.ts';
import { publicAddress } from '../public-host.ts';
import { shownTargeting, targeting, targetingQuery } from '../targeting/fields.ts';
import { day } from './booking-contract.ts';
import { CAMPAIGN_LISTS, MAX_CAMPAIGN_SEARCH } from './campaign-lists.ts';
import { DESCRIPTION_MAX, TITLE_MAX } from './content.ts';
import { ENDED_REASONS, PAUSES } from './ended.ts';
import { CONSENT_AD_STATES } from '../payments/consents.ts';
import { REFUND_STATUSES } from '../payments/refund-status.ts';
import { AD_STATUSES } from './status.ts';
import { targetFields } from './target-check.ts';
import { AD_TYPES } from './types.ts';

export const title = z
  .string('Title is required')
  .trim()
  .min(1, 'Title is required')
  .max(TITLE_MAX, `Title must be less than ${TITLE_MAX} characters`);

export const description = z
  .string('Description is required')
  .trim()
  .min(1, 'Description is required')
  .max(DESCRIPTION_MAX, `Description must be less than ${DESCRIPTION_MAX} characters`);

/** Where a click leads: a public address, stored in ASCII. [DEST-01] */
export const targetUrl = publicAddress();

export const REASON_REQUIRED = 'Please provide a reason for rejection';

const PRODUCT_REQUIRED = 'Name a pricing option of this ad zone by its number, such as ?product=12';

const absent = z.union([z.literal(''), z.null()]).transform(() => null);
// Members and union get the same message, because forms show a member's message and the API shows the union's.
const NO_IMAGE = 'Please enter a valid URL';
const NO_VIDEO = 'Please upload your video as an MP4 file';
/** An own upload. A video's thumbnail may also be an address elsewhere, which the server copies. [OP-055] */
export const imageUrl = z
  .union([z.string().regex(IMAGE_PATH, NO_IMAGE), webAddress(NO_IMAGE), absent], NO_IMAGE)
  .optional();
/** An own upload. A video elsewhere could change after the approval. [OP-055] */
export const videoUrl = z.union([z.string().regex(IMAGE_PATH, NO_VIDEO), absent], NO_VIDEO).optional();

export const ad = z.object({
  id,
  publicId: z.string(),
  /** The advertiser. */
  userId: id,
  adZoneId: id,
  productId: id.nullable(),
  /** The public id of the plan that the ad was submitted with; null for a single ad. */
  plan: z.string().nullable(),
  /** The name of that plan. Null without one, and for everybody but the advertiser. */
  planName: z.string().nullable(),
  adType: z.enum(AD_TYPES),
  title: z.string(),
  description: z.string(),
  targetUrl: z.string(),
  ...targetFields,
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  /** Where and to whom it is shown; null: everybody. */
  targeting: shownTargeting,
  status: z.enum(AD_STATUSES),
  /** The number of the submission, from 1. Each resubmission and correction has a new one. */
  version: z.number().int(),
  rejectionReason: z.string().nullable(),
  /** When the advertiser withdrew the ad; null otherwise. */
  withdrawnAt: instant.nullable(),
  /** When the ad is rejected if the publisher has not answered; null unless it is pending. */
  answerDueAt: instant.nullable(),
  /** How many hours the publisher of the website usually takes to answer; null before three answers, or unless the ad is pending. */
  usualAnswerHours: z.number().int().nullable(),
  /** Why the operator took the ad down; null otherwise. [DEL-64] */
  takenDownReason: z.string().nullable(),
  /** Why the operator suspended the ad itself; null otherwise. */
  suspendedReason: z.string().nullable(),
  /** Whether the operator suspended the ad, its zone, its website, or the person behind any of them. */
  isSuspended: z.boolean(),
  /** How many units of the pricing option were bought. The price of one is `unitPrice`. */
  quantity: z.number().int(),
  unitPrice: money,
  /** Of the whole quantity, like the plan. */
  totalAmount: money,
  /** The fee: of the price, and of the net amount once a price with tax was paid (`TAX_SPLIT`). */
  commissionAmount: money,
  /** The marketplace's share of the price, fixed at the submission: 15, or 7.5. */
  commissionPercent: z.number(),
  pricingModel: z.enum(PRICING_MODELS),
  duration: z.number().int().nullable(),
  /** The bought quotas. [OP-060] */
  impressions: z.number().int().nullable(),
  clicks: z.number().int().nullable(),
  /** Counted so far. */
  totalImpressions: z.number().int(),
  totalClicks: z.number().int(),
  /** With a chosen start, that day's 00:00 UTC from the submission on; otherwise null until the payment. */
  startDate: instant.nullable(),
  endDate: instant.nullable(),
  /** Until when an approved ad holds its slots. It is rejected then unless it is paid. Null if it holds none. */
  payBy: instant.nullable(),
  /** When the zone's current pause began for this ad. A per-day ad is extended by the length of the pause. [DEL-44] */
  pausedAt: instant.nullable(),
  /**
   * Why the live ad is not served now; null if it is. `zone`: the publisher paused the ad zone or hid its website.
   */
  paused: z.enum(PAUSES).nullable(),
  /**
   * Since when its advertiser has paused the live ad, and when it resumes by itself; null: when they resume it. For both sides,
   * also beside a cause that weighs more in `paused`.
   */
  advertiserPause: z.object({ since: instant, until: instant.nullable() }).nullable(),
  /** Why the ad ended; null while it runs or before. */
  endedReason: z.enum(ENDED_REASONS).nullable(),
  /** All refunds of the ad together, with the state of the least advanced one; null if there is none. */
  refund: z.object({ amount: money, status: z.enum(REFUND_STATUSES) }).nullable(),
  /**
   * The latest silent days in a row: without the counted views that a day of this ad needs, or, under the traffic rules
   * of development, without a valid ad request. A per-day ad is extended by each of them. [DEL-45]
   */
  silentDays: z.number().int(),
  /** The counted views that a day of this ad needs, from its submission on. Null if its days need none. */
  minDayViews: z.number().int().nullable(),
  /** "Pay when approved": the card that is charged on approval. Null without one, and for everybody but the advertiser. */
  consent: z.object({ id, state: z.enum(CONSENT_AD_STATES), last4: z.string(), limit: money }).nullable(),
  createdAt: instant,
  updatedAt: instant,
  websitePublicId: z.string(),
  websiteName: z.string(),
  websiteUrl: z.string(),
  websiteIsVerified: z.boolean(),
  adZonePublicId: z.string(),
  adZoneName: z.string(),
  adZoneDescription: z.string(),
  adZoneWidth: z.number().int(),
  adZoneHeight: z.number().int(),
  /** How the zone styles its ads (domain/delivery/ad-style.ts). */
  adZoneLook: z.enum(ZONE_LOOKS),
  adZoneAccent: z.string().nullable(),
});
export type Ad = z.output<typeof ad>;

/** The facts about an advertiser that a publisher sees before they decide. Never the e-mail address. */
const advertiser = z.object({
  /** First and last name; null if the advertiser has stated none. */
  name: z.string().nullable(),
  businessName: z.string().nullable(),
  /** When the account was created. */
  since: instant,
  /** Ads that were paid for, on any website. */
  adsRun: z.number().int(),
  /** Ads whose latest version was rejected, on any website. */
  adsRejected: z.number().int(),
});
export type Advertiser = z.output<typeof advertiser>;

const submission = ad.extend({
  advertiser,
  /** The first creative of the campaign, if this is a second one that is shown in turn with it; otherwise null. */
  variantOf: ad
    .pick({ publicId: true, title: true, description: true, targetUrl: true, imageUrl: true, videoUrl: true })
    .nullable(),
});
export type Submission = z.output<typeof submission>;

export const createAd = endpoint({
  method: 'POST',
  path: '/api/ads',
  summary: 'Submit an ad for approval; the server sets price and status and ignores them in the body',
  body: z.object({
    adZoneId: bodyReference,
    productId: id,
    adType: z.enum(AD_TYPES, 'Please choose an ad type'),
    title,
    description,
    targetUrl,
    imageUrl,
    videoUrl,
    targeting,
    /** How many units of the option; one if absent. */
    quantity: quantity.optional(),
    /** The total that the advertiser was shown, such as '25.00'. If the option costs something else now, the answer is 409. */
    expectedPrice: money.optional(),
    /** The views that a day needs, as the advertiser was shown. If it would need fewer now, the answer is 409. */
    expectedDayViews: z.number().int().min(1).optional(),
    /** The day (UTC) on which the ad starts, from today to 180 days ahead. Without it, the ad starts when it is paid. */
    startDate: day.nullish(),
    totalAmount: z.unknown().optional(),
    status: z.unknown().optional(),
  }),
  reply: ad,
  status: 201,
});

export const listMyAds = endpoint({
  method: 'GET',
  path: '/api/ads/my',
  summary: 'Your own ads, newest first',
  query: pageQuery.extend({
    /** Only the ads of this list. */
    list: z.enum(CAMPAIGN_LISTS).optional(),
    /** A part of the title, or of the name of the website, the ad zone or the plan. */
    search: z.string().trim().max(MAX_CAMPAIGN_SEARCH).optional(),
  }),
  reply: z.array(ad),
  paged: true,
});

const adCount = z.number().int();
export const countMyAds = endpoint({
  method: 'GET',
  path: '/api/ads/my/counts',
  summary: 'How many of your own ads there are: all, those of status active, and those of each list',
  reply: z.object({ all: adCount, active: adCount, live: adCount, waiting: adCount, ended: adCount }),
});
export type AdCounts = Reply<typeof countMyAds>;

export const listPendingAds = endpoint({
  method: 'GET',
  path: '/api/ads/pending',
  summary: 'Pending ads in your own ad zones, oldest first, with their advertisers',
  query: pageQuery,
  reply: z.array(submission),
  paged: true,
});

export const getAdDetails = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/details',
  summary: 'An ad, for its advertiser or for the publisher who reviews it',
  params: referenceParams,
  reply: submission,
});

export const getAd = endpoint({
  method: 'GET',
  path: '/api/ads/:ref',
  summary: 'One of your own ads, for the checkout',
  params: referenceParams,
  reply: ad,
});

/** An ad zone on another website that an advertiser could book instead. */
export const similarZone = z.object({
  zonePublicId: z.string(),
  websitePublicId: z.string(),
  zoneName: z.string(),
  websiteName: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  /** Its lowest price for this type of ad. */
  price: money,
});
export type SimilarZone = z.output<typeof similarZone>;

export const getSimilarZones = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/similar-zones',
  summary:
    'At most three ad zones on other websites that could show one of your own ads: of the same category and type, those of the same size first, then the cheapest',
  params: referenceParams,
  reply: z.array(similarZone),
});

/** The views of a zone, and the part of them that one more ad can expect beside the ads that run there. */
export const availability = forecast.extend({
  /** The ad's expected part of the likely views. */
  yoursPerDay: z.number().int(),
  /** The number of other ads that share the zone. Ads that are suspended, disputed or paused do not. */
  sharedWith: z.number().int(),
  /** The price of 1,000 views. Expected for an ad per day; null for an ad per click, or if no view is expected. */
  costPerThousand: money.nullable(),
  /** The price of a click; null unless the ad is paid per click. */
  costPerClick: money.nullable(),
  quantity: z.number().int(),
  unitPrice: money,
  total: money,
  /** Expected days until all of it is delivered; null if that is not expected at all. */
  expectedDays: z.number().int().nullable(),
  /** When the ad ends at the latest, unless a pause or a silent day moves it. */
  endsBy: instant,
  /** The refund that the forecast expects at `endsBy`. */
  expectedRefund: money,
  /** Whether all of it is expected to be delivered by `endsBy`. */
  finishes: z.boolean(),
  /**
   * Whether limits of the ad or exclusions of the zone make fewer views than `viewsPerDay` and `yoursPerDay`. For limits of
   * the ad, `limited` says how many.
   */
  isLimited: z.boolean(),
  /**
   * The views a day that the ad can expect within its limits (`likely`), of those that it would get without (`of`). Costs, days
   * and refund follow them. Null without limits, and as long as too few visitors of the zone were measured.
   */
  limited: z.object({ likely: z.number().int(), of: z.number().int() }).nullable(),
  /**
   * The counted views that a day of a per-day ad needs. A day with fewer is not paid for, and the ad runs a day longer. Null
   * for other pricing models, and under the traffic rules of development.
   */
  minDayViews: z.number().int().nullable(),
});
export type Availability = z.output<typeof availability>;

export const getZoneAvailability = endpoint({
  method: 'GET',
  path: '/api/ad-zones/:ref/availability',
  summary: 'Expected views per day of an ad zone, and what a pricing option would get of them',
  params: referenceParams,
  query: z.object({
    /** The id of one of the zone's pricing options. */
    product: z
      .string(PRODUCT_REQUIRED)
      .regex(/^[1-9]\d{0,9}$/, PRODUCT_REQUIRED)
      .transform(Number),
    quantity: z
      .string()
      .regex(/^[1-9]\d{0,4}$/, 'A quantity must be a whole number')
      .transform(Number)
      .optional(),
    /** The first day, such as '2026-12-01'; today if absent. */
    startDate: z.iso.date('Enter a day such as 2026-12-01').optional(),
    /** The limits of the ad as JSON, as in its submission. */
    targeting: targetingQuery.optional(),
  }),
  reply: availability,
});

export const getAudience = endpoint({
  method: 'GET',
  path: '/api/ad-zones/:ref/audience',
  summary: 'The topics and pages that enough visitors of an ad zone came from, the most frequent first',
  params: referenceParams,
  reply: z.object({ topics: z.array(z.string()), paths: z.array(z.string()) }),
});
export type ZoneAudience = Reply<typeof getAudience>;

export const getAvailability = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/availability',
  summary:
    'Expected views per day of one of your own ads, or of one that you review, given the other ads in its zone',
  params: referenceParams,
  reply: availability.extend({
    /** Expected days until a quota is delivered; null for a per-day ad. */
    days: z.number().int().nullable(),
  }),
});
export type AdAvailability = Reply<typeof getAvailability>;

const adDay = z.object({
  beganAt: instant,
  /** Null for the present day. */
  endedAt: instant.nullable(),
  /** Counted views, without withdrawn ones. */
  views: z.number().int(),
  /** The views that the day needs. */
  minViews: z.number().int(),
  /** Null for the present day. */
  isSilent: z.boolean().nullable(),
});
export type AdDay = z.output<typeof adDay>;

/** The latest days of a per-day ad that is judged by its views, the newest first; none for other ads. */
export const getAdDays = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/days',
  summary: 'The days of a per-day ad with their counted views, for its advertiser and its publisher',
  params: referenceParams,
  reply: z.object({ days: z.array(adDay) }),
});

/** The version that the publisher saw. Without it, the decision is about the current one. */
const seenVersion = z.number().int().min(1).max(MAX_ID).optional();

export const approveAd = endpoint({
  method: 'PUT',
  path: '/api/ads/:ref/approve',
  summary: 'Approve a pending ad in one of your own ad zones; 409 if it is no longer the given version',
  params: referenceParams,
  body: z.object({
    version: seenVersion,
    /** Also approves later ads of this advertiser for the same host on this website when they are submitted. */
    trust: z.boolean().optional(),
  }),
  reply: ad,
});

export const rejectAd = endpoint({
  method: 'PUT',
  path: '/api/ads/:ref/reject',
  summary:
    'Reject a pending ad in one of your own ad zones, with a reason; 409 if it is no longer the given version',
  params: referenceParams,
  body: z.object({
    rejectionReason: z.string(REASON_REQUIRED).trim().min(1, REASON_REQUIRED).max(1000),
    version: seenVersion,
  }),
  reply: ad,
});

/** The parts of an ad that its advertiser may change until it is approved. */
const content = z.object({ title, description, targetUrl, imageUrl, videoUrl, targeting });

export const resubmitAd = endpoint({
  method: 'PUT',
  path: '/api/ads/:ref',
  summary: 'Change one of your own rejected ads and submit it again',
  params: referenceParams,
  body: content.extend({
    /** Another start (UTC). Without it, an ad by the day keeps its start, or takes the next one that is free. */
    startDate: day.nullish(),
  }),
  reply: ad,
});

export const correctAd = endpoint({
  method: 'PATCH',
  path: '/api/ads/:ref',
  summary:
    'Correct one of your own pending ads; it is a new version, and an approval of the one before is 409',
  params: referenceParams,
  body: content.partial(),
  reply: ad,
});

export const withdrawAd = endpoint({
  method: 'POST',
  path: '/api/ads/:ref/withdraw',
  summary: 'Take one of your own ads back before it is paid; 409 once it was paid or rejected',
  params: referenceParams,
  reply: ad,
});

const HOST_REQUIRED = 'Please name the host that you accept';

export const confirmTarget = endpoint({
  method: 'PUT',
  path: '/api/ads/:ref/target/confirm',
  summary:
    'Accept the host that the target of an ad in one of your own ad zones leads to now, and show the ad again; 409 if it is another host',
  params: referenceParams,
  /** `to` of the ad's `targetPause`, as the publisher saw it. */
  body: z.object({ host: z.string(HOST_REQUIRED).min(1, HOST_REQUIRED).max(300, HOST_REQUIRED) }),
  reply: ad,
});

export const refuseTarget = endpoint({
  method: 'PUT',
  path: '/api/ads/:ref/target/refuse',
  summary:
    'End an ad in one of your own ad zones that is paused because of its target; the undelivered part is refunded',
  params: referenceParams,
  reply: ad,
});
