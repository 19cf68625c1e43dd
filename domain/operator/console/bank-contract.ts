/** The calls of the console's page about payouts by bank transfer. docs/decisions/041-payouts.md */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, money } from '../../fields.ts';
import { MAX_STATEMENT_BYTES } from '../../payments/limits.ts';
import { PAYOUT_METHODS } from '../../payments/payout-contract.ts';
import { offeredAct } from './act-contract.ts';

const payout = z.object({
  id,
  userId: id,
  email: z.string(),
  holder: z.string(),
  last4: z.string(),
  amount: money,
  currency: z.string(),
  since: instant,
  /** The file that the payout is in; null while it waits for one. */
  fileId: id.nullable(),
  /** On hold, so that it waits for a later file. */
  isHeld: z.boolean(),
  acts: z.array(offeredAct),
});
export type ShownPayout = z.output<typeof payout>;

export const getBankPayouts = endpoint({
  method: 'GET',
  path: '/api/operator/bank',
  summary: 'The payouts by bank transfer that are not paid yet, and the files for the bank',
  reply: z.object({
    method: z.enum(PAYOUT_METHODS),
    /** Whether the money is real. */
    isLive: z.boolean(),
    /** Whether the operator may read statements. */
    mayRead: z.boolean(),
    waiting: z.array(payout),
    atBank: z.array(payout),
    files: z.array(
      z.object({
        id,
        madeAt: instant,
        amount: money,
        currency: z.string(),
        payouts: z.number().int(),
        /** The payouts of it that are not booked yet. */
        open: z.number().int(),
      }),
    ),
    acts: z.array(offeredAct),
  }),
});

export const statementLine = z.object({
  did: z.enum(['paid', 'returned', 'known', 'problem']),
  payout: id,
  amount: money.nullable(),
  currency: z.string().nullable(),
  statement: z.string(),
  entry: z.number().int(),
  problem: z.string().nullable(),
});
export type ShownStatementLine = z.output<typeof statementLine>;

/** The bytes that a text in base64 stands for. */
const bytesOf = (text: string): number => (text.length / 4) * 3 - (/=*$/.exec(text)?.[0].length ?? 0);

export const readBankStatement = endpoint({
  method: 'POST',
  path: '/api/operator/bank/statement',
  summary: 'Books what a statement of the bank (camt.053) says about payouts',
  body: z.object({
    /** The bytes of the file. */
    file: z
      .base64('Choose the file of the statement.')
      .min(1, 'Choose the file of the statement.')
      .refine((text) => bytesOf(text) <= MAX_STATEMENT_BYTES, {
        message: 'The file is larger than 1 MB. Read it with openslot money bank-statement.',
      }),
  }),
  reply: z.object({
    /** The effect of each entry about a payout. */
    lines: z.array(statementLine),
    /** The entries about something else. */
    others: z.number().int(),
  }),
});
