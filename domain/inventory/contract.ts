import { z } from 'zod';
import { MAX_SLOTS } from '../ads/booking.ts';
import { day } from '../ads/booking-contract.ts';
import { description, title } from '../ads/contract.ts';
import { AD_TYPES } from '../ads/types.ts';
import { ZONE_LOOKS } from '../delivery/ad-style.ts';
import { forecast, measured } from '../delivery/forecast-fields.ts';
import { endpoint, type Reply } from '../endpoint.ts';
import {
  bodyReference,
  id,
  instant,
  money,
  okReply,
  pageQuery,
  pathId,
  reference,
  referenceParams,
  webAddress,
} from '../fields.ts';
import { domainText, publicAddress } from '../public-host.ts';
import { excludes, shownExcludes } from '../targeting/fields.ts';
import { MAX_CATEGORY } from './categories.ts';
import { OWNERSHIP_STATES, PROOF_WAYS } from './ownership.ts';
import { PRICING_MODELS } from './pricing.ts';
import { quantity } from './quantity-fields.ts';
import { MAX_VOLUME_PRICES } from './quantity.ts';
import { MAX_RULE, MAX_RULES } from './rules.ts';
import { SORTS } from './sorts.ts';
import { TRAFFIC_LEVELS } from './traffic.ts';
import { MAX_ZONE_PIXELS, ZONE_TYPES } from './zones.ts';

const SECURE_ONLY = 'Please enter an address that begins with https://';
const MAX_COUNT = 2_147_483_647;

export const website = z.object({
  id,
  publicId: z.string(),
  name: z.string(),
  url: z.string(),
  /** The address for people, with readable letters where they can't imitate another host. */
  displayAddress: z.string(),
  description: z.string().nullable(),
  /** The website's readers, in the publisher's words; null if not stated. */
  audience: z.string().nullable(),
  category: z.string(),
  /** As the publisher declares them; 0 if not stated. */
  monthlyVisitors: z.number().int(),
  /** The path of its square picture or logo; null without one. */
  picture: z.string().nullable(),
  /** The measured figures of all its ad zones together; null if none has been measured yet. */
  measured: measured.nullable(),
  /** The subjects, targets and words that its publisher refuses. */
  rules: z.object({
    subjects: z.array(z.string()),
    domains: z.array(z.string()),
    words: z.array(z.string()),
  }),
  /** How many hours its publisher usually takes to answer an ad: the median of the latest answers; null before three. */
  usualAnswerHours: z.number().int().nullable(),
  isActive: z.boolean(),
  /** Whether the publisher shows the website in the public catalogue. */
  isListed: z.boolean(),
  /** The address of its page in the public catalogue; null while it has none. */
  pageUrl: z.string().nullable(),
  /** Why the operator suspended the website; null otherwise. Only its owner can read a suspended website. */
  suspendedReason: z.string().nullable(),
  /**
   * Waits until the operator has looked at it, or was refused there; null otherwise. `text` is the operator's question or
   * reason. Only its owner can read such a website.
   */
  review: z.object({ state: z.enum(['waiting', 'hidden']), text: z.string().nullable() }).nullable(),
  /** Whether our server found a proof that the website is the publisher's own. [OWN-01] */
  isVerified: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});
export type Website = z.output<typeof website>;

/** A price and what it buys, of an option that can be bought now. */
const offer = {
  price: money,
  pricingModel: z.enum(PRICING_MODELS),
  duration: z.number().int().nullable(),
  impressions: z.number().int().nullable(),
  clicks: z.number().int().nullable(),
};

