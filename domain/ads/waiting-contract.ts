import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, money } from '../fields.ts';
import { MAX_WAITING, WAITING_KINDS } from './waiting.ts';

export const waitingStep = z.object({
  kind: z.enum(WAITING_KINDS),
  /** Of the ad, of the ad zone for `price` and `tag`, or of the user for `payout`. */
  id,
  /** Empty for `payout`, like the name of the website. */
  publicId: z.string(),
  /** The ad's title or the ad zone's name. */
  title: z.string(),
  websiteName: z.string(),
  /** The earnings that wait for a payout account; null for the other kinds. */
  amount: money.nullable(),
});
export type WaitingStep = z.output<typeof waitingStep>;

export const listWaiting = endpoint({
  method: 'GET',
  path: '/api/waiting',
  summary:
    'Your next steps: approved ads to pay, ads whose target leads to another host, ads to review, rejected ads to change, earnings without a payout account, ad zones without a price or a seen tag',
  query: z.object({
    /** How many steps are listed: FIRST_WAITING if it is left out. */
    limit: z.coerce.number().int().min(1).max(MAX_WAITING).optional(),
  }),
  reply: z.object({
    /** By kind in the order of WAITING_KINDS, then oldest first. */
    steps: z.array(waitingStep),
    /** How many more wait. */
    more: z.number().int(),
  }),
});
