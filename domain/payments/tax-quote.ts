/** What a table of tax rates does to one sale, as a sentence. */
import { countryName } from '../countries.ts';
import { type Currency, decimalOf, moneyText } from '../money.ts';
import { rateText, splitTaxed, type TaxSplit, type TaxTable, taxFor } from './tax.ts';

/** Only a tax number makes a difference. The other two are charged alike. */
export const TAXED_BUYERS = ['private', 'company', 'company_with_number'] as const;
export type TaxedBuyerKind = (typeof TAXED_BUYERS)[number];

export type QuotedSale = {
  country: string;
  buyer: TaxedBuyerKind;
  /** YYYY-MM-DD in the time zone of the marketplace. */
  day: string;
  /** The price of the option, which contains the tax. */
  priceCents: number;
  commissionPercent: number;
  split: TaxSplit;
  currency: Currency;
};

const BUYERS: Record<TaxedBuyerKind, (country: string) => string> = {
  private: (country) => `A private person in ${country}`,
  company: (country) => `A company in ${country} without a tax number`,
  company_with_number: (country) => `A company in ${country} with a tax number`,
};

/** 'A private person in Germany pays $119.00 for an option of $119.00: $100.00 net and $19.00 of tax (19%). …' [OWNS-65] */
export function taxQuote(table: TaxTable | null, sale: QuotedSale): string {
  const { country, buyer, day, priceCents, commissionPercent, split, currency } = sale;
  const money = (cents: number) => moneyText(decimalOf(cents), currency);
  const tax = taxFor(table, { country, isBusiness: buyer === 'company_with_number', day });
  const parts = splitTaxed(priceCents, commissionPercent, { rate: tax?.rate ?? 0, split });
  const price = money(priceCents);
  const contains =
    tax === null
      ? 'No tax is shown, because no rule applies to this country.'
      : tax.reason === 'reverse_charge'
        ? 'It contains no tax, because the company accounts for it (reverse charge).'
        : tax.reason === 'not_taxed'
          ? 'It contains no tax, because the sale is not taxed.'
          : `It contains ${money(parts.taxCents)} of tax (${rateText(tax.rate)}), so ${money(priceCents - parts.taxCents)} is the net amount.`;
  return [
    `${BUYERS[buyer](countryName(country))} pays ${price} for an option of ${price}.`,
    contains,
    ...(tax?.sentence ? [`The receipt says: “${tax.sentence}”`] : []),
    `The publisher earns ${money(parts.earningsCents)}, and your commission is ${money(parts.feeCents)}.`,
  ].join(' ');
}
