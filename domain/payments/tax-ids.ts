/** The form of tax numbers of businesses, by their country, without the prefix of the country. */
const FORMS: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[A-Z\d]\d{7}[A-Z\d]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z\d+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  GB: /^(?:\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
  CH: /^E\d{9}(?:MWST|TVA|IVA)?$/,
  NO: /^\d{9}(?:MVA)?$/,
};

const OUTSIDE_THE_EU: ReadonlySet<string> = new Set(['GB', 'CH', 'NO']);

/** The prefix of a number, where it is not the code of the country. */
const PREFIXES: Readonly<Record<string, string>> = { GR: 'EL' };

/** A number without its prefix, in capitals and without spaces and punctuation. `country` is that of ISO 3166-1. */
export type TaxId = { country: string; number: string };

/** Whether we know the form of the tax numbers of this country. */
export const knowsTaxIds = (country: string): boolean => Object.hasOwn(FORMS, country);

/** Whether the EU's VIES service knows the numbers of this country. */
export const isInVies = (country: string): boolean => knowsTaxIds(country) && !OUTSIDE_THE_EU.has(country);

/** The letters before a number: the code of the country, and EL for Greece. */
export const taxIdPrefix = (country: string): string => PREFIXES[country] ?? country;

/**
 * Reads a number as people write it, such as 'DE 123 456 789'. Returns null if it has not the form of its country, and
 * undefined if we do not know the form of this country.
 */
export function readTaxId(country: string, text: string): TaxId | null | undefined {
  const form = Object.hasOwn(FORMS, country) ? FORMS[country] : undefined;
  if (form === undefined) return undefined;
  const written = text.toUpperCase().replaceAll(/[\s.\-/]/g, '');
  const prefix = [taxIdPrefix(country), country].find((each) => written.startsWith(each)) ?? '';
  // A number without its prefix can begin with the same letters, such as a French one.
  const number = [written, written.slice(prefix.length)].find((each) => form.test(each));
  return number === undefined ? null : { country, number };
}

/** Reads a number of the EU by its prefix, such as the marketplace's own. Null if it is none. */
export function readEuTaxId(text: string): TaxId | null {
  const letters = text.trim().slice(0, 2).toUpperCase();
  const country = letters === PREFIXES['GR'] ? 'GR' : letters;
  return isInVies(country) ? (readTaxId(country, text) ?? null) : null;
}

/** Such as 'IT12345678901'. */
export const taxIdText = ({ country, number }: TaxId): string => `${taxIdPrefix(country)}${number}`;
