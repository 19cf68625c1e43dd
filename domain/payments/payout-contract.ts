import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import type { ErrorReason } from '../error-reasons.ts';
import { instant, money } from '../fields.ts';
import { CURRENCIES } from '../money.ts';
import { accountHolder, iban } from './bank-account.ts';
import { HOLD_REASONS } from './holds.ts';

/** `connect`: the card provider pays publishers. `bank`: the operator does, by bank transfer. */
export const PAYOUT_METHODS = ['connect', 'bank'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** Whether the publisher can be paid. Only `ready` receives transfers. */
export const PAYOUT_ACCOUNT_STATES = ['none', 'pending', 'restricted', 'ready'] as const;
export type PayoutAccountState = (typeof PAYOUT_ACCOUNT_STATES)[number];

/** `sent`: on its way to the bank. `reversed`: taken back, because the money went back to an advertiser. */
export const PAYOUT_STATUSES = ['sent', 'paid', 'failed', 'reversed'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Why nothing can be paid out now. */
export type PayoutRefusal = Extract<ErrorReason, 'below_minimum' | 'held' | 'not_onboarded' | 'running'>;

const account = z.object({
  state: z.enum(PAYOUT_ACCOUNT_STATES),
  /** ISO 3166-1 alpha-2; null before the first onboarding, which fixes it. */
  country: z.string().length(2).nullable(),
  /** The steps that are still missing, as sentences. */
  requirements: z.array(z.string()),
});
export type PayoutAccount = z.output<typeof account>;

const bankAccount = z.object({ holder: z.string(), last4: z.string() }).nullable();
export type BankAccount = NonNullable<z.output<typeof bankAccount>>;

export const getPayouts = endpoint({
  method: 'GET',
  path: '/api/payouts',
  summary: 'Your earnings: paid out, available, pending and on hold, with the reasons',
  reply: z.object({
    currency: z.enum(CURRENCIES),
    /** Earned and inside its hold days. */
    pending: money,
    /** The amount of the next payout. */
    available: money,
    /** On hold for the reasons in `holds`. */
    held: money,
    paidOut: money,
    /** The amount that you owe the marketplace, because it went back to an advertiser after it was paid out to you. */
    owed: money,
    /**
     * The tax that self-billing documents added to your earnings. It is part of the amounts above: earnings + tax = pending +
     * available + held + paidOut − owed.
     */
    tax: money,
    holds: z.array(
      z.object({
        id: z.number().int(),
        amount: money,
        reason: z.enum(HOLD_REASONS),
        /** The earliest end of a hold that ends by itself; null if it waits for a decision. */
        until: instant.nullable(),
        /** Null if the hold is for all earnings. */
        adPublicId: z.string().nullable(),
        adTitle: z.string().nullable(),
      }),
    ),
    nextPayoutAt: instant,
    /**
     * The weekly payouts of what you have earned by now, the next one first: an amount of `available` or `pending` that is
     * missing here stays below the smallest payout.
     */
    expected: z.array(z.object({ at: instant, amount: money })),
    /** The smallest payout. */
    minimum: money,
    /** The marketplace's share of your new ads: 15, or 7.5. */
    commissionPercent: z.number(),
    method: z.enum(PAYOUT_METHODS),
    account,
    /** With the method `bank`, the account that was saved last. Of its IBAN, only the last four characters are shown. */
    bankAccount,
    /** Newest first. */
    history: z.array(
      z.object({
        id: z.number().int(),
        at: instant,
        amount: money,
        status: z.enum(PAYOUT_STATUSES),
        /** The failure and the next step; null if nothing failed. */
        message: z.string().nullable(),
      }),
    ),
  }),
});
export type Payouts = Reply<typeof getPayouts>;

export const requestPayout = endpoint({
  method: 'POST',
  path: '/api/payouts',
  summary: 'Pay out your available balance now; 409 with the reason if that is not possible',
  body: z.object({
    /** For an account that will be deleted: also an amount below the minimum, if no campaign runs in its ad zones. */
    final: z.boolean().optional(),
  }),
  reply: z.object({ id: z.number().int(), amount: money, status: z.enum(PAYOUT_STATUSES) }),
  status: 201,
});

export const startOnboarding = endpoint({
  method: 'POST',
  path: '/api/payouts/account',
  summary: 'A fresh link to the card provider, where you enter what it needs to pay you',
  body: z.object({
    country: z
      .string('Choose your country.')
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'Choose your country.'),
  }),
  reply: z.object({ url: z.string() }),
});

export const saveBankAccount = endpoint({
  method: 'PUT',
  path: '/api/payouts/bank-account',
  summary: 'The bank account for your payouts, where the marketplace pays by bank transfer',
  body: z.object({ holder: accountHolder, iban }),
  reply: z.object({ account, bankAccount }),
});
