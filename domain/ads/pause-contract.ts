/** The calls by which an advertiser pauses and resumes a campaign. Their rule is in pause.ts. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { referenceParams } from '../fields.ts';
import { ad } from './contract.ts';

const UNTIL_INVALID = 'Give the time until which the ad is paused, such as 2026-12-24T00:00:00Z, or null.';

export const pauseAd = endpoint({
  method: 'POST',
  path: '/api/ads/:ref/pause',
  summary:
    'Pause one of your own running ads, until a time or until you resume it; 409 if it isn’t running or its cancel waits',
  params: referenceParams,
  /** Without `until`, or with null, the ad is paused until it is resumed. `untilRefusal` says which times are refused. */
  body: z.object({ until: z.iso.datetime(UNTIL_INVALID).nullish() }),
  reply: ad,
});

export const resumeAd = endpoint({
  method: 'POST',
  path: '/api/ads/:ref/resume',
  summary: 'Resume one of your own ads that you have paused; 409 if it isn’t running or its cancel waits',
  params: referenceParams,
  reply: ad,
});
