import { useMutation, useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import type { AdContent } from '#domain/ads/changes.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { keyOf, read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshAds } from './api.ts';

/** The second creatives of one of the advertiser's own campaigns, newest first. They refresh, because the publisher answers. */
export function useVariants(ref: string) {
  return useQuery({ ...read(calls.listVariants, { params: { ref } }), ...livePolling(true) });
}

/** `refreshAds` reads the lists of ads again, but no call about one ad. */
function refresh(ref: string): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(calls.listVariants, { params: { ref } }) });
  void refreshAds();
}

export function useAddVariant(ref: string) {
  return useMutation({
    mutationFn: (body: AdContent) => call(calls.addVariant, { params: { ref }, body }),
    onSuccess: ({ status }) => {
      toast(
        status === 'approved'
          ? { title: 'Creative approved', description: 'It is shown in turn with your first one.' }
          : { title: 'Creative submitted', description: 'The publisher reviews it.' },
      );
      refresh(ref);
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to submit the creative'),
  });
}

export function useRemoveVariant(ref: string) {
  return useMutation({
    mutationFn: (variant: string) => call(calls.removeVariant, { params: { ref, variant } }),
    onSuccess: () => toast({ title: 'Creative removed' }),
    onError: (error) => failureToast(error, 'Error', 'Failed to remove the creative'),
    // After a refusal, the page shows what the creative is now.
    onSettled: () => refresh(ref),
  });
}