/** A website as the marketplace shows it, without data of its owner. */
export const marketplaceWebsite = website.extend({
  /** Ad types that can be bought now. [OP-079] */
  adTypes: z.array(z.enum(AD_TYPES)),
  /** The price of the cheapest option that can be bought now. */
  lowestPrice: money.nullable(),
  /** The cheapest option with its quantity, without which prices can't be compared; null if none can be bought now. */
  lowestOffer: z.object(offer).nullable(),
  /** The lowest known price of 1,000 views that can be bought now; see `unitCosts`. Null without one. */
  costPerThousand: money.nullable(),
  /** The sizes in pixels of zones that can be bought now: each size once, the widest first, at most four. */
  sizes: z.array(z.object({ width: z.number().int(), height: z.number().int() })),
  /**
   * The forecasts of the zones that can be bought now, as one range by their weakest basis; null without such a zone.
   */
  forecast: forecast.nullable(),
});
export type MarketplaceWebsite = z.output<typeof marketplaceWebsite>;

/** The cheapest option of an ad type in a zone. */
export const zoneOffer = z.object({
  adType: z.enum(AD_TYPES),
  ...offer,
  /** The number of active options of this type. */
  optionCount: z.number().int(),
});
export type ZoneOffer = z.output<typeof zoneOffer>;

/** The publisher's own ad, which a zone shows when it has no paid ad. */
export const houseAd = z.object({
  title,
  description,
  targetUrl: publicAddress(SECURE_ONLY).refine((url) => /^https:/i.test(url), SECURE_ONLY),
});
export type HouseAd = z.output<typeof houseAd>;

export const adZone = z.object({
  id,
  publicId: z.string(),
  websiteId: id,
  name: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  zoneType: z.enum(ZONE_TYPES),
  isActive: z.boolean(),
  /** Why the operator suspended the ad zone itself; null otherwise. */
  suspendedReason: z.string().nullable(),
  /** The embed code. The server builds it, because only the server knows the delivery address. */
  embedCode: z.string(),
  /** The delivery address, for the other variants of the embed code. */
  deliveryUrl: z.string(),
  /** The cheapest option of each ad type that can be bought. */
  offers: z.array(zoneOffer),
  /** The number of paid ads that the zone shows now. */
  liveAds: z.number().int().min(0),
  forecast,
  /** Null until the zone has its first whole day with figures. */
  measured: measured.nullable(),
  /** The last ad request from the website's own domain; null before the first one. */
  tagSeenAt: instant.nullable(),
  /** When the current pause began; null while the zone is active. */
  pausedAt: instant.nullable(),
  houseAd: houseAd.nullable(),
  /** How the zone styles its ads (domain/delivery/ad-style.ts). */
  look: z.enum(ZONE_LOOKS),
  /** The publisher's accent color, such as '#c2410c'; null for the page's own colors. */
  accent: z.string().nullable(),
  /** How many ads by the day can run at the same time; null without a limit. */
  slots: z.number().int().nullable(),
  /** The days (UTC) on which the publisher sells no ads by the day, in order. */
  blockedDays: z.array(day),
  /** Visitors to whom the zone shows no paid ads; null: nobody. */
  excludes: shownExcludes,
  createdAt: instant,
  updatedAt: instant,
});
export type AdZone = z.output<typeof adZone>;

const volumePrice = z.object({ fromQuantity: quantity, price: money });

export const product = z.object({
  id,
  adZoneId: id,
  adType: z.enum(AD_TYPES),
  /** Of one unit. */
  price: money,
  pricingModel: z.enum(PRICING_MODELS),
  /** The days, impressions or clicks of one unit. */
  duration: z.number().int().nullable(),
  impressions: z.number().int().nullable(),
  clicks: z.number().int().nullable(),
  /** A quantity is `minQuantity` + n × `step`, and at most `maxQuantity`. */
  minQuantity: quantity,
  maxQuantity: quantity,
  step: quantity,
  /** Lower prices of a unit from larger quantities. */
  volumePrices: z.array(volumePrice),
  /** False if the smallest quantity cannot be delivered within 90 days by the forecast. */
  finishes: z.boolean(),
  /** How long the smallest quantity is expected to take; null if there are no figures yet, or no views for it. */
  expectedDays: z.number().int().nullable(),
  isActive: z.boolean(),
  createdAt: instant,
});
export type Product = z.output<typeof product>;

