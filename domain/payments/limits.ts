import type { Currency } from '../money.ts';
import { MINUTE_MS } from '../time.ts';

/**
 * The smallest charge in each currency, in cents
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). [OP-099]
 */
export const MINIMUM_CENTS: Readonly<Record<Currency, number>> = {
  USD: 50,
  EUR: 50,
  GBP: 30,
  CAD: 50,
  AUD: 50,
};

/**
 * The largest charge, in cents: eight digits in each of our currencies
 * (https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts).
 */
export const MAXIMUM_CENTS = 99_999_999;

/**
 * After this many declines within the window, further attempts of the user, the card or the network are blocked. The
 * limit of a network is higher, because many users share its addresses. [HOOK-07]
 */
export const DECLINES_ALLOWED = 5;
export const NETWORK_DECLINES_ALLOWED = 20;
export const DECLINE_WINDOW_SECONDS = 60 * 60;

/** A payment is checked with the provider after this time, and then less and less often. [HOOK-05] */
export const FIRST_CHECK_MS = 5 * MINUTE_MS;

/** Lost events are fetched from the provider this often. */
export const POLL_MS = 10 * MINUTE_MS;

/** SEPA moves no other currency. */
export const SEPA_CURRENCY: Currency = 'EUR';

/** Some hundred payments. The server parses a statement of this size in up to half a second, between ad requests. */
export const MAX_STATEMENT_BYTES = 1024 ** 2;
