/** Plans: several ads that an advertiser submits together, with one creative. docs/decisions/069-booked-days.md says why. */
import { z } from 'zod';
import { ad, description, imageUrl, targetUrl, title, videoUrl } from '../ads/contract.ts';
import { AD_TYPES } from '../ads/types.ts';
import { day } from '../ads/booking-contract.ts';
import { endpoint } from '../endpoint.ts';
import type { ErrorReason } from '../error-reasons.ts';
import { bodyReference, id, money, pageQuery, referenceParams } from '../fields.ts';
import { adZone, product, website } from '../inventory/contract.ts';
import { quantity } from '../inventory/quantity-fields.ts';
import { targeting, targetingQuery } from '../targeting/fields.ts';
import { MAX_PLACEMENTS, PLAN_NAME_MAX, TOO_MANY_PLACEMENTS } from './limits.ts';

const NAME_REQUIRED = 'Name the plan';
const PLACEMENT_REQUIRED = 'Choose at least one ad zone';

/** The part that all ads of a plan have in common. The rules of each field are those of a single ad. */
const creative = z.object({
  adType: z.enum(AD_TYPES, 'Please choose an ad type'),
  title,
  description,
  targetUrl,
  imageUrl,
  videoUrl,
});

/** Where and how an ad of a plan runs. The rules of each field are those of a single ad. */
const placement = z.object({
  adZoneId: bodyReference,
  productId: id,
  quantity: quantity.optional(),
  /** The day (UTC) on which the ad starts; without it, the ad starts when it is paid. */
  startDate: day.nullish(),
  /** Replaces the image of the creative, for an ad zone of another shape. */
  imageUrl,
  targeting,
  expectedPrice: money.optional(),
});
export type Placement = z.output<typeof placement>;

/** Why a placement was refused. `index` counts from 0. `reason` is null if the rule has none. */
export type PlacementFault = { index: number; message: string; reason: ErrorReason | null };

const head = { publicId: z.string(), name: z.string(), total: money };

const moneyFields = {
  /** Charged to the advertiser's card. paid = delivered + notDelivered + refunded, unless a dispute was lost. */
  paid: money,
  /** The value of what was delivered so far. */
  delivered: money,
  /** Paid, and neither delivered nor refunded yet. */
  notDelivered: money,
  /** All refunds, those on their way included. */
  refunded: money,
};

/** An ad of a plan with its part of the plan's sums. Each is 0.00 until the ad was paid. */
const planAd = ad.extend(moneyFields);
export type PlanAd = z.output<typeof planAd>;

export const plan = z.object({
  ...head,
  ...moneyFields,
  /** Counted so far. */
  impressions: z.number().int(),
  clicks: z.number().int(),
  /** `delivered` per 1,000 impressions; null without impressions. */
  cpm: money.nullable(),
  /** `delivered` per click; null without clicks. */
  cpc: money.nullable(),
  /** The card that is charged when ads of the plan are approved; null without one. */
  consent: ad.shape.consent,
  ads: z.array(planAd),
});
export type Plan = z.output<typeof plan>;

export const createPlan = endpoint({
  method: 'POST',
  path: '/api/plans',
  summary:
    'Submit several ads for approval with one creative, all or none; the same request again answers 200 with the same plan',
  body: z.object({
    /** Chosen by the client, so that a repeated request makes no second plan. */
    requestId: z.uuid('Send a UUID as the id of the request'),
    name: z
      .string(NAME_REQUIRED)
      .trim()
      .min(1, NAME_REQUIRED)
      .max(PLAN_NAME_MAX, `The name can have at most ${PLAN_NAME_MAX} characters`),
    creative,
    placements: z
      .array(placement, PLACEMENT_REQUIRED)
      .min(1, PLACEMENT_REQUIRED)
      .max(MAX_PLACEMENTS, TOO_MANY_PLACEMENTS),
  }),
  refusal: (issues) => ({ placements: faultsOf(issues) }),
  reply: z.object({
    ...head,
    ads: z.array(ad),
    /** False if an earlier call with this `requestId` made the plan. */
    isNew: z.boolean(),
  }),
  status: 201,
  statusOf: ({ isNew }) => (isNew ? 201 : 200),
});

/** The faults of placements among the faults of a body: one for each placement, about its first fault. */
function faultsOf(issues: readonly { path: string; message: string }[]): PlacementFault[] {
  const faults = new Map<number, PlacementFault>();
  for (const { path, message } of issues) {
    const place = /^placements\.(\d+)\b/.exec(path)?.[1];
    if (place === undefined || faults.has(Number(place))) continue;
    faults.set(Number(place), { index: Number(place), message, reason: null });
  }
  return [...faults.values()];
}

export const listPlans = endpoint({
  method: 'GET',
  path: '/api/plans',
  summary: 'Your own plans, newest first, at most 20 a page',
  query: pageQuery,
  reply: z.array(plan),
  paged: true,
});

export const getPlan = endpoint({
  method: 'GET',
  path: '/api/plans/:ref',
  summary: 'One of your own plans with its ads and their sums',
  params: referenceParams,
  reply: plan,
});

/** An ad zone that can be booked now, with its website and the pricing options that are for sale. */
export const choice = z.object({
  website: website.pick({
    publicId: true,
    name: true,
    displayAddress: true,
    picture: true,
    category: true,
    isVerified: true,
  }),
  zone: adZone.pick({
    publicId: true,
    name: true,
    width: true,
    height: true,
    zoneType: true,
    liveAds: true,
    forecast: true,
    measured: true,
  }),
  /**
   * The runs of days on which no ad by the day fits, each with its last day, from today (UTC) on for as long as an ad can be
   * booked ahead. Days that the caller was offered are not among them.
   */
  closed: z.array(z.object({ from: day, to: day })),
  /** Whether the ads by the day of this ad zone hold their days from the submission on. */
  holdsDays: z.boolean(),
  /** The part of the zone's views, from 0 to 1, that is within the limits of the query; null without any, or if it is not measured. */
  within: z.number().nullable(),
  /** Without their outlooks, because the page that builds a plan estimates all quantities. */
  products: z.array(product.omit({ finishes: true, expectedDays: true })),
});
export type Choice = z.output<typeof choice>;

export const listChoices = endpoint({
  method: 'GET',
  path: '/api/plans/choices',
  summary: 'The bookable ad zones of a shortlist of websites and ad zones, with their pricing options',
  query: z.object({
    /** Public ids of ad zones and websites, separated by commas. Those that are not offered are left out. */
    refs: z
      .string('Name the ad zones by their public ids, such as ?refs=…,…')
      .transform((text) => text.split(',').filter(Boolean))
      .pipe(
        z.array(z.uuid('Name the ad zones by their public ids')).max(MAX_PLACEMENTS, TOO_MANY_PLACEMENTS),
      ),
    /** The limits of the plan's ads as JSON, as in its submission. */
    targeting: targetingQuery.optional(),
  }),
  reply: z.array(choice),
});
