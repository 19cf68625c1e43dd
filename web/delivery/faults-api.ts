import { useMutation, useQuery } from '@tanstack/react-query';
import { calls } from '#domain/delivery/fault-calls.ts';
import type { FaultCause } from '#domain/delivery/fault-causes.ts';
import type { Faults } from '#domain/delivery/faults-contract.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';

/** The server looks for faults every minute. */
const REFRESH_MS = 60_000;

const list = read(calls.listFaults);

export function useFaults() {
  return useQuery({ ...list, refetchInterval: REFRESH_MS, refetchIntervalInBackground: false });
}

/** The causes of a website's open faults that the publisher does not expect. */
export function useFaultCauses(websitePublicId: string): FaultCause[] {
  const { data = [] } = useFaults();
  return data
    .filter((fault) => fault.websitePublicId === websitePublicId && fault.expectedAt === null)
    .map(({ cause }) => cause);
}

export function useExpectFault(id: number) {
  return useMutation({
    mutationFn: (isExpected: boolean) =>
      call(calls.setFaultExpected, { params: { id: String(id) }, body: { isExpected } }),
    onSuccess: (changed) =>
      queryClient.setQueryData<Faults>(list.queryKey, (known) =>
        known?.map((fault) => (fault.id === changed.id ? changed : fault)),
      ),
    onError: (error) => {
      failureToast(error, 'Error', 'Failed to save your answer');
      // The fault may be over.
      return queryClient.invalidateQueries(list);
    },
  });
}
