import { z } from 'zod';
import { AD_STATUSES } from '../ads/status.ts';
import { endpoint, type Reply } from '../endpoint.ts';
import { bodyReference, id, instant, money, pageQuery, pathId, reference } from '../fields.ts';
import { CONSENT_AD_STATES, CONSENT_STATES, MAX_CONSENT_ADS } from './consents.ts';

const LIMIT_REQUIRED = 'Give the most that we may charge, such as "25.00".';

const adOfConsent = z.object({
  publicId: z.string(),
  title: z.string(),
  status: z.enum(AD_STATUSES),
  amount: money,
  state: z.enum(CONSENT_AD_STATES),
});

const consent = z.object({
  id,
  state: z.enum(CONSENT_STATES),
  limit: money,
  /** Charged, or being charged now. */
  used: money,
  left: money,
  /** Null until the card is saved. */
  card: z
    .object({
      brand: z.string(),
      last4: z.string(),
      expMonth: z.number().int(),
      expYear: z.number().int(),
    })
    .nullable(),
  ads: z.array(adOfConsent),
  createdAt: instant,
});
export type Consent = z.output<typeof consent>;

export const createConsent = endpoint({
  method: 'POST',
  path: '/api/payment-consents',
  summary: 'Pay when approved: begin to save a card that is charged for your ads when they are approved',
  body: z
    .object({
      /** The most that we may charge for these ads together, in the marketplace's currency. */
      limit: z
        .union([z.number(), z.string().trim()], LIMIT_REQUIRED)
        .transform(String)
        .refine((limit) => /^\d{1,9}(?:\.\d{1,2})?$/.test(limit), LIMIT_REQUIRED),
      ads: z
        .array(bodyReference)
        .min(1, 'Name at least one ad.')
        .max(MAX_CONSENT_ADS, `Name at most ${MAX_CONSENT_ADS} ads.`)
        .optional(),
      plan: bodyReference.optional(),
      /** The version of the terms that the page links. 409 if another one is published now. */
      acceptedTerms: z.number().int().optional(),
    })
    .refine(({ ads, plan }) => (ads === undefined) !== (plan === undefined), 'Name either ads or a plan.'),
  reply: consent.extend({ clientSecret: z.string() }),
  status: 201,
});

export const confirmConsent = endpoint({
  method: 'POST',
  path: '/api/payment-consents/:id/confirm',
  summary: 'Begin to use the saved card; 402 while none is confirmed. Repeating changes nothing',
  params: z.object({ id: pathId }),
  reply: consent,
});

export const listConsents = endpoint({
  method: 'GET',
  path: '/api/payment-consents',
  summary: 'The cards that you allow us to charge on approval, newest first',
  query: pageQuery,
  reply: z.array(consent),
  paged: true,
});

export const withdrawConsent = endpoint({
  method: 'DELETE',
  path: '/api/payment-consents/:id',
  summary: 'Withdraw a consent, or with ?ad= that for one ad. A charge that is already sent stands',
  params: z.object({ id: pathId }),
  query: z.object({ ad: reference.optional() }),
  reply: z.object({
    /** `charging` or `paid`: the charge for this one ad was sent before. */
    state: z.enum(['withdrawn', ...CONSENT_AD_STATES.filter((state) => state !== 'withdrawn')]),
  }),
});
export type ConsentList = Reply<typeof listConsents>;
