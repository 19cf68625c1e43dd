/** Calls of the dialogs that change or withdraw an ad, apart from api.ts, because the pages load these dialogs when they are opened. */
import { useMutation } from '@tanstack/react-query';
import type { Ad, correctAd, resubmitAd } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import type { Input } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshAds } from './api.ts';

export function useResubmitAd() {
  return useMutation({
    mutationFn: ({ ad, ...body }: { ad: Ad } & Input<typeof resubmitAd>['body']) =>
      call(calls.resubmitAd, { params: { ref: String(ad.id) }, body }),
    onSuccess: () => {
      toast({ title: 'Ad updated and resubmitted for approval' });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to update ad'),
  });
}

export function useCorrectAd() {
  return useMutation({
    mutationFn: ({ ad, ...body }: { ad: Ad } & Input<typeof correctAd>['body']) =>
      call(calls.correctAd, { params: { ref: String(ad.id) }, body }),
    onSuccess: () => {
      toast({ title: 'Ad corrected. The publisher reviews the new version.' });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to correct ad'),
  });
}

export function useWithdrawAd() {
  return useMutation({
    mutationFn: (ad: Ad) => call(calls.withdrawAd, { params: { ref: String(ad.id) } }),
    onSuccess: () => toast({ title: 'Ad withdrawn' }),
    onError: (error) => failureToast(error, 'Error', 'Failed to withdraw ad'),
    // After a refusal, the list shows what the ad is now.
    onSettled: () => void refreshAds(),
  });
}
