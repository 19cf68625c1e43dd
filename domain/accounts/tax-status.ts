import { readTaxId } from '../payments/tax-ids.ts';

/** The tax status that publishers state. */
export const TAX_STATUSES = ['private', 'small_business', 'business'] as const;
export type TaxStatus = (typeof TAX_STATUSES)[number];

export const TAX_STATUS_LABELS: Record<TaxStatus, string> = {
  private: 'Private person',
  small_business: 'Small business, no tax',
  business: 'Business',
};

export type TaxDetails = {
  taxStatus: TaxStatus | null;
  chargesTax: boolean;
  agreesToSelfBilling: boolean;
  country: string | null;
  taxId: string | null;
  address: string | null;
};

/**
 * Why these details contradict each other, with the field of the message, or null. They are checked together, because a
 * self-billing document needs all of them. [OWNS-125]
 */
export function taxDetailsProblem(details: TaxDetails): { path: keyof TaxDetails; message: string } | null {
  const { taxStatus, chargesTax, agreesToSelfBilling, country, taxId, address } = details;
  if (taxStatus === 'business' && country && taxId && readTaxId(country, taxId) === null) {
    return {
      path: 'taxId',
      message: 'This tax ID doesn’t have the form of your country. Check the number and the country.',
    };
  }
  if (chargesTax && taxStatus !== 'business')
    return { path: 'chargesTax', message: 'Only a business can charge tax. Choose “Business” first.' };
  if (chargesTax && !(country && taxId)) {
    return {
      path: 'chargesTax',
      message: 'To charge tax, keep your country and tax ID in your billing details.',
    };
  }
  if (agreesToSelfBilling && (taxStatus === null || taxStatus === 'private')) {
    return {
      path: 'agreesToSelfBilling',
      message: 'Self-billing is for businesses. Choose your tax status first, or turn self-billing off.',
    };
  }
  if (agreesToSelfBilling && !(country && address)) {
    return {
      path: 'agreesToSelfBilling',
      message: 'For self-billing, keep your country and address in your billing details.',
    };
  }
  return null;
}
