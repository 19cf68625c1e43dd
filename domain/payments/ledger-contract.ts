import { z } from 'zod';
import { REASONS } from '../delivery/reasons.ts';
import { endpoint } from '../endpoint.ts';
import { instant, money, pageQuery, referenceParams } from '../fields.ts';
import { PRICING_MODELS } from '../inventory/pricing.ts';
import { CURRENCIES } from '../money.ts';
import { DISPUTE_STAGES } from './disputes.ts';
import { HOLD_REASONS } from './holds.ts';
import { LEDGER_SIDES } from './ledger-sides.ts';

/**
 * Why a unit was not counted: a reason of the ad server, or `not_running` for the seconds of a pause or of a day
 * without an ad request.
 */
export const UNCOUNTED = [...REASONS, 'not_running'] as const;

export const LEDGER_KINDS = [
  /** The ad was paid. */
  'paid',
  /** A part of it was delivered. */
  'accrual',
  /** A part of it was delivered, but traffic was withdrawn afterwards. */
  'correction',
  /** A part of it will not be delivered. It is owed to the advertiser. */
  'undelivered',
  /** The card provider's fee, which the marketplace keeps of a canceled part. */
  'cancel_fee',
  /** More was refunded than was left of the price. The marketplace bears it. */
  'goodwill',
  /** The provider sent a refund to the advertiser. */
  'refund',
  /** A refund came back from the advertiser's bank. */
  'refund_failed',
  /** The advertiser's bank took money back for good. */
  'dispute_lost',
  /** The bank returned that money, such as after an appeal. */
  'dispute_recovered',
  /** The marketplace paid an owed refund in another way than to the card. */
  'refund_by_hand',
  /** Earnings were sent to the publisher's account. */
  'transfer',
  /** A part of a transfer was taken back. */
  'reversal',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export const ledgerEntry = z.object({
  /** The provider's time, or the end of the delivery. */
  at: instant,
  /** When it was recorded. For a line that is not posted yet, the time of this answer. */
  recordedAt: instant,
  kind: z.enum(LEDGER_KINDS),
  /** Units from `from` to `to` of `of`. Null for an amount without units. */
  from: z.number().int().nullable(),
  to: z.number().int().nullable(),
  of: z.number().int().nullable(),
  amount: money,
  /** The calculation of the amount. ⌊…⌋ rounds down to the cent. */
  formula: z.string(),
  notCounted: z.array(z.object({ reason: z.enum(UNCOUNTED), count: z.number().int() })),
  /** False for the delivery since the last entry. Entries are posted every hour. */
  isPosted: z.boolean(),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

/** One side's part of an ad's money. total = earned + refunded + kept + open, at this moment. [LEDG-06] */
export const getAdLedger = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/ledger',
  summary: "Every cent of a paid ad, for its advertiser and its zone's publisher, each their own part",
  params: referenceParams,
  query: pageQuery.extend({
    /** For a user who is both the advertiser and the publisher of the ad. Default: the advertiser's side. */
    side: z.enum(LEDGER_SIDES).optional(),
    limit: z.coerce.number().int().min(1).max(1000).optional(),
  }),
  reply: z.object({
    currency: z.enum(CURRENCIES),
    side: z.enum(LEDGER_SIDES),
    title: z.string(),
    pricingModel: z.enum(PRICING_MODELS),
    /** Views, clicks or seconds. */
    bought: z.number().int(),
    delivered: z.number().int(),
    /** The paid price: price = net + tax. With `TAX_SPLIT=net`, net = fee + earnings, else price = fee + earnings. */
    price: money,
    net: money,
    tax: money,
    /** In percent, such as '19.00'; null if no tax is shown. */
    taxRate: z.string().nullable(),
    fee: money,
    earnings: money,
    /** The price, or the publisher's earnings from it. */
    total: money,
    earned: money,
    refunded: money,
    /** The card provider's fee that the marketplace kept of a canceled part. */
    kept: money,
    open: money,
    /** The publisher's earnings that are not paid out yet, and why. Several holds of one ad cover the same money. */
    holds: z.array(z.object({ amount: money, reason: z.enum(HOLD_REASONS), since: instant })),
    /** The latest dispute about the payment; null if there was none. `dueAt`: the bank's deadline for evidence. */
    dispute: z
      .object({ stage: z.enum(DISPUTE_STAGES), amount: money, openedAt: instant, dueAt: instant.nullable() })
      .nullable(),
    /** The oldest first. */
    entries: z.array(ledgerEntry),
    /** The cursor of the next page; null on the last one. */
    next: z.string().nullable(),
  }),
  nextOf: ({ next }) => next,
});
