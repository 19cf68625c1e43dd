import { amountText } from '../inventory/price-text.ts';
import type { AdPlan } from '../inventory/pricing.ts';

export const HOUSE_TITLE = 'Advertise here';

/** The text of an empty zone: 'from $25.00 for 7 days', or no price if nothing is for sale. [DEL-09] */
export function houseText(option: { price: string; plan: AdPlan } | null): string {
  return option ? `from $${option.price} for ${amountText(option.plan)}` : 'This ad space is available.';
}

/** The link of an empty zone: the wizard with this ad zone selected. [DEL-09] */
export function advertiseHereUrl(publicUrl: string, websitePublicId: string, zonePublicId: string): string {
  return `${publicUrl}/create-ad?website=${websitePublicId}&zone=${zonePublicId}`;
}
