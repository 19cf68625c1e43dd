/** The calls of a campaign's second creatives. The publisher answers them with the calls of an ad's review. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, instant, reference, referenceParams } from '../fields.ts';
import { description, imageUrl, targetUrl, title, videoUrl } from './contract.ts';
import { REMOVED_FOR, VARIANT_STATUSES } from './variants.ts';

export const variant = z.object({
  id,
  publicId: z.string(),
  /** The public id of the campaign. */
  ad: z.string(),
  title: z.string(),
  description: z.string(),
  targetUrl: z.string(),
  imageUrl: z.string().nullable(),
  videoUrl: z.string().nullable(),
  status: z.enum(VARIANT_STATUSES),
  rejectionReason: z.string().nullable(),
  createdAt: instant,
  /** When the publisher answered. */
  decidedAt: instant.nullable(),
  removedAt: instant.nullable(),
  /** Why it is no longer shown; null while it is, or before. */
  removedFor: z.enum(REMOVED_FOR).nullable(),
});
export type Variant = z.output<typeof variant>;

export const addVariant = endpoint({
  method: 'POST',
  path: '/api/ads/:ref/variants',
  summary:
    'Submit a second creative for one of your own running campaigns; once approved, it is shown in turn with the first',
  params: referenceParams,
  body: z.object({ title, description, targetUrl, imageUrl, videoUrl }),
  reply: variant,
  status: 201,
});

export const listVariants = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/variants',
  summary: 'The second creatives of one of your own campaigns, newest first',
  params: referenceParams,
  reply: z.array(variant),
});

export const removeVariant = endpoint({
  method: 'DELETE',
  path: '/api/ads/:ref/variants/:variant',
  summary: 'Take away a second creative that waits or is shown; the campaign goes on with its first',
  params: referenceParams.extend({ variant: reference }),
  reply: variant,
});
