import { useMutation, useQuery } from '@tanstack/react-query';
import type { CampaignList } from '#domain/ads/campaign-lists.ts';
import type { confirmTarget, createAd, Ad } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import type { Input } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { livePolling } from '#web/http/live-polling.ts';
import { usePagedList, useShownPage } from '#web/http/paged-list.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';

type Body<E> = Input<E> extends { body: infer B } ? B : never;

/** Rows of My Campaigns on one page. */
const CAMPAIGNS_PER_PAGE = 25;

/** A page of the advertiser's own ads, refreshed automatically for the dashboard. [OP-069] */
export function useMyAds(list: CampaignList | undefined, search: string) {
  const query = { ...(list && { list }), ...(search !== '' && { search }), limit: CAMPAIGNS_PER_PAGE };
  return useShownPage(calls.listMyAds, { query });
}

/** How many ads the advertiser has, and how many of them are in each list. */
export function useAdCounts(enabled = true) {
  return useQuery({ ...read(calls.countMyAds), ...livePolling(enabled) });
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
 * while it is shown, because it may be decided in another tab or by the other side.
 */
export function useAdDetails(ref: string | null) {
  return useQuery({
    ...read(calls.getAdDetails, { params: { ref: ref ?? '' } }),
    ...livePolling(ref !== null),
    gcTime: 0,
  });
}

/** The results of one of the advertiser's own ads, refreshed like its landings. */
export function useResults(ref: string) {
  return useQuery({ ...read(calls.getResults, { params: { ref } }), ...livePolling(true) });
}

/** The days of a per-day ad with their views. */
export function useAdDays(ref: string) {
  return useQuery({ ...read(calls.getAdDays, { params: { ref } }), ...livePolling(true) });
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
