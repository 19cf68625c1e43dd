/** The calls of the console's pages about owed, held and disputed money. [BOOK-10] */
import { z } from 'zod';
import { COUNTRY_CODES } from '../../countries.ts';
import { endpoint } from '../../endpoint.ts';
import { id, instant, money } from '../../fields.ts';
import { DISPUTE_STAGES } from '../../payments/disputes.ts';
import { HOLD_REASONS } from '../../payments/holds.ts';
import { offeredAct } from './act-contract.ts';

export const getOperatorBooks = endpoint({
  method: 'GET',
  path: '/api/operator/books',
  summary: 'What the marketplace owes, what covers it, tax, debts, disputes and holds',
  reply: z.object({
    owed: z.object({
      publishers: money,
      refunds: money,
      deferred: money,
      suspense: money,
      tax: money,
      /** The sum of the figures above. */
      total: money,
    }),
    covered: z.object({
      providerBalance: money,
      providerClearing: money,
      bank: money,
      disputed: money,
      publishersOwe: money,
      unearnedCommission: money,
      /** The sum of the figures above. */
      total: money,
    }),
    /** The covered amounts less the owed ones: the marketplace's own. Below zero if something is not covered. */
    yours: money,
    /** Earnings that publishers gave up. They are in `yours`. */
    waived: money,
    ageing: z.array(z.object({ days: z.string(), publishers: money, refunds: money })),
    taxOwed: z.array(
      z.object({
        country: z.enum(COUNTRY_CODES),
        /** '19.00' */
        rate: z.string(),
        /** Below zero if the state owes it. */
        amount: money,
        output: money,
        input: money,
        acts: z.array(offeredAct),
      }),
    ),
    creditors: z.array(z.object({ userId: id, email: z.string().nullable(), amount: money })),
    debtors: z.array(
      z.object({
        userId: id,
        name: z.string(),
        email: z.string().nullable(),
        amount: money,
        changedAt: instant,
        isDoubtful: z.boolean(),
        acts: z.array(offeredAct),
      }),
    ),
    disputes: z.array(
      z.object({
        /** The provider's. */
        id: z.string(),
        ad: z.object({ id, title: z.string() }),
        stage: z.enum(DISPUTE_STAGES),
        /** The provider's words. */
        status: z.string(),
        reason: z.string(),
        amount: money,
        currency: z.string(),
        openedAt: instant,
        dueAt: instant.nullable(),
        evidence: z.enum(['none', 'staged', 'sending', 'sent']),
        evidenceError: z.string().nullable(),
        /** Whether the bank takes evidence now. */
        isAnswerable: z.boolean(),
      }),
    ),
    holds: z.array(
      z.object({
        id,
        userId: id,
        email: z.string().nullable(),
        /** Null for all earnings of the publisher. */
        ad: z.object({ id, title: z.string() }).nullable(),
        reason: z.enum(HOLD_REASONS),
        amount: money,
        since: instant,
        /** When it ends by itself. */
        until: instant.nullable(),
        acts: z.array(offeredAct),
      }),
    ),
  }),
});

export const getDisputeEvidence = endpoint({
  method: 'GET',
  path: '/api/operator/evidence/:id',
  summary: 'The evidence of a dispute, as the bank would read it',
  params: z.object({ id: z.string().regex(/^\w{1,100}$/, 'Not found') }),
  reply: z.object({
    id: z.string(),
    evidence: z.array(z.object({ name: z.string(), text: z.string() })),
    acts: z.array(offeredAct),
  }),
});
