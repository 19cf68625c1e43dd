import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import type { Input } from '#domain/endpoint.ts';
import type { createPlan, PlacementFault } from '#domain/plans/contract.ts';
import type { Targeting } from '#domain/targeting/limits.ts';
import { refreshAds } from '#web/ads/api.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { RequestError } from '#web/http/request-error.ts';
import { toast } from '#web/ui/toast-store.ts';

export type PlanBody = Input<typeof createPlan>['body'];

export function usePlans() {
  return usePagedList(calls.listPlans, { live: { hasUser: true } });
}

/** One of the advertiser's own plans. It refreshes itself, because its publishers decide while it is shown. */
export function usePlan(ref: string) {
  return useQuery({ ...read(calls.getPlan, { params: { ref } }), ...livePolling(true) });
}

/**
 * The ad zones and prices that can be booked now, and which part of their views is within the limits. While the list changes, the
 * previous choices stay.
 */
export function useChoices(refs: readonly string[], targeting: Targeting | null = null) {
  const query = { refs: refs.join(','), ...(targeting && { targeting: JSON.stringify(targeting) }) };
  return useQuery({
    ...read(calls.listChoices, { query }),
    enabled: refs.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** The page shows a refusal, because it can belong to single ad zones. */
export function useCreatePlan() {
  return useMutation({
    mutationFn: (body: PlanBody) => call(calls.createPlan, { body }),
    onSuccess: ({ ads }) => {
      toast({
        title: 'Plan submitted',
        description: `${ads.length === 1 ? 'The publisher reviews' : `${ads.length} publishers review`} your ad now.`,
      });
      void refreshAds();
      void queryClient.invalidateQueries({ queryKey: ['/api/plans'] });
    },
  });
}

/** The refused ad zones of a submission, by their place in it. */
export function faultsOf(error: unknown): ReadonlyMap<number, string> {
  if (!(error instanceof RequestError)) return new Map();
  const { placements } = (error.body ?? {}) as { placements?: PlacementFault[] };
  return new Map(placements?.map(({ index, message }) => [index, message]));
}