export const listWebsites = endpoint({
  method: 'GET',
  path: '/api/websites',
  summary: 'The marketplace: active websites of every publisher, newest first or as `sort` says',
  query: pageQuery.extend({
    /** Searches name, description and URL, ignoring case. [OP-080] */
    search: z.string().trim().max(200).optional(),
    category: z.string().max(MAX_CATEGORY).optional(),
    traffic: z.enum(TRAFFIC_LEVELS).optional(),
    /** Only websites on which ads of this type can be bought now. */
    adType: z.enum(AD_TYPES).optional(),
    /** Only websites that sell an ad zone of this size in pixels, such as '300x250'. */
    size: z
      .string()
      .regex(/^[1-9]\d{0,3}x[1-9]\d{0,3}$/, 'Enter a size such as 300x250.')
      .optional(),
    /** Only websites that sell something up to this price. */
    maxPrice: z
      .string()
      .regex(/^\d{1,8}(\.\d{1,2})?$/, 'Enter an amount such as 50 or 12.50, without a symbol.')
      .optional(),
    sort: z.enum(SORTS, `Sort by one of: ${SORTS.join(', ')}`).optional(),
  }),
  reply: z.array(marketplaceWebsite),
  paged: true,
});

export const getFacets = endpoint({
  method: 'GET',
  path: '/api/websites/facets',
  summary: 'How many websites of the marketplace sell ad zones of a size, and something up to a price',
  reply: z.object({
    /** The most frequent ones. */
    sizes: z.array(z.object({ width: z.number().int(), height: z.number().int(), count: z.number().int() })),
    /** `upTo` is a whole amount, such as '25'. */
    prices: z.array(z.object({ upTo: z.string(), count: z.number().int() })),
  }),
});
export type Facets = Reply<typeof getFacets>;

export const getWebsite = endpoint({
  method: 'GET',
  path: '/api/websites/:ref',
  summary: 'One active website, or one of your own',
  params: referenceParams,
  reply: marketplaceWebsite,
});

export const getAdSpace = endpoint({
  method: 'GET',
  path: '/api/ad-space',
  summary:
    'Where an ad-space link leads: the ad zone, its website and its lowest price; listed websites only',
  query: z.object({ website: reference, zone: reference }),
  reply: z.object({
    website: z.object({ name: z.string(), displayAddress: z.string(), pageUrl: z.string() }),
    zone: z.object({ name: z.string(), width: z.number().int(), height: z.number().int() }),
    /** The cheapest option of the ad zone; null if none can be bought now. */
    lowestOffer: z.object(offer).nullable(),
  }),
});
export type AdSpace = z.output<typeof getAdSpace.reply>;

export const listMyWebsites = endpoint({
  method: 'GET',
  path: '/api/websites/my',
  summary: 'Your own websites, oldest first',
  query: pageQuery,
  reply: z.array(website),
  paged: true,
});

/** The body is the image file: JPEG, PNG or GIF, up to 5 MB. */
export const setSitePicture = endpoint({
  method: 'PUT',
  path: '/api/websites/:ref/picture',
  summary: 'Set the picture or logo of one of your own websites',
  params: referenceParams,
  reply: website,
});

export const takeSitePicture = endpoint({
  method: 'POST',
  path: '/api/websites/:ref/picture',
  summary:
    'Copy the picture of one of your own websites from the web, such as the one that its preview found',
  params: referenceParams,
  body: z.object({ imageUrl: webAddress() }),
  reply: website,
});

export const removeSitePicture = endpoint({
  method: 'DELETE',
  path: '/api/websites/:ref/picture',
  summary: 'Remove the picture of one of your own websites',
  params: referenceParams,
  reply: website,
});

export const getAdsTxt = endpoint({
  method: 'GET',
  path: '/api/websites/:ref/ads-txt',
  summary: 'The ads.txt line of one of your own websites, and the address of the file',
  params: referenceParams,
  reply: z.object({ line: z.string(), address: z.string() }),
});

