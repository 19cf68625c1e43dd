import { z } from 'zod';
import { ad } from '../ads/contract.ts';
import { endpoint, type Reply } from '../endpoint.ts';
import { id, CONTROL_CHARACTERS, isOneLine, isPlainText, LINE_BREAKS, okReply } from '../fields.ts';
import { CURRENCIES } from '../money.ts';
import { COUNTRY_CODES } from '../countries.ts';

/** The payment provider, and what its form in the browser needs. */
export const paymentsConfig = endpoint({
  method: 'GET',
  path: '/api/payments/config',
  summary: 'The card provider in use',
  reply: z.object({
    provider: z.enum(['stripe', 'sandbox']),
    mode: z.enum(['live', 'test', 'sandbox']),
    publishableKey: z.string().optional(),
    /** The currency of every price and charge. */
    currency: z.enum(CURRENCIES),
    /** Shown on every page that deals with money while no real money moves. */
    notice: z.string().optional(),
    /** The path of the page for rehearsals. Set in development. */
    rehearsal: z.string().optional(),
  }),
});

const text = (max: number) => z.string().trim().max(max).refine(isOneLine, LINE_BREAKS).nullish();

/** The person or company that the receipt names. Fields that are left out are not on it. */
export const receiptFor = z.object({
  company: text(200),
  name: text(200),
  address: z
    .string()
    .trim()
    .max(500, 'Use at most 500 characters.')
    .refine(isPlainText, CONTROL_CHARACTERS)
    .nullish(),
  country: z
    .union([z.literal(''), z.enum(COUNTRY_CODES, 'Give the country as its two-letter code, such as DE.')])
    .nullish(),
  taxId: text(50),
  /** The advertiser's own, such as an order number. */
  reference: text(100),
});
export type ReceiptFor = z.output<typeof receiptFor>;

export const createPaymentIntent = endpoint({
  method: 'POST',
  path: '/api/create-payment-intent',
  summary: 'Begin or resume the payment of an approved ad; the charge is always the stored price',
  body: z.object({
    /** In the marketplace's currency. Refused if it differs from the stored price. [OP-092] */
    amount: z.union([z.number(), z.string().trim()]).transform(String),
    adPublicId: z.uuid(),
    /** Without it, the receipt names what the settings say. With null, too, also after an earlier call named another. */
    receiptFor: receiptFor.nullish(),
    /** The version of the terms that the payment page links. 409 if another one is published now. */
    acceptedTerms: z.number().int().optional(),
  }),
  reply: z.object({ clientSecret: z.string() }),
});

/** The browser's report is not proof of payment, so the server asks the provider. [OP-094] */
export const paymentSuccess = endpoint({
  method: 'POST',
  path: '/api/payment-success',
  summary: 'Make an ad live once the provider confirms its payment; repeating changes nothing',
  body: z.object({ paymentIntentId: z.string().min(1).max(200) }),
  reply: z.discriminatedUnion('success', [
    z.object({ success: z.literal(true), ad }),
    /** The bank has not decided yet. The ad goes live by itself if it agrees. */
    z.object({ success: z.literal(false), status: z.literal('processing'), message: z.string() }),
  ]),
  statusOf: ({ success }) => (success ? 200 : 202),
});

/** A card that is kept for "Pay when approved" can pay at the checkout, too. [CHK-600] */
export const findSavedCard = endpoint({
  method: 'GET',
  path: '/api/payments/saved-card',
  summary: 'The card that you saved last and that is still kept, for the checkout; null if there is none',
  reply: z.object({
    card: z
      .object({
        id: z.number().int(),
        brand: z.string(),
        last4: z.string(),
        expMonth: z.number(),
        expYear: z.number(),
      })
      .nullable(),
  }),
});
export type SavedCard = NonNullable<Reply<typeof findSavedCard>['card']>;

export const payWithSavedCard = endpoint({
  method: 'POST',
  path: '/api/payments/saved-card',
  summary:
    'Charge the begun payment of an approved ad to your saved card; 402 with the bank’s reason if it declines',
  body: z.object({ adPublicId: z.uuid(), cardId: id }),
  /** `requires_action`: the bank wants you to confirm the payment, with the client secret of the payment. */
  reply: z.object({ paymentIntentId: z.string(), status: z.enum(['succeeded', 'requires_action']) }),
});

/** Replaces the provider's card form in the sandbox. It does not exist with a real provider. */
export const sandboxConfirm = endpoint({
  method: 'POST',
  path: '/api/sandbox/confirm',
  summary: 'Sandbox only: pay an intent with one of the listed test cards, or save the card',
  body: z.object({
    clientSecret: z.string().min(1).max(200),
    number: z.string().max(40),
    expMonth: z.coerce.number().int().min(1).max(12),
    expYear: z.coerce.number().int().min(0).max(2100),
    cvc: z.string().regex(/^\d{3,4}$/, "Your card's security code is incomplete."),
  }),
  reply: z.union([
    z.object({ paymentIntentId: z.string(), status: z.enum(['succeeded', 'requires_action']) }),
    z.object({ setupIntentId: z.string(), status: z.enum(['succeeded', 'requires_action']) }),
  ]),
});

export const sandboxAuthenticate = endpoint({
  method: 'POST',
  path: '/api/sandbox/authenticate',
  summary: "Sandbox only: answer the bank's challenge",
  body: z.object({ clientSecret: z.string().min(1).max(200), outcome: z.enum(['complete', 'fail']) }),
  reply: z.union([
    z.object({ paymentIntentId: z.string(), status: z.literal('succeeded') }),
    z.object({ setupIntentId: z.string(), status: z.literal('succeeded') }),
  ]),
});

/** Replaces the provider's onboarding in the sandbox, which asks for no documents. */
export const sandboxOnboard = endpoint({
  method: 'POST',
  path: '/api/sandbox/onboarding',
  summary: 'Sandbox only: complete your payout set-up, or leave documents missing',
  body: z.object({ outcome: z.enum(['complete', 'missing']) }),
  reply: okReply,
});
