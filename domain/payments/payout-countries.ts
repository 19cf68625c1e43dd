import { countryName } from '../countries.ts';

/**
 * The countries whose publishers can be paid: those between which Stripe lets a platform transfer shares of its charges
 * (https://docs.stripe.com/connect/cross-border-payouts: the US, the UK, the EEA, Canada and Switzerland), as far as Stripe
 * opens accounts there. The sandbox has the same list, so that a rehearsal meets the same refusals.
 */
export const PAYOUT_COUNTRIES = [
  'AT',
  'BE',
  'BG',
  'CA',
  'CH',
  'CY',
  'CZ',
  'DE',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GB',
  'GR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LI',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'NO',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
  'US',
] as const;

export const canBePaidIn = (country: string): boolean =>
  PAYOUT_COUNTRIES.some((payable) => payable === country);

/** The countries by name, for a form. */
export function payoutCountries(): { value: string; label: string }[] {
  return PAYOUT_COUNTRIES.map((value) => ({ value, label: countryName(value) })).toSorted((one, other) =>
    one.label.localeCompare(other.label, 'en'),
  );
}
