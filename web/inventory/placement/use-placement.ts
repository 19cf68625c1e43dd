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
  /** Whether the address names something that does not exist or can no longer be booked. */
  hasUnknown: boolean;
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
  const foundWebsite = useWebsite(websiteId);
  const zones = useZones(zoneId === null ? null : websiteId);
  const foundZone = zones.data?.find(
    ({ publicId, isActive }) => isActive && publicId === zoneId?.toLowerCase(),
  );
  const products = useProducts(product === undefined ? null : (foundZone?.publicId ?? null));
  const foundProduct = products.data?.find(({ id, isActive }) => isActive && id === product);

  const queries = [foundWebsite, zones, products];
  const isLoading = queries.some((query) => query.isLoading);
  const isError = queries.some(({ error }) => error !== null && !isUnknown(error));
  const hasUnknown =
    !isLoading &&
    !isError &&
    ((website !== null && !foundWebsite.data) ||
      (website !== null && zone !== null && !foundZone) ||
      (product !== undefined && foundZone !== undefined && !foundProduct));

  return {
    isLoading,
    isError,
    retry: () => queries.forEach((query) => query.isError && void query.refetch()),
    website: foundWebsite.data,
    zone: foundZone,
    product: foundProduct,
    hasUnknown,
  };
}

function isUnknown(error: unknown): boolean {
  return error instanceof RequestError && error.status === 404;
}
