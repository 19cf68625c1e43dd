import { z } from 'zod';
import type { AdZone, MarketplaceWebsite, Product } from '#domain/inventory/contract.ts';
import { RequestError } from '#web/http/request-error.ts';
import { useProducts, useWebsite, useZones } from '../api.ts';

/** As an address names it. */
export type PlacementRefs = { website: string | null; zone: string | null; product: number | undefined };

export type Placement = {
  isLoading: boolean;
  isError: boolean;
  retry: () => void;
  website: MarketplaceWebsite | undefined;
  zone: AdZone | undefined;
  product: Product | undefined;
  /** The address names something that is not there, or can no longer be booked. */
  hasUnknown: boolean;
};

const uuid = z.uuid();

/** Only a uuid names a website or zone here; a number is never taken for an internal id (OP-013). */
function uuidOrNull(ref: string | null): string | null {
  return uuid.safeParse(ref).success ? ref : null;
}

/** Finds what the address names. A zone without its website is ignored (OP-052). */
export function usePlacement({ website, zone, product }: PlacementRefs): Placement {
  const websiteId = uuidOrNull(website);
  const zoneId = websiteId && uuidOrNull(zone);
  const found = useWebsite(websiteId);
  const zones = useZones(zoneId === null ? null : websiteId);
  const theZone = zones.data?.find(
    ({ publicId, isActive }) => isActive && publicId === zoneId?.toLowerCase(),
  );
  const products = useProducts(product === undefined ? null : (theZone?.publicId ?? null));
  const theProduct = products.data?.find(({ id, isActive }) => isActive && id === product);

  const queries = [found, zones, products];
  const isLoading = queries.some((query) => query.isLoading);
  const isError = queries.some(({ error }) => error !== null && !isUnknown(error));
  const hasUnknown =
    !isLoading &&
    !isError &&
    ((website !== null && !found.data) ||
      (website !== null && zone !== null && !theZone) ||
      (product !== undefined && theZone !== undefined && !theProduct));

  return {
    isLoading,
    isError,
    retry: () => queries.forEach((query) => query.isError && void query.refetch()),
    website: found.data,
    zone: theZone,
    product: theProduct,
    hasUnknown,
  };
}

function isUnknown(error: unknown): boolean {
  return error instanceof RequestError && error.status === 404;
}
