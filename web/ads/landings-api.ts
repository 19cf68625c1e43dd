/** Calls of the panel of landings, apart from api.ts, because the pages load them when the panel is opened. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';

/** The landings of one of the advertiser's own ads. They refresh themselves, because the first one proves the set-up. */
export function useLandings(ref: string) {
  return useQuery({ ...read(calls.getLandings, { params: { ref } }), ...livePolling(true) });
}

export function useMeasureLandings(ref: string) {
  const params = { ref };
  return useMutation({
    mutationFn: (enabled: boolean) => call(calls.measureLandings, { params, body: { enabled } }),
    onSuccess: (found) => queryClient.setQueryData(read(calls.getLandings, { params }).queryKey, found),
    onError: (error) => failureToast(error, 'Error', 'Failed to change the setting'),
  });
}
