import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { Days } from '#domain/analytics/days.ts';
import type { DayViews } from '#domain/analytics/page-views.ts';
import { calls } from '#domain/analytics/publisher-calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';

export function useTwoCounts(website: string, { from, to }: Days) {
  return useQuery({
    ...read(calls.getTwoCounts, { query: { website, from, to } }),
    placeholderData: keepPreviousData,
  });
}

const refresh = () => queryClient.invalidateQueries({ queryKey: [calls.getTwoCounts.path] });

export function useStorePageViews(website: string) {
  return useMutation({
    mutationFn: (days: DayViews[]) =>
      call(calls.storePageViews, { params: { ref: website }, body: { days } }),
    onSuccess: refresh,
  });
}

export function useDeletePageViews(website: string) {
  return useMutation({
    mutationFn: () => call(calls.deletePageViews, { params: { ref: website } }),
    onSuccess: () => {
      toast({ title: 'The page views were removed' });
      return refresh();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to remove the page views'),
  });
}
