/** The wording of a website's facts that the catalogue's pages share. */
import { QUOTA_ENDS_AFTER_DAYS } from '#domain/ads/silence.ts';
import { AD_KINDS, AD_TYPES } from '#domain/ads/types.ts';
import type { MarketplaceWebsite, Product } from '#domain/inventory/contract.ts';
import { soldText, priceText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { hasChoice, largestQuantity, timesPlan, totalCentsAt } from '#domain/inventory/quantity.ts';
import { adSpaceAddress } from '#domain/inventory/wizard-address.ts';
import { type Currency, decimalOf } from '#domain/money.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { newPlanAddress } from '#domain/plans/shortlist.ts';
import { cardAddress } from '#server/platform/brand/pictures.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { initialsOf, spreadOf } from '#domain/inventory/website-initials.ts';

/** Such as '300 × 250'. */
export function sizeText({ width, height }: { width: number; height: number }): string {
  return `${width} × ${height}`;
}

/** The cheapest option with what it buys; null if nothing is for sale now. */
export function lowestOfferText({ lowestOffer }: MarketplaceWebsite, currency: Currency): string | null {
  return lowestOffer && priceText(lowestOffer.price, planOf(lowestOffer), currency);
}

/** The price of the smallest quantity of an option, as '20.00'. */
export function smallestPrice(option: Product): string {
  return decimalOf(totalCentsAt(option, option.minQuantity));
}

/** The smallest quantity with its price, such as '$25.00 for 7 days ($3.57 a day)'. */
export function optionText(option: Product, currency: Currency): string {
  return priceText(smallestPrice(option), timesPlan(planOf(option), option.minQuantity), currency);
}

/** Notes on an option for advertisers: larger quantities, their prices, and how long the smallest one takes. */
export function optionNotes(option: Product, currency: Currency): string[] {
  const plan = planOf(option);
  const amountAt = (quantity: number) => soldText(timesPlan(plan, quantity));
  const step = option.step > 1 ? `, in steps of ${amountAt(option.step)}` : '';
  return [
    ...(hasChoice(option) ? [`Up to ${amountAt(largestQuantity(option))}${step}`] : []),
    ...option.volumePrices.map(
      ({ fromQuantity, price }) => `From ${amountAt(fromQuantity)} on: ${priceText(price, plan, currency)}`,
    ),
    ...(option.finishes && option.pricingModel !== 'per_day' && option.expectedDays !== null
      ? [`Should take about ${option.expectedDays === 1 ? 'a day' : `${option.expectedDays} days`}`]
      : []),
    ...(option.finishes
      ? []
      : [`May not finish within ${QUOTA_ENDS_AFTER_DAYS} days. What isn’t delivered by then is refunded`]),
  ];
}

export function adTypesText({ adTypes }: Pick<MarketplaceWebsite, 'adTypes'>): string {
  return AD_TYPES.filter((type) => adTypes.includes(type))
    .map((type) => AD_KINDS[type].name)
    .join(', ');
}

/** Whether our server found a proof that the website is the publisher's own. */
export function verification({ isVerified }: Pick<MarketplaceWebsite, 'isVerified'>): Markup {
  return isVerified
    ? html`<span class="verified"><svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m2.5 8.5 3.5 3.5 7.5-8"/></svg>Verified</span>`
    : html`<span class="unverified">Unverified</span>`;
}

/** The specification's ad-space link: the wizard with this ad zone selected, for the type of ad that it sells. [SITE-600] */
export function adSpaceLink(
  website: { publicId: string },
  zone: { publicId: string; products: readonly Pick<Product, 'adType'>[] },
): string {
  const sold = zone.products.map(({ adType }) => adType);
  return adSpaceAddress(website.publicId, zone.publicId, sold);
}

/** Adds the ad zone to the plan that the advertiser is building (domain/plans/shortlist.ts). */
export function addToPlanLink({ publicId }: { publicId: string }): string {
  return newPlanAddress([{ ref: publicId }]);
}

const TONES = 3;

/** The picture of a website, or its initials. Its name stands beside it, so it says nothing to a screen reader. */
export function sitePicture({ name, picture }: { name: string; picture: string | null }): Markup {
  if (picture !== null)
    return html`<img class="site-picture" src="${picture}" alt="" width="72" height="72" loading="lazy">`;
  return html`<svg class="site-picture tone-${spreadOf(name) % TONES}" viewBox="0 0 72 72" width="72" height="72" aria-hidden="true"><rect width="72" height="72"/><text x="36" y="37" font-size="27">${initialsOf(name)}</text></svg>`;
}

/** The address of the picture of link previews: the website's, or the marketplace's if it has one. */
export function previewPicture({ publicUrl, brand }: Config, picture: string | null): string | undefined {
  const path = picture ?? cardAddress(brand);
  return path === null ? undefined : publicUrl + path;
}
