import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { instant, money, pageQuery } from '../fields.ts';
import { CURRENCIES } from '../money.ts';
import { LEDGER_SIDES } from './ledger-sides.ts';

// PostgreSQL knows no year 0, and no marketplace is older than this.
export const month = z.string().regex(/^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/);

/** The hash path from a leaf to a root, the lowest first (RFC 6962, 2.1.1). */
export const inclusionProof = z.object({
  index: z.number().int(),
  size: z.number().int(),
  path: z.array(z.string()),
});

export const STATEMENT_LIMIT = 10_000;

/**
 * One side's money in one month (UTC). A line stands in the month in which it was recorded, so a month that is over does not
 * change. Amounts are signed, plus in the reader's favor: opening + all amounts = closing. [STMT-01]
 */
export const getStatement = endpoint({
  method: 'GET',
  path: '/api/statements/:month',
  summary: 'Your statement of a month, as an advertiser or a publisher, each line with its proof',
  params: z.object({ month }),
  query: pageQuery.extend({
    /** Default: the side of your role, or the publisher's side if you have both roles. */
    side: z.enum(LEDGER_SIDES).optional(),
    limit: z.coerce.number().int().min(1).max(STATEMENT_LIMIT).optional(),
  }),
  reply: z.object({
    month,
    side: z.enum(LEDGER_SIDES),
    currency: z.enum(CURRENCIES),
    mode: z.enum(['live', 'test', 'sandbox']),
    /** A publisher's balance: earned and not paid out. An advertiser's: paid, and neither delivered nor refunded. */
    opening: money,
    closing: money,
    /** Whether the month is over. */
    final: z.boolean(),
    /** The number of its document, once the month is closed. Null for a month without lines. */
    document: z.string().nullable(),
    /** The oldest first. */
    lines: z.array(
      z.object({
        at: instant,
        recordedAt: instant,
        kind: z.string(),
        adPublicId: z.string().nullable(),
        /** The number of the document about this line. */
        document: z.string().nullable(),
        amount: money,
        /** The calculation of the tax on top of earnings, such as '85.00 × 19%'. Null for other lines. */
        formula: z.string().nullable(),
        /** The balance after this line. */
        balance: money,
        /** The text of the line in the public log. */
        leaf: z.string(),
        /** Null until the next root is signed, at 00:00 UTC. */
        proof: inclusionProof.nullable(),
      }),
    ),
    /** The cursor of the next lines; null at the end. */
    next: z.string().nullable(),
  }),
  nextOf: ({ next }) => next,
});
export type Statement = Reply<typeof getStatement>;
