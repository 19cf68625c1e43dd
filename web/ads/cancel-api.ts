/** Calls of a cancel, apart from api.ts, because the pages load them when a campaign is opened. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Ad } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { read } from '#web/http/query.ts';
import { call } from '#web/http/request.ts';
import { RequestError } from '#web/http/request-error.ts';
import { formatMoney } from '#web/ui/format/format.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshAds } from './api.ts';

/**
 * The refund if the advertiser cancels now. Fetched again every minute, because the server honors the quote of a
 * per-day ad for two minutes.
 */
export function useRefundQuote({ publicId }: Ad) {
  return useQuery({
    ...read(calls.getRefundQuote, { params: { ref: publicId } }),
    gcTime: 0,
    refetchInterval: MINUTE_MS,
    // A campaign that is not running has no quote, and asking again would not help.
    retry: (failures, error) => failures < 2 && !(error instanceof RequestError && error.status === 409),
  });
}

export function useCancelAd() {
  return useMutation({
    mutationFn: ({ ad, refundAmount }: { ad: Ad; refundAmount: string }) =>
      call(calls.cancelAd, { params: { ref: ad.publicId }, body: { refundAmount } }),
    onSuccess: (canceled) => {
      if (canceled.status === 'waiting') {
        toast({ title: 'Your cancel waits', description: canceled.message });
        void refreshAds();
        return;
      }
      const { refund } = canceled;
      toast({
        title: 'Campaign canceled',
        description: refund
          ? `${formatMoney(refund.amount)} goes back to your card.`
          : 'There was nothing left to refund.',
      });
      void refreshAds();
    },
  });
}
