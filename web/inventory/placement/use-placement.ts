import type { AdZone, MarketplaceWebsite, Product } from '#domain/inventory/contract.ts';
import { RequestError } from '#web/http/request-error.ts';
import { useProducts, useWebsite, useZones } from '../api.ts';

/** The placement as named in the wizard's address. */
export type PlacementRefs = { website: string | null; zone: string | null; product: number | undefined };

export type Placement = {
  isLoading: boolean;
  isError: boolean;
  retry: () => void;
  website: MarketplaceWebsite | undefined;
  /** The ad zones of the website that can be booked. */
  zones: readonly AdZone[];
  /** The zone that the address names, or the only one of the website. */
  zone: AdZone | undefined;
  /** The options of the zone that can be bought; undefined while they load. */
  products: readonly Product[] | undefined;
  /** The option that the address names. */
  product: Product | undefined;
  /** The part of the address that can't be booked, or not any more; null if there is none. */
  missing: 'website' | 'zone' | 'option' | null;
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Accepts only UUIDs, so that a number in the address is never read as an internal id. [OP-013] */
function uuidOrNull(ref: string | null): string | null {
  return ref !== null && UUID.test(ref) ? ref : null;
}

/** Loads the placement that the address names. A zone without its website is ignored. [OP-052] */
export function usePlacement({ website, zone, product }: PlacementRefs): Placement {
  const websiteId = uuidOrNull(website);
  const zoneId = websiteId && uuidOrNull(zone);
  const websiteQuery = useWebsite(websiteId);
  const zonesQuery = useZones(websiteId);
  const foundWebsite = isGone(websiteQuery) ? undefined : websiteQuery.data;
  // The owner of a website also receives its inactive ad zones.
  const zones = foundWebsite && !isGone(zonesQuery) ? (zonesQuery.data ?? []) : [];
  const open = zones.filter(({ isActive }) => isActive);
  const only = open.length === 1 ? open[0] : undefined;
  const foundZone = zone === null ? only : open.find(({ publicId }) => publicId === zoneId?.toLowerCase());
  const productsQuery = useProducts(zone === null ? (only?.publicId ?? null) : zoneId);
  const products = foundZone && productsQuery.data?.filter(({ isActive }) => isActive);
  const foundProduct = products?.find(({ id }) => id === product);

  // The options of a zone that is chosen here are awaited where they are shown.
  const needed = [websiteQuery, zonesQuery, ...(product === undefined ? [] : [productsQuery])];
  const isLoading = needed.some((query) => query.isLoading);
  const queries = [websiteQuery, zonesQuery, productsQuery];
  const isError = queries.some((query) => query.data === undefined && query.error !== null && !isGone(query));

  return {
    isLoading,
    isError,
    retry: () => queries.forEach((query) => query.isError && void query.refetch()),
    website: foundWebsite,
    zones: open,
    zone: foundZone,
    products,
    product: foundProduct,
    missing: isLoading || isError ? null : firstMissing(),
  };

  function firstMissing(): Placement['missing'] {
    if (website === null) return null;
    if (!foundWebsite) return 'website';
    if (zone !== null && !foundZone) return 'zone';
    return foundZone && product !== undefined && !foundProduct ? 'option' : null;
  }
}

/** After a failed reload, a query keeps its old data. A 404 means that the publisher has deleted the object. */
function isGone({ error }: { error: unknown }): boolean {
  return error instanceof RequestError && error.status === 404;
}
