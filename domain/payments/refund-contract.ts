import { z } from 'zod';
import { ad } from '../ads/contract.ts';
import { ENDED_REASONS } from '../ads/ended.ts';
import { endpoint, type Reply } from '../endpoint.ts';
import { instant, money, pageQuery, referenceParams } from '../fields.ts';
import { CURRENCIES } from '../money.ts';
import { REFUND_STATUSES } from './refund-status.ts';

const AMOUNT_REQUIRED = 'Give the amount that you were shown, such as "12.50".';

/** The refund of an advertiser who cancels now. Units are views, clicks, or seconds of the ad's own clock. */
const quote = {
  delivered: z.number().int(),
  bought: z.number().int(),
  refundAmount: money,
};

export const getRefundQuote = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/refund-quote',
  summary: 'The refund if you cancel one of your own running campaigns now',
  params: referenceParams,
  reply: z.object({
    ...quote,
    /**
     * Until then, an ad by the day can be canceled for this amount. An ad with a goal can, until its next event is
     * counted.
     */
    validUntil: instant,
    /** The card provider's fee that is kept from the refund. `refundAmount` is what is left. */
    cancelFee: money,
    /** The sentence that the advertiser reads before a cancel: the fee, the limit and the check. */
    sentence: z.string(),
    /** How many campaigns can be canceled now. */
    cancelsLeft: z.number().int(),
  }),
});
export type RefundQuote = Reply<typeof getRefundQuote>;

/** The cancel of a large sum soon after its payment waits for the operator. */
const cancelWaits = z.object({ status: z.literal('waiting'), message: z.string() });
export type CancelWaits = z.output<typeof cancelWaits>;

export const cancelAd = endpoint({
  method: 'POST',
  path: '/api/ads/:ref/cancel',
  summary:
    'Cancel one of your own running campaigns and refund its undelivered part; 409 if that is less than the given amount',
  params: referenceParams,
  body: z.object({
    refundAmount: z
      .union([z.number(), z.string().trim()], AMOUNT_REQUIRED)
      .transform(String)
      .refine((amount) => /^\d{1,13}(?:\.\d{1,2})?$/.test(amount), AMOUNT_REQUIRED),
  }),
  reply: z.union([ad, cancelWaits]),
  statusOf: (reply) => (reply.status === 'waiting' ? 202 : 200),
});

export const listMyPayments = endpoint({
  method: 'GET',
  path: '/api/billing/payments',
  summary: 'Your payments with their refunds, newest first',
  query: pageQuery,
  reply: z.array(
    z.object({
      adPublicId: z.string(),
      title: z.string(),
      amount: money,
      currency: z.enum(CURRENCIES),
      /** `refunded`: all of it is owed to you, on its way or back. With a kept fee, `partly_refunded`. */
      status: z.enum(['paid', 'partly_refunded', 'refunded']),
      paidAt: instant,
      /** The number of its document. */
      receipt: z.string().nullable(),
      refunds: z.array(
        z.object({
          /** "0.00" if the card provider's fee took up all that was left after a cancel. */
          amount: money,
          /**
           * The card provider's fee that was kept after the cancel. Paid = delivered + all `amount` + all `cancelFee`.
           */
          cancelFee: money,
          status: z.enum(REFUND_STATUSES),
          /**
           * Why the campaign ended. `too_late`: the payment arrived when the ad could no longer go live.
           * `not_as_agreed`: another amount, currency or card account than agreed arrived. `chargeback`: the bank took
           * the money back after a dispute, and has not returned it.
           */
          reason: z.enum([...ENDED_REASONS, 'too_late', 'not_as_agreed', 'chargeback']),
          /** When the state began. */
          at: instant,
          /** The number of its document, once it has left us. */
          creditNote: z.string().nullable(),
        }),
      ),
    }),
  ),
  paged: true,
});
export type BuyerPayment = Reply<typeof listMyPayments>[number];
