import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { read } from '#web/http/query.ts';

/** The expected delivery of a quantity of an option of an ad zone within these limits, before the order. Null: everybody. */
export function useZoneAvailability(
  zonePublicId: string,
  productId: number,
  quantity: number,
  enabled: boolean,
  targeting: Targeting | null = null,
) {
  const query = {
    product: String(productId),
    quantity: String(quantity),
    ...(targeting && { targeting: JSON.stringify(targeting) }),
  };
  return useQuery({ ...read(calls.getZoneAvailability, { params: { ref: zonePublicId }, query }), enabled });
}

/** The topics and pages of an ad zone that an ad can be limited to, as its visitors came from them. */
export function useAudience(zonePublicId: string) {
  return useQuery(read(calls.getAudience, { params: { ref: zonePublicId } }));
}
