import { useMutation, useQuery } from '@tanstack/react-query';
import type { confirmTarget, correctAd, createAd, rejectAd, resubmitAd, Ad } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import type { Input } from '#domain/endpoint.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { usePagedList } from '#web/http/paged-list.ts';
import { keyOf, read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { RequestError } from '#web/http/request-error.ts';
import { formatMoney } from '#web/ui/format/format.ts';
import { toast } from '#web/ui/toast-store.ts';

type Body<E> = Input<E> extends { body: infer B } ? B : never;

/** The advertiser's own ads, refreshed automatically for the dashboard. [OP-069] */
export function useMyAds(enabled = true) {
  return usePagedList(calls.listMyAds, { live: { hasUser: enabled } });
}

/** The days that the advertiser waits for, refreshed automatically, because an offer lasts for 24 hours. */
export function useWaitingList() {
  return usePagedList(calls.listWaitingEntries, { live: { hasUser: true } });
}

export function useLeaveWaitingList() {
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call(calls.leaveWaitingList, { params: { id: String(id) } }),
    onSuccess: () => {
      toast({ title: 'You don’t wait for these days any more' });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to leave the waiting list'),
  });
}

/** Ads waiting for the publisher's approval, refreshed automatically. */
export function usePendingAds(enabled = true) {
  return usePagedList(calls.listPendingAds, { live: { hasUser: enabled } });
}

/** One of the advertiser's own ads, by id or public id. Never cached, because the checkout depends on its status. */
export function useAd(ref: string) {
  return useQuery({ ...read(calls.getAd, { params: { ref } }), gcTime: 0 });
}

/** Ad zones on other websites that could show one of the advertiser's own ads. */
export function useSimilarZones(ref: string) {
  return useQuery(read(calls.getSimilarZones, { params: { ref } }));
}

/** The forecast for one of the advertiser's own ads in its ad zone. */
export function useAvailability(ref: string) {
  return useQuery(read(calls.getAvailability, { params: { ref } }));
}

/**
 * An ad as its publisher or its advertiser sees it. Never cached, because a review decision depends on it, and refreshed
 * while it is shown, because it may be decided in another tab or by the other side. [EASE-06]
 */
export function useAdDetails(ref: string | null) {
  return useQuery({
    ...read(calls.getAdDetails, { params: { ref: ref ?? '' } }),
    ...livePolling(ref !== null),
    gcTime: 0,
  });
}

/** The landings of one of the advertiser's own ads. They refresh themselves, because the first one proves the set-up. */
export function useLandings(ref: string) {
  return useQuery({ ...read(calls.getLandings, { params: { ref } }), ...livePolling(true) });
}

/** The results of one of the advertiser's own ads, refreshed like its landings. */
export function useResults(ref: string) {
  return useQuery({ ...read(calls.getResults, { params: { ref } }), ...livePolling(true) });
}

/** The days of a per-day ad with their views. */
export function useAdDays(ref: string) {
  return useQuery({ ...read(calls.getAdDays, { params: { ref } }), ...livePolling(true) });
}

export function useMeasureLandings(ref: string) {
  const params = { ref };
  return useMutation({
    mutationFn: (enabled: boolean) => call(calls.measureLandings, { params, body: { enabled } }),
    onSuccess: (found) => queryClient.setQueryData(read(calls.getLandings, { params }).queryKey, found),
    onError: (error) => failureToast(error, 'Error', 'Failed to change the setting'),
  });
}

/** Refetches every list and figure that depends on ads. [OP-117] */
export async function refreshAds(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' &&
      /^\/api\/(ads\/|analytics\/|billing\/|media-library|payment-consents|waiting|ad-zones\/[^/]+\/calendar)/.test(
        first,
      ),
  });
}

export function useCreateAd() {
  return useMutation({
    mutationFn: (body: Body<typeof createAd>) => call(calls.createAd, { body }),
    onSuccess: () => {
      toast({ title: 'Ad submitted', description: 'Your ad has been submitted for approval' });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to create ad'),
  });
}

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
    mutationFn: ({ ad, rejectionReason }: { ad: Ad } & Pick<Body<typeof rejectAd>, 'rejectionReason'>) =>
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

export function useConfirmTarget() {
  return useMutation({
    mutationFn: ({ ad, host }: { ad: Ad } & Body<typeof confirmTarget>) =>
      call(calls.confirmTarget, { params: { ref: String(ad.id) }, body: { host } }),
    onSuccess: () => {
      toast({ title: 'Target accepted. The ad is shown again.' });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to accept the target'),
  });
}

export function useRefuseTarget() {
  return useMutation({
    mutationFn: (ad: Ad) => call(calls.refuseTarget, { params: { ref: String(ad.id) } }),
    onSuccess: () => {
      toast({ title: 'Campaign ended. The advertiser has been notified.' });
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to end the campaign'),
  });
}

export function useResubmitAd() {
  return useMutation({
    mutationFn: ({ ad, ...body }: { ad: Ad } & Body<typeof resubmitAd>) =>
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
    mutationFn: ({ ad, ...body }: { ad: Ad } & Body<typeof correctAd>) =>
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

/** The advertisers whom the publisher trusts. */
export function useTrusted() {
  return usePagedList(calls.listTrusted, {});
}

export function useEndTrust() {
  return useMutation({
    mutationFn: (id: number) => call(calls.removeTrusted, { params: { id: String(id) } }),
    onSuccess: () => toast({ title: 'Trust ended. Their next ad waits for your review.' }),
    onError: (error) => failureToast(error, 'Error', 'Failed to end the trust'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(calls.listTrusted) }),
  });
}

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
