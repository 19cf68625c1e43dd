/** Calls of the publisher's review, apart from api.ts, because the pages load them when the review is opened. */
import { useMutation } from '@tanstack/react-query';
import type { Ad, rejectAd } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import type { Input } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { keyOf } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshAds } from './api.ts';

export function useApproveAd() {
  return useMutation({
    mutationFn: ({ ad, trust }: { ad: Ad; trust: boolean }) =>
      call(calls.approveAd, { params: { ref: String(ad.id) }, body: { version: ad.version, trust } }),
    onSuccess: (_ad, { trust }) => {
      toast({
        title: 'Ad approved successfully',
        ...(trust && {
          description: 'Later ads for this target are approved at once. Your settings list whom you trust.',
        }),
      });
      void queryClient.invalidateQueries({ queryKey: keyOf(calls.listTrusted) });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to approve ad'),
  });
}

export function useRejectAd() {
  return useMutation({
    mutationFn: ({
      ad,
      rejectionReason,
    }: { ad: Ad } & Pick<Input<typeof rejectAd>['body'], 'rejectionReason'>) =>
      call(calls.rejectAd, {
        params: { ref: String(ad.id) },
        body: { rejectionReason, version: ad.version },
      }),
    onSuccess: () => {
      toast({ title: 'Ad rejected successfully. The advertiser has been notified.' });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to reject ad'),
  });
}

export function useBlockAdvertiser() {
  return useMutation({
    mutationFn: ({ id }: Ad) => call(calls.blockAdvertiser, { body: { ad: id } }),
    onSuccess: () => toast({ title: 'Advertiser blocked. Your settings list whom you block.' }),
    onError: (error) => failureToast(error, 'Error', 'Failed to block the advertiser'),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: keyOf(calls.listBlocked) });
      void queryClient.invalidateQueries({ queryKey: keyOf(calls.listTrusted) });
      void refreshAds();
    },
  });
}
