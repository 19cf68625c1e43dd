import { useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { read } from '#web/http/query.ts';

/** The expected delivery of a quantity of an option of an ad zone, before the order. */
export function useZoneAvailability(
  zonePublicId: string,
  productId: number,
  quantity: number,
  enabled: boolean,
) {
  const query = { product: String(productId), quantity: String(quantity) };
  return useQuery({ ...read(calls.getZoneAvailability, { params: { ref: zonePublicId }, query }), enabled });
}
