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
  zone: AdZone | undefined;
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
  const zones = useZones(zoneId === null ? null : websiteId);
  const foundWebsite = isGone(websiteQuery) ? undefined : websiteQuery.data;
  const foundZone = (foundWebsite && !isGone(zones) ? zones.data : undefined)?.find(
    ({ publicId, isActive }) => isActive && publicId === zoneId?.toLowerCase(),
  );
  const products = useProducts(product === undefined ? null : (foundZone?.publicId ?? null));
  const foundProduct = products.data?.find(({ id, isActive }) => isActive && id === product);

  const queries = [websiteQuery, zones, products];
  const isLoading = queries.some((query) => query.isLoading);
  const isError = queries.some((query) => query.data === undefined && query.error !== null && !isGone(query));

  return {
    isLoading,
    isError,
    retry: () => queries.forEach((query) => query.isError && void query.refetch()),
    website: foundWebsite,
    zone: foundZone,
    product: foundProduct,
    missing: isLoading || isError ? null : firstMissing(),
  };

  function firstMissing(): Placement['missing'] {
    if (website !== null && !foundWebsite) return 'website';
    if (website !== null && zone !== null && !foundZone) return 'zone';
    return foundZone && product !== undefined && !foundProduct ? 'option' : null;
  }
}

/** After a failed reload, a query keeps its old data. A 404 means that the publisher has deleted the object. */
function isGone({ error }: { error: unknown }): boolean {
  return error instanceof RequestError && error.status === 404;
}
