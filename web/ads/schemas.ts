/** The schemas of this room's forms that pages show at once. `validatedBy` loads them. */
import { z } from 'zod';
import { resubmitAd } from '#domain/ads/contract.ts';
import { withScheme } from '#domain/inventory/typed-address.ts';
import { bodyOf } from '#web/http/schema.ts';

const body = bodyOf(resubmitAd);

/** The form adds 'https://' to a target whose host has a dot. The API is strict. */
export const adContent = body.extend({
  targetUrl: z.string().transform(withScheme).pipe(body.shape.targetUrl),
});
