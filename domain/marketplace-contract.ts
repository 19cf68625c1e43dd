import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { CURRENCIES } from './money.ts';

export const getMarketplace = endpoint({
  method: 'GET',
  path: '/api/marketplace',
  summary:
    'What everybody may know about this marketplace: its name, its fee, its currency and where to get help',
  reply: z.object({
    name: z.string(),
    tagline: z.string(),
    /** A path of this server. */
    logo: z.string(),
    /** `#rrggbb`, for light backgrounds. */
    accent: z.string(),
    /** The part of each sale that the marketplace keeps. */
    commissionPercent: z.number(),
    currency: z.enum(CURRENCIES),
    /** Those that a publisher can choose. */
    categories: z.array(z.string()),
    /** Whether visitors can see the websites at `/sites`. */
    catalogue: z.boolean(),
    /** Null if there is none. */
    supportAddress: z.string().nullable(),
    /** The paths of the published pages, by their keys. */
    pages: z.record(z.string(), z.string()),
    /** The version of the published terms, which a sign-up accepts; null without terms. */
    termsVersion: z.number().int().nullable(),
  }),
});
