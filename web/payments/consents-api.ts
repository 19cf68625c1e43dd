import { useMutation, useQuery } from '@tanstack/react-query';
import type { Ad } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Refetches what shows a consent: the user's ads, and the list in the settings. */
async function refreshConsents(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' && /^\/api\/(ads\/|payment-consents|waiting)/.test(first),
  });
}

/**
 * Begins the consent for one ad. An earlier one is used if its card was saved, for example before the bank's page sent
 * the user back here. Otherwise it makes room for the new one.
 */
export function useNewConsent({ publicId, totalAmount }: Ad, { enabled }: { enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: ['payment-consent', publicId, totalAmount],
    queryFn: async () => {
      const known = await call(calls.listConsents, { query: {} });
      const unfinished = known.filter(
        ({ state, ads }) => state === 'needs_card' && ads.some((ad) => ad.publicId === publicId),
      );
      for (const { id } of unfinished) {
        const params = { id: String(id) };
        const saved = await call(calls.confirmConsent, { params }).catch(() => null);
        if (saved) return { ...saved, clientSecret: null };
        await call(calls.withdrawConsent, { params, query: { ad: publicId } });
      }
      return await call(calls.createConsent, { body: { limit: totalAmount, ads: [publicId] } });
    },
    gcTime: 0,
    retry: false,
  });
}

/** Tells the server that the card is saved. The server asks the provider, so the call can be repeated. */
export function useConfirmConsent() {
  return useMutation({
    mutationFn: (id: number) => call(calls.confirmConsent, { params: { id: String(id) } }),
    onSuccess: refreshConsents,
  });
}

export function useWithdrawConsent() {
  return useMutation({
    mutationFn: ({ id, ad }: { id: number; ad?: string }) =>
      call(calls.withdrawConsent, { params: { id: String(id) }, query: ad === undefined ? {} : { ad } }),
    onSuccess: ({ state }) => {
      toast(
        state === 'withdrawn'
          ? { title: 'Withdrawn', description: 'We won’t charge your card on approval.' }
          : { title: 'Too late to withdraw', description: 'The charge was already sent.' },
      );
      void refreshConsents();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to withdraw'),
  });
}
