import { AD_TYPES, type AdType } from '#domain/ads/types.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { allowsQuantity, totalCentsAt } from '#domain/inventory/quantity.ts';
import { firstType } from '#domain/inventory/wizard-address.ts';
import { type Placement, usePlacement } from './use-placement.ts';

export type Booking = ReturnType<typeof useBooking>;

/** The booking that the wizard's address has chosen: place, type, option, quantity and start (domain/inventory/wizard-address.ts). */
export function useBooking(params: URLSearchParams) {
  const placement = usePlacement({
    website: params.get('website'),
    zone: params.get('zone'),
    product: numberOf(params.get('option')),
  });
  const named = AD_TYPES.find((type) => type === params.get('type')) ?? placement.product?.adType;
  const sold = typesSold(placement);
  const adType = typeOf(named, placement, sold);
  const product =
    placement.product?.adType === adType ? placement.product : cheapest(placement.products, adType);
  return {
    placement,
    /** The type that the address names. */
    named,
    sold,
    /** Null as long as it has to be chosen. */
    adType,
    product,
    quantity: quantityOf(params.get('quantity'), product),
    startDay: dayOf(params.get('start')),
  };
}

/**
 * The types that can be bought in the ad zone, or else on the website. All of them before a place is chosen, and where
 * nothing is sold, because the booking then says so.
 */
function typesSold({ website, zone, products }: Placement): readonly AdType[] {
  const sold = zone && products ? products.map(({ adType }) => adType) : (website?.adTypes ?? []);
  const types = AD_TYPES.filter((type) => sold.includes(type));
  return types.length > 0 ? types : AD_TYPES;
}

/** The type that the address names, if it is sold there; otherwise that of an ad-space link, or the only one. [OP-051] */
function typeOf(
  named: AdType | undefined,
  { website, zone, missing }: Placement,
  sold: readonly AdType[],
): AdType | null {
  if (named && (!zone || sold.includes(named))) return named;
  if (zone) return firstType(sold);
  return website && sold.length === 1 && !missing ? (sold[0] ?? null) : null;
}

/** The option that the ad zone is advertised with: the booking begins with its price. */
function cheapest(products: readonly Product[] | undefined, adType: AdType | null): Product | undefined {
  const price = (option: Product) => totalCentsAt(option, option.minQuantity);
  return products?.filter((each) => each.adType === adType).toSorted((a, b) => price(a) - price(b))[0];
}

/** The quantity that the address names, or the smallest one of the price. */
function quantityOf(text: string | null, product: Product | undefined): number {
  const named = numberOf(text) ?? 0;
  return product && allowsQuantity(product, named) ? named : (product?.minQuantity ?? 1);
}

/** A day such as '2026-12-03'. */
function dayOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
