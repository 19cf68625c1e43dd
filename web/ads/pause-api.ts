/** Calls of an advertiser's pause, apart from api.ts, because only pages with the menu of a campaign need them. */
import { useMutation } from '@tanstack/react-query';
import type { Ad } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshAds } from './api.ts';

/** `until` is an instant; null: until it is resumed. */
export function usePauseAd() {
  return useMutation({
    mutationFn: ({ ad, until }: { ad: Ad; until: string | null }) =>
      call(calls.pauseAd, { params: { ref: ad.publicId }, body: { until } }),
    onSuccess: () => {
      toast({ title: 'Campaign paused' });
      void refreshAds();
    },
  });
}

export function useResumeAd() {
  return useMutation({
    mutationFn: (ad: Ad) => call(calls.resumeAd, { params: { ref: ad.publicId } }),
    onSuccess: () => toast({ title: 'Campaign resumed' }),
    onError: (error) => failureToast(error, 'Error', 'We couldn’t resume the campaign. Please try again.'),
    // After a refusal, the list shows what the ad is now.
    onSettled: () => void refreshAds(),
  });
}
