/** The call of the audit trail. [OPER-04] */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, MAX_ID, pageQuery } from '../../fields.ts';

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/operator/audit',
  summary: 'The acts of all operators, the newest first',
  query: pageQuery.extend({
    /** The number of the act that the list begins with. */
    from: z.coerce.number().int().min(1).max(MAX_ID).optional(),
  }),
  reply: z.array(
    z.object({
      id,
      at: instant,
      /** 'Suspended the website “The Daily Slot”' */
      text: z.string(),
      /** The operator's address, 'command line' or 'the server'. */
      by: z.string(),
      /** The operator's account. Null for the command line and the server. */
      byId: id.nullable(),
      reason: z.string(),
      /** The page about its subject; null if there is none. */
      path: z.string().nullable(),
      /** The answer of the affected person. */
      answer: z.object({ path: z.string(), outcome: z.enum(['upheld', 'reversed']).nullable() }).nullable(),
    }),
  ),
  paged: true,
});