export const checkAdsTxt = endpoint({
  method: 'POST',
  path: '/api/websites/:ref/ads-txt',
  summary: 'Read the ads.txt of one of your own websites now; if it has the line, the website is verified',
  params: referenceParams,
  reply: z.object({
    found: z.boolean(),
    /** Why the line was not found, as a sentence for the publisher; null if it was. */
    problem: z.string().nullable(),
  }),
});

/** The proofs of ownership of a website, as its publisher sees them. */
export const verification = z.object({
  state: z.enum(OWNERSHIP_STATES),
  verifiedAt: instant.nullable(),
  /** The last check; null before the first one. */
  checkedAt: instant.nullable(),
  /** The first of the checks that found no proof; null while there is a proof. */
  failingSince: instant.nullable(),
  /** When the verification ends if no proof is found until then. */
  lostAt: instant.nullable(),
  /** Why the operator decided for another account. */
  reason: z.string().nullable(),
  proofs: z.array(
    z.object({
      way: z.enum(PROOF_WAYS),
      /** Where to put the value: the address of a file or page, or the name of a DNS record. */
      place: z.string(),
      value: z.string(),
      /** Whether the last check found it. */
      found: z.boolean(),
      /** Why the last check did not find it, as a sentence for the publisher. */
      problem: z.string().nullable(),
    }),
  ),
});
export type Verification = z.output<typeof verification>;

export const getVerification = endpoint({
  method: 'GET',
  path: '/api/websites/:ref/verification',
  summary: 'How to prove that one of your own websites is yours, and what our server found at its last check',
  params: referenceParams,
  reply: verification,
});

export const verifyWebsite = endpoint({
  method: 'POST',
  path: '/api/websites/:ref/verification',
  summary: 'Look now for a proof that one of your own websites is yours: ads.txt, meta tag or DNS record',
  params: referenceParams,
  reply: verification,
});

export const listZones = endpoint({
  method: 'GET',
  path: '/api/websites/:ref/ad-zones',
  summary: "A website's active ad zones, oldest first; of your own website, all of them",
  params: referenceParams,
  query: pageQuery,
  reply: z.array(adZone),
  paged: true,
});

export const listProducts = endpoint({
  method: 'GET',
  path: '/api/ad-zones/:ref/products',
  summary: "An ad zone's active pricing options, oldest first; of your own zone, all of them",
  params: referenceParams,
  query: pageQuery,
  reply: z.array(product),
  paged: true,
});

const required = (message: string, max = 200) => z.string(message).trim().min(1, message).max(max);

const monthlyVisitors = z
  .number('Monthly visitors must be a whole number')
  .int('Monthly visitors must be a whole number')
  .min(0, 'Monthly visitors cannot be negative')
  .max(MAX_COUNT);

const ruleTexts = (name: string, text: z.ZodType<string, string>) =>
  z.array(text, `${name} must be a list of texts`).max(MAX_RULES, `${name}: at most ${MAX_RULES}`);
const ruleText = z
  .string('Each rule must be a text')
  .trim()
  .min(1, 'A rule can’t be empty')
  .max(MAX_RULE, `A rule can have at most ${MAX_RULE} characters`);

/** The subjects, targets and words that a publisher refuses. Domains are stored as hosts in Punycode, without 'www.'. */
export const siteRules = z
  .object({
    subjects: ruleTexts('Subjects', ruleText),
    domains: ruleTexts('Domains', domainText),
    words: ruleTexts('Words', ruleText),
  })
  .partial();

/** A website as its publisher describes it, without its address. */
const websiteWords = {
  name: required('Website name is required'),
  description: z.string().trim().max(1000).nullish(),
  audience: z.string().trim().max(200).nullish(),
  /** One of the marketplace's, which the operator sets. */
  category: required('Please choose a category', MAX_CATEGORY),
  /** A list that is left out keeps what it has. */
  rules: siteRules.optional(),
};

