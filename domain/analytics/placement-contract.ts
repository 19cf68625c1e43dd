/** The calls about where ads stand on pages, as the measured viewability tells. */
import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { referenceParams } from '../fields.ts';
import { CHANGES } from './placement.ts';

const placement = z.object({
  /** The share of rendered ads that became viewable in the last 7 days, and in the 28 before; null with too few. */
  recent: z.number().nullable(),
  before: z.number().nullable(),
  /** Set if the share has changed by more than half of what it was. */
  change: z.enum(CHANGES).nullable(),
});

export const getPlacement = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/placement',
  summary:
    'The measured viewability of the ad zone of one of your own ads, and whether it has changed by more than half',
  params: referenceParams,
  reply: placement,
});

export const listPlacementChanges = endpoint({
  method: 'GET',
  path: '/api/analytics/placement-changes',
  summary: 'Your own ad zones whose viewability has changed by more than half, at most 100',
  reply: z.array(
    placement.extend({
      /** Public id of the zone. */
      zone: z.string(),
      zoneName: z.string(),
      websiteName: z.string(),
    }),
  ),
});
export type PlacementChange = Reply<typeof listPlacementChanges>[number];
