/** The schemas of this room's forms that pages show at once. `validatedBy` loads them. */
import { resubmitAd } from '#domain/ads/contract.ts';
import { bodyOf } from '#web/http/schema.ts';

export const adContent = bodyOf(resubmitAd);
