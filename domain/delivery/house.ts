import { amountText } from '../inventory/price-text.ts';
import type { AdPlan } from '../inventory/pricing.ts';

export const HOUSE_TITLE = 'Advertise here';

/** What an empty zone says of itself: 'from $25.00 for 7 days', or no price where nothing is for sale. */
export function houseText(offer: { price: string; plan: AdPlan } | null): string {
  return offer ? `from $${offer.price} for ${amountText(offer.plan)}` : 'This ad space is available.';
}

/** Where the empty zone leads: the wizard, with this place chosen (specification, section 2). */
export function advertiseHereUrl(publicUrl: string, websitePublicId: string, zonePublicId: string): string {
  return `${publicUrl}/create-ad?website=${websitePublicId}&zone=${zonePublicId}`;
}
