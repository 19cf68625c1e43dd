import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';

export const getGettingStarted = endpoint({
  method: 'GET',
  path: '/api/getting-started',
  summary: 'Which first steps of a publisher and of an advertiser you have done',
  reply: z.object({
    /** A business name or a picture. */
    profile: z.boolean(),
    website: z.boolean(),
    /** An ad zone with a price. */
    price: z.boolean(),
    verified: z.boolean(),
    tagSeen: z.boolean(),
    /** An ad in one of the user's own ad zones was paid for. */
    sold: z.boolean(),
    /** The user has submitted an ad. */
    submitted: z.boolean(),
    /** The user has paid for an ad. */
    paid: z.boolean(),
  }),
});
export type GettingStarted = Reply<typeof getGettingStarted>;
