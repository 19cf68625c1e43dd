/** The bank account of a publisher who is paid by SEPA credit transfer. [PAYO-200] */
import { z } from 'zod';
import { countryName } from '../countries.ts';

/**
 * The countries of SEPA, with the lengths of their IBANs (the registry of ISO 13616). The list of the European Payments
 * Council (EPC409-09) has 41 countries: Albania and Montenegro joined in November 2024, Moldova and North Macedonia in March
 * 2025, and Serbia on 22 May 2025. Gibraltar belongs to one of them, and has IBANs of its own.
 */
const LENGTHS = new Map(
  (
    'AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 HU28 IE22 IS26 IT27 ' +
    'LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 RS22 SE24 SI19 SK24 SM27 VA22'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);

/** The longest name in a SEPA credit transfer. */
const MAX_HOLDER = 70;

/** An IBAN in capital letters without spaces, with right check digits, of a country that SEPA transfers reach. */
export const iban = z
  .string('Enter your IBAN.')
  .max(60, 'This IBAN is too long. Copy it from your bank’s app or statement.')
  .transform((text, context) => {
    const compact = text.replaceAll(/[\s-]/g, '').toUpperCase();
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    if (compact === '') return refuse('Enter your IBAN.');
    const country = countryOfIban(compact);
    const length = LENGTHS.get(country);
    if (!hasCheckDigits(compact) || (length !== undefined && compact.length !== length))
      return refuse('This IBAN isn’t right. Copy it from your bank’s app or statement.');
    if (length === undefined)
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
  .regex(/^\P{Cc}*$/u, 'The name can’t contain line breaks.')
  .refine((text) => /[\p{L}\p{N}]/u.test(text), 'Enter the name of the account’s holder.');

/** ISO 3166-1 alpha-2. */
export const countryOfIban = (compact: string): string => compact.slice(0, 2);

/** ISO 7064, MOD 97-10: with letters as two digits and the first four characters at the end, the rest is 1. */
function hasCheckDigits(compact: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(compact)) return false;
  const digits = (compact.slice(4) + compact.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}
