/** The bank account of a publisher who is paid by SEPA credit transfer. [PAYO-200] */
import { electronicFormatIBAN, extractIBAN, isSEPACountry, isValidIBAN } from 'ibantools';
import { z } from 'zod';
import { countryName } from './payout-countries.ts';

/** The longest name in a SEPA credit transfer. */
const MAX_HOLDER = 70;

/** An IBAN in capital letters without spaces, with right check digits, of a country that SEPA transfers reach. */
export const iban = z
  .string('Enter your IBAN.')
  .max(60, 'This IBAN is too long. Copy it from your bank’s app or statement.')
  .transform((text, context) => {
    const compact = electronicFormatIBAN(text) ?? '';
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (compact === '') return refuse('Enter your IBAN.');
    if (!isValidIBAN(compact))
      return refuse('This IBAN isn’t right. Copy it from your bank’s app or statement.');
    const country = countryOfIban(compact);
    if (!isSEPACountry(country))
      return refuse(
        `Payouts to ${countryName(country)} aren’t possible. Enter an IBAN of a country in the SEPA area.`,
      );
    return compact;
  });

export const accountHolder = z
  .string('Enter the name of the account’s holder.')
  .trim()
  .min(1, 'Enter the name of the account’s holder.')
  .max(MAX_HOLDER, `The name can have at most ${MAX_HOLDER} characters.`)
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused here
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'The name can’t contain line breaks.')
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'Enter the name of the account’s holder.');

/** ISO 3166-1 alpha-2. */
export function countryOfIban(compact: string): string {
  return extractIBAN(compact).countryCode ?? compact.slice(0, 2);
}
