import { useMutation, useQuery } from '@tanstack/react-query';
import { linkedTerms } from '#web/http/terms.ts';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { queryClient } from '#web/http/query-client.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Refetches what shows a consent: the user's ads, and the list in the settings. */
async function refreshConsents(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) =>
      typeof first === 'string' && /^\/api\/(ads\/|plans|payment-consents|waiting)/.test(first),
  });
}

/** What a card is saved for: one ad, or those ads of a plan that are neither paid nor wait for another card. */
export type Offer = {
  of: { ads: [string] } | { plan: string };
  /** Public ids. */
  ads: readonly string[];
  /** The most that is charged, with two decimals. */
  limit: string;
  /** How many of the ads are approved, so that they are charged right away. */
  approved: number;
};

/**
 * Begins a consent. An earlier one is used if its card was saved, for example before the bank's page sent the user back
 * here. Otherwise it makes room for the new one.
 */
export function useNewConsent({ of, ads, limit }: Offer, { enabled }: { enabled: boolean }) {
  return useQuery({
    enabled,
    queryKey: ['payment-consent', of, limit],
    queryFn: async () => {
      const known = await call(calls.listConsents, { query: {} });
      const unfinished = known.filter(
        (consent) =>
          consent.state === 'needs_card' && consent.ads.some(({ publicId }) => ads.includes(publicId)),
      );
      for (const { id } of unfinished) {
        const params = { id: String(id) };
        const saved = await call(calls.confirmConsent, { params }).catch(() => null);
        if (saved) return { ...saved, clientSecret: null };
        await call(calls.withdrawConsent, { params, query: {} });
      }
      return await call(calls.createConsent, { body: { limit, ...of, ...(await linkedTerms()) } });
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
          ? { title: 'Card removed', description: 'We won’t charge it on approval.' }
          : { title: 'Too late to remove the card', description: 'The charge was already sent.' },
      );
      void refreshConsents();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to remove the card'),
  });
}

const BRANDS: Record<string, string> = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' };

/** 'Visa •••• 4242' */
export const cardName = ({ brand, last4 }: { brand: string; last4: string }): string =>
  `${BRANDS[brand] ?? 'Card'} •••• ${last4}`;
