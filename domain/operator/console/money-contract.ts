/** The call of the console's page about money work. [BOOK-01] */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, money } from '../../fields.ts';
import { offeredAct } from './act-contract.ts';

/** An amount in a currency that may be another one than the marketplace's. */
const sum = { amount: money, currency: z.string() };

const difference = z.object({
  /** In words, such as 'entry without transaction'. */
  kind: z.string(),
  ref: z.string(),
  ...sum,
  since: instant,
});
export type ShownDifference = z.output<typeof difference>;

const waitingMoney = z.object({
  /** As the commands name it, such as 'payment:12'. */
  id: z.string(),
  ad: z.object({ id, title: z.string() }).nullable(),
  problem: z.string(),
  ...sum,
  since: instant,
  acts: z.array(offeredAct),
});
export type ShownWaitingMoney = z.output<typeof waitingMoney>;

export const getMoneyWork = endpoint({
  method: 'GET',
  path: '/api/operator/money',
  summary: 'The check of the books, and the money work that waits for the provider or for an operator',
  reply: z.object({
    /** Null if ledger, payments and refunds agree. */
    disagree: z.array(difference).nullable(),
    /** About the last check of everything, as a sentence. */
    whole: z.object({ text: z.string(), isProblem: z.boolean() }),
    /** The last comparison with the card provider; null before the first one. */
    provider: z.object({ comparedAt: instant, differences: z.array(difference) }).nullable(),
    /** The days after which a cancel that waits is carried out. */
    cancelDays: z.number().int(),
    cancels: z.array(
      z.object({
        ad: z.object({ id, title: z.string() }),
        ...sum,
        since: instant,
        /** '3 days' */
        waited: z.string(),
        acts: z.array(offeredAct),
      }),
    ),
    refundsOwed: z.array(waitingMoney),
    suspense: z.array(waitingMoney),
    stuck: z.array(waitingMoney),
    taxIds: z.array(
      z.object({
        userId: id,
        email: z.string(),
        taxId: z.string(),
        result: z.string(),
        isByStandIn: z.boolean(),
        requestId: z.string().nullable(),
        since: instant,
        ads: z.array(z.object({ id, title: z.string() })),
      }),
    ),
    acts: z.array(offeredAct),
  }),
});
