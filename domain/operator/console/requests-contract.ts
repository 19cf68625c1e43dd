/** The call of the console's page of requests. [OPER-22] */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, money } from '../../fields.ts';
import { offeredAct } from './act-contract.ts';

export const listOperatorRequests = endpoint({
  method: 'GET',
  path: '/api/operator/requests',
  summary: 'The requests that wait for a second operator',
  reply: z.object({
    /** The most that one operator alone refunds for an ad. */
    refundLimit: money,
    requests: z.array(
      z.object({
        id,
        /** 'Remove the operator pat@example.com' */
        words: z.string(),
        reason: z.string(),
        /** Null for a deleted account. */
        askedBy: z.string().nullable(),
        requestedAt: instant,
        expiresAt: instant,
        /** Asked by the operator who reads this, so that another one has to confirm it. */
        isOwn: z.boolean(),
        acts: z.array(offeredAct),
      }),
    ),
  }),
});