export const createWebsite = endpoint({
  method: 'POST',
  path: '/api/websites',
  summary: 'Add a website',
  body: z.object({
    ...websiteWords,
    url: webAddress(),
    monthlyVisitors: monthlyVisitors.default(0),
    isActive: z.boolean().default(true),
    isListed: z.boolean().default(true),
  }),
  reply: website,
  status: 201,
});

export const updateWebsite = endpoint({
  method: 'PATCH',
  path: '/api/websites/:ref',
  summary:
    'Correct, hide or show one of your own websites; 409 for a new address once an ad has been submitted',
  params: referenceParams,
  body: z
    .object({
      ...websiteWords,
      url: webAddress(),
      monthlyVisitors,
      isActive: z.boolean(),
      isListed: z.boolean(),
    })
    .partial(),
  reply: website,
});

export const deleteWebsite = endpoint({
  method: 'DELETE',
  path: '/api/websites/:ref',
  summary: 'Delete one of your own websites; 409 while it has pending, approved or active ads',
  params: referenceParams,
  reply: okReply,
});

export const previewWebsite = endpoint({
  method: 'POST',
  path: '/api/websites/preview',
  summary: 'What a home page says about its website, to fill in the form; 400 if it cannot be read',
  body: z.object({ url: webAddress() }),
  reply: z.object({
    name: z.string().nullable(),
    description: z.string().nullable(),
    /** The address of a logo or picture; null if the page names none. */
    imageUrl: z.string().nullable(),
    /** That picture as a small square, in a data: address; null if our server can't read it. */
    picture: z.string().nullable(),
    /** The software that made the page, such as 'WordPress 6.8'. */
    generator: z.string().nullable(),
  }),
});
export type WebsitePreview = z.output<typeof previewWebsite.reply>;

const pixels = (name: string) =>
  z
    .number(`${name} is required`)
    .int(`${name} must be a whole number of pixels`)
    .min(1, `${name} must be at least 1 pixel`)
    .max(MAX_ZONE_PIXELS, `${name} must be at most ${MAX_ZONE_PIXELS} pixels`);

const SLOTS = `Enter a whole number of slots from 1 to ${MAX_SLOTS}, or leave it empty for no limit`;

/** When ads by the day run in a zone. */
const zoneCalendar = {
  slots: z.number(SLOTS).int(SLOTS).min(1, SLOTS).max(MAX_SLOTS, SLOTS).nullish(),
  blockedDays: z.array(day).max(400, 'Block at most 400 days').optional(),
};

export const createZone = endpoint({
  method: 'POST',
  path: '/api/ad-zones',
  summary: 'Create an ad zone on one of your own websites',
  body: z.object({
    websiteId: bodyReference,
    name: required('Ad zone name is required'),
    width: pixels('Width'),
    height: pixels('Height'),
    zoneType: z.enum(ZONE_TYPES, 'Please choose a zone type'),
    isActive: z.boolean().default(true),
    ...zoneCalendar,
    excludes,
  }),
  reply: adZone,
  status: 201,
});

