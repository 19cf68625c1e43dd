import { amountText } from '../inventory/price-text.ts';
import type { AdPlan } from '../inventory/pricing.ts';
import { wizardAddress } from '../inventory/wizard-address.ts';
import { type Currency, moneyText } from '../money.ts';

export const HOUSE_TITLE = 'Advertise here';

/** The text of an empty zone: 'from $25.00 for 7 days', or no price if nothing is for sale. */
export function houseText(option: { price: string; plan: AdPlan } | null, currency: Currency): string {
  if (!option) return 'This ad space is available.';
  return `from ${moneyText(option.price, currency)} for ${amountText(option.plan)}`;
}

/** The link of an empty zone: the wizard with this ad zone selected. */
export function advertiseHereUrl(publicUrl: string, websitePublicId: string, zonePublicId: string): string {
  return publicUrl + wizardAddress({ website: websitePublicId, zone: zonePublicId });
}
