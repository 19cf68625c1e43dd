/** The call of the console's first page: what is missing before the marketplace sells, what waits, and the figures. */
import { z } from 'zod';
import { AD_TYPES } from '../../ads/types.ts';
import { endpoint } from '../../endpoint.ts';
import { instant, money } from '../../fields.ts';
import { CURRENCIES } from '../../money.ts';
import { DEFAULT_DAYS, MAX_DAYS } from '../overview.ts';
import { offeredAct } from './act-contract.ts';

/** The creative of an ad, small. */
export const thumbnail = z.object({ kind: z.enum(AD_TYPES), src: z.string().nullable() });

export const launchStep = z.object({
  name: z.string(),
  isDone: z.boolean(),
  /** What is missing, or what is there. */
  text: z.string(),
  /** The page with the form. */
  path: z.string(),
  acts: z.array(offeredAct),
});
export type LaunchStepReply = z.output<typeof launchStep>;

/** One thing that waits for an operator, of any queue. */
export const waitingThing = z.object({
  /** Of its queue and its row: 'report 7'. */
  key: z.string(),
  /** What kind of thing it is: 'Reported ad'. */
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  since: instant,
  path: z.string(),
  picture: thumbnail.nullable(),
  acts: z.array(offeredAct),
});
export type WaitingThing = z.output<typeof waitingThing>;

const side = z.object({ active: z.number().int(), new: z.number().int() });
const share = z.number().nullable();
const period = {
  from: z.iso.date(),
  to: z.iso.date(),
  sales: money,
  revenue: money,
  takeRate: share,
  publishers: side,
  advertisers: side,
  fill: share,
  hoursToApproval: z.number().nullable(),
  refunds: money,
  invalidShare: share,
};

export const overviewReply = z.object({
  ...period,
  currency: z.enum(CURRENCIES),
  uncovered: money,
  taxOwed: money,
  previous: z.object(period),
  days: z.array(z.object({ day: z.iso.date(), sales: money, revenue: money })),
});

export const getToday = endpoint({
  method: 'GET',
  path: '/api/operator/today',
  summary:
    'What is missing before the marketplace sells, what waits for an operator, and the figures of the business',
  query: z.object({ days: z.coerce.number().int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS) }),
  reply: z.object({
    /** Null outside of production, and when all of it is done. */
    launch: z.array(launchStep).nullable(),
    /** The oldest first, not all of them. */
    waiting: z.array(waitingThing),
    /** Every queue with something in it. */
    queues: z.array(z.object({ name: z.string(), path: z.string(), count: z.number().int() })),
    /** What covers the owed amounts, less these: what the operator may take out. Negative: what is missing. */
    yours: money,
    /** The same when the period before ended; null if the books were not summed up on that day. */
    yoursBefore: money.nullable(),
    overview: overviewReply,
    lastActs: z.array(
      z.object({
        id: z.number().int(),
        actedAt: instant,
        /** The address of the operator, 'command line' or 'the server'. */
        by: z.string(),
        words: z.string(),
        reason: z.string(),
      }),
    ),
  }),
});
