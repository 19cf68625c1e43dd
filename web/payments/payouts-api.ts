import { useMutation, useQuery } from '@tanstack/react-query';
import { calls } from '#domain/calls.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { keyOf, read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { formatMoney } from '#web/ui/format/format.ts';

/** The interval at which we read the account's state after the publisher has come back from the provider. */
const CHECK_MS = 5000;

/** The user's earnings by state, and their payout account. With `isChecking`, polls until the account is ready. */
export function usePayouts({ enabled = true, isChecking = false } = {}) {
  return useQuery({
    ...read(calls.getPayouts),
    enabled,
    refetchInterval: ({ state }) => isChecking && state.data?.account.state !== 'ready' && CHECK_MS,
  });
}

const readAgain = () => queryClient.invalidateQueries({ queryKey: keyOf(calls.getPayouts) });

/** Sends the browser to the card provider. */
export function useOnboarding() {
  return useMutation({
    mutationFn: (country: string) => call(calls.startOnboarding, { body: { country } }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => {
      failureToast(error, 'Payout Set-up Failed', 'Please try again in a moment.');
      if (error instanceof RequestError && error.status === 409) void readAgain();
    },
  });
}

/** Saves the bank account that receives the payouts. */
export function useSaveBankAccount() {
  return useMutation({
    mutationFn: (body: { holder: string; iban: string }) => call(calls.saveBankAccount, { body }),
    onSuccess: async ({ bankAccount }) => {
      await readAgain();
      toast({
        title: 'Bank Account Saved',
        description: `Your payouts go to the account ending in ${bankAccount?.last4}.`,
      });
    },
    onError: (error) => {
      // The form shows what is wrong with its fields.
      if (error instanceof RequestError && error.issues.length > 0) return;
      failureToast(error, 'Bank Account Not Saved', 'Please try again in a moment.');
    },
  });
}

/** A refusal is shown in the dialog. Any other failure is a toast. */
export function usePayOut() {
  return useMutation({
    mutationFn: () => call(calls.requestPayout, { body: {} }),
    onSuccess: ({ amount }) => {
      toast({
        title: 'Payout Sent',
        description: `${formatMoney(amount)} is on its way to your bank account.`,
      });
      void readAgain();
    },
    onError: (error) => {
      if (error instanceof RequestError && error.status === 409) void readAgain();
      else failureToast(error, 'Payout Failed', 'Nothing was paid out. Please try again in a moment.');
    },
  });
}
