import { useMutation, useQuery } from '@tanstack/react-query';
import type { Ad } from '#domain/ads/contract.ts';
import {
  createPaymentIntent,
  paymentsConfig,
  paymentSuccess,
  sandboxAuthenticate,
  sandboxConfirm,
} from '#domain/payments/contract.ts';
import type { Input } from '#domain/endpoint.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';

type Body<E> = Input<E> extends { body: infer B } ? B : never;

export function usePaymentsConfig() {
  return useQuery(read(paymentsConfig));
}

/** The intent of an approved ad: begun, or resumed, when its checkout is shown (CHK-14). Never kept. */
export function usePaymentIntent({ publicId, totalAmount }: Pick<Ad, 'publicId' | 'totalAmount'>) {
  return useQuery({
    queryKey: ['payment-intent', publicId, totalAmount],
    queryFn: () => call(createPaymentIntent, { body: { adPublicId: publicId, amount: totalAmount } }),
    gcTime: 0,
  });
}

export function useSandboxConfirm() {
  return useMutation({
    mutationFn: (body: Body<typeof sandboxConfirm>) => call(sandboxConfirm, { body }),
    onError: paymentFailed,
    // A card leaves no trace in memory once it was tried.
    gcTime: 0,
  });
}

export function useSandboxAuthenticate() {
  return useMutation({
    mutationFn: (body: Body<typeof sandboxAuthenticate>) => call(sandboxAuthenticate, { body }),
    onError: paymentFailed,
  });
}

/** The provider's words where it has some; anything else is nothing a buyer could act on (ERR-65, ERR-66). */
function paymentFailed(error: unknown): void {
  if (error instanceof RequestError && error.status < 500 && error.spoken) {
    failureToast(error, 'Payment Failed', error.spoken);
  } else {
    toast({ title: 'Payment Error', description: 'An unexpected error occurred', variant: 'destructive' });
  }
}

/** Tells the server that the provider has confirmed; repeating is harmless. */
export function usePaymentSuccess() {
  return useMutation({
    mutationFn: (paymentIntentId: string) => call(paymentSuccess, { body: { paymentIntentId } }),
    onSuccess: () =>
      // Lists and figures; the ad of this checkout is left alone until the page is left.
      queryClient.invalidateQueries({
        predicate: ({ queryKey: [first] }) =>
          typeof first === 'string' && /^\/api\/(ads\/my|analytics\/)/.test(first),
      }),
    onError: (error) => failureToast(error, 'Payment Processing Error', 'Failed to process payment'),
  });
}

export function announceSetupFailure(error: unknown): void {
  failureToast(error, 'Payment Setup Error', 'Failed to setup payment');
}

export function setupFailureText(error: unknown): string {
  return messageOf(error, 'Failed to setup payment');
}