/** A color without enough contrast is accepted: ads show it corrected. */
const accent = z
  .string('Enter a color such as #0f5e70')
  .trim()
  .regex(/^#[0-9a-f]{6}$/i, 'Enter a color such as #0f5e70')
  .toLowerCase();

export const updateZone = endpoint({
  method: 'PATCH',
  path: '/api/ad-zones/:ref',
  summary:
    'Rename, pause or resume an ad zone, or change its ad style, slots, blocked days or exclusions; 409 if a slot that goes, or a blocked day, is booked, or if an ad would be left with nobody',
  params: referenceParams,
  body: z
    .object({
      name: required('Ad zone name is required'),
      isActive: z.boolean(),
      look: z.enum(ZONE_LOOKS, 'Please choose plain or card'),
      accent: accent.nullable(),
      ...zoneCalendar,
      excludes,
    })
    .partial(),
  reply: adZone,
});

export const setHouseAd = endpoint({
  method: 'PUT',
  path: '/api/ad-zones/:ref/house-ad',
  summary: 'Set your own ad for your own ad zone, shown free and uncounted while there is no paid ad',
  params: referenceParams,
  body: houseAd,
  reply: adZone,
});

export const removeHouseAd = endpoint({
  method: 'DELETE',
  path: '/api/ad-zones/:ref/house-ad',
  summary: "Remove your own ad from your own ad zone, which then shows 'Advertise here' while it is empty",
  params: referenceParams,
  reply: adZone,
});

export const deleteZone = endpoint({
  method: 'DELETE',
  path: '/api/ad-zones/:ref',
  summary: 'Delete an ad zone; 409 while it has approved or active campaigns',
  params: referenceParams,
  reply: okReply,
});

/** A number or a decimal string with at most two decimals, above 0 and at most 99999999.99. [ENT-23, OP-099] */
export const price = z
  .union([z.string().trim(), z.number().transform(String)])
  .refine((value) => /^-?\d+(\.\d{1,2})?$/.test(value), {
    message: 'Enter an amount like 1000 or 12.50 (no commas or symbols)',
    abort: true,
  })
  .refine((value) => /^\d{1,8}(\.\d{1,2})?$/.test(value) && Number(value) > 0, {
    message: 'Price must be above 0 and at most 99999999.99',
  });

const count = (name: string) =>
  z
    .number(`${name} must be a whole number`)
    .int(`${name} must be a whole number`)
    .min(1, `${name} must be at least 1`)
    .max(MAX_COUNT);

const volumePrices = z
  .array(z.object({ fromQuantity: quantity, price }))
  .max(MAX_VOLUME_PRICES, `An option can have at most ${MAX_VOLUME_PRICES} lower prices`);

export const createProduct = endpoint({
  method: 'POST',
  path: '/api/ad-zone-products',
  summary: 'Add a pricing option to one of your own ad zones',
  body: z
    .object({
      adZoneId: bodyReference,
      adType: z.enum(AD_TYPES, 'Please choose an ad type'),
      price,
      pricingModel: z.enum(PRICING_MODELS, 'Please choose a pricing model').default('per_day'),
      duration: count('Duration').max(3650).nullish(),
      impressions: count('Impressions').nullish(),
      clicks: count('Clicks').nullish(),
      minQuantity: quantity.default(1),
      /** Without it, only the smallest quantity can be bought. */
      maxQuantity: quantity.optional(),
      step: quantity.default(1),
      volumePrices: volumePrices.default([]),
      isActive: z.boolean().default(true),
    })
    .transform((option, context) => {
      // Keep only the quantity that belongs to the pricing model. [ENT-25]
      const duration = option.pricingModel === 'per_day' ? (option.duration ?? 1) : null;
      const impressions = option.pricingModel === 'per_impression' ? (option.impressions ?? null) : null;
      const clicks = option.pricingModel === 'per_click' ? (option.clicks ?? null) : null;
      if (option.pricingModel === 'per_impression' && impressions === null) {
        context.addIssue({ code: 'custom', path: ['impressions'], message: 'Impressions are required' });
      }
      if (option.pricingModel === 'per_click' && clicks === null) {
        context.addIssue({ code: 'custom', path: ['clicks'], message: 'Clicks are required' });
      }
      const { maxQuantity = option.minQuantity } = option;
      return { ...option, maxQuantity, duration, impressions, clicks };
    }),
  reply: product,
  status: 201,
});

export const updateProduct = endpoint({
  method: 'PATCH',
  path: '/api/ad-zone-products/:id',
  summary:
    'Change the price or the quantities of a pricing option, withdraw it or offer it again; submitted ads keep their price',
  params: z.object({ id: pathId }),
  body: z
    .object({
      price,
      minQuantity: quantity,
      maxQuantity: quantity,
      step: quantity,
      volumePrices,
      isActive: z.boolean(),
    })
    .partial()
    .refine(
      (change) => Object.keys(change).length > 0,
      'Enter a price, or say whether the option is offered',
    ),
  reply: product,
});
