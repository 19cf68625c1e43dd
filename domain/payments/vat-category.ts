/** The tax of a document in the codes of e-invoices (EN 16931). */
import { knowsTaxIds } from './tax-ids.ts';
import type { TaxReason } from './tax.ts';

/**
 * The codes of UNTDID 5305: S is taxed, Z has a rate of zero, E is exempt, AE is a reverse charge, and O is outside the
 * scope of the tax.
 */
export type VatCategory = 'S' | 'Z' | 'E' | 'AE' | 'O';

/**
 * The category of a document. One without a tax is exempt if its supplier is in a country whose VAT we know, such as that
 * of a small business, and outside the scope of VAT otherwise. [DOCU-15]
 */
export function vatCategoryOf(
  tax: { rate: number; reason: TaxReason | null } | null,
  supplier: { country: string; isAbroad: boolean },
): VatCategory {
  if (tax === null) return !supplier.isAbroad && knowsTaxIds(supplier.country) ? 'E' : 'O';
  if (tax.rate > 0) return 'S';
  return CATEGORIES[tax.reason ?? 'zero'];
}

const CATEGORIES: Record<TaxReason | 'zero', VatCategory> = {
  reverse_charge: 'AE',
  not_taxed: 'O',
  zero: 'Z',
};

/** The code of the reason why no tax is charged, of the list VATEX. An exemption has only words, because each law differs. */
export const EXEMPTION_CODES: Partial<Record<VatCategory, string>> = {
  AE: 'VATEX-EU-AE',
  O: 'VATEX-EU-O',
};
