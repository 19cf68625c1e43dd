import { useMutation, useQuery } from '@tanstack/react-query';
import type { Ad } from '#domain/ads/contract.ts';
import { linkedTerms } from '#web/http/terms.ts';
import { calls } from '#domain/calls.ts';
import type {
  payWithSavedCard,
  ReceiptFor,
  sandboxAuthenticate,
  sandboxConfirm,
} from '#domain/payments/contract.ts';
import { declineText } from '#domain/payments/declines.ts';
import type { Input } from '#domain/endpoint.ts';
import type { ErrorDetails } from '#domain/error-reasons.ts';
import { failureToast } from '#web/http/failure-toast.ts';
import { read } from '#web/http/query.ts';
import { queryClient } from '#web/http/query-client.ts';
import { messageOf, RequestError } from '#web/http/request-error.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';

type Body<E> = Input<E> extends { body: infer B } ? B : never;

export function usePaymentsConfig() {
  return useQuery(read(calls.paymentsConfig));
}

/** Creates or resumes the payment intent of an approved ad when its checkout opens. Never cached. [CHK-14] */
export function usePaymentIntent(
  { publicId, totalAmount }: Pick<Ad, 'publicId' | 'totalAmount'>,
  { enabled, receiptFor }: { enabled: boolean; receiptFor: ReceiptFor | null },
) {
  return useQuery({
    enabled,
    queryKey: ['payment-intent', publicId, totalAmount],
    // This visit of the page replaces what an earlier one wrote for the receipt.
    queryFn: async () =>
      await call(calls.createPaymentIntent, {
        body: { adPublicId: publicId, amount: totalAmount, receiptFor, ...(await linkedTerms()) },
      }),
    gcTime: 0,
  });
}

/** Whether the tax depends on a country that the advertiser has not given. [OWNS-64] */
export function isCountryMissing(error: unknown): boolean {
  return error instanceof RequestError && (error.body as ErrorDetails | null)?.reason === 'country';
}

/** The parts of the price for the country of the receipt. [OWNS-68] */
export function useAdPrice({ publicId }: Pick<Ad, 'publicId'>, receiptFor: ReceiptFor | null) {
  const { country, taxId } = receiptFor ?? {};
  const query = { ...(country && { country }), ...(taxId && { taxId }) };
  return useQuery({
    queryKey: ['ad-price', publicId, query],
    queryFn: () => call(calls.getAdPrice, { params: { ref: publicId }, query }),
    // The price of another country is no placeholder for this one.
    retry: (_, error) => !(error instanceof RequestError),
  });
}

/** Says whom the receipt names. The intent stays the same. */
export function useReceiptFor({ publicId, totalAmount }: Pick<Ad, 'publicId' | 'totalAmount'>) {
  return useMutation({
    mutationFn: (receiptFor: ReceiptFor | null) =>
      call(calls.createPaymentIntent, { body: { adPublicId: publicId, amount: totalAmount, receiptFor } }),
  });
}

/** The id of the payment, or of the setup of a card to be charged later. */
export function confirmedId(reply: { paymentIntentId: string } | { setupIntentId: string }): string {
  return 'setupIntentId' in reply ? reply.setupIntentId : reply.paymentIntentId;
}

export function useSandboxConfirm() {
  return useMutation({
    mutationFn: (body: Body<typeof sandboxConfirm>) => call(calls.sandboxConfirm, { body }),
    onError: paymentFailed,
    // Drop the mutation at once, so that the card number does not stay in memory.
    gcTime: 0,
  });
}

export function useSandboxAuthenticate() {
  return useMutation({
    mutationFn: (body: Body<typeof sandboxAuthenticate>) => call(calls.sandboxAuthenticate, { body }),
    onError: paymentFailed,
  });
}

/** The saved card that is offered first. A checkout without it has the card form. [CHK-600] */
export function useSavedCard() {
  return useQuery({ ...read(calls.findSavedCard), retry: false });
}

export function usePayWithSavedCard() {
  return useMutation({
    mutationFn: (body: Body<typeof payWithSavedCard>) => call(calls.payWithSavedCard, { body }),
    onError: paymentFailed,
  });
}

/** The bank's answer about the card, with the next step, for the card field; null for any other failure. [CHK-601] */
export function declineOf(error: unknown): string | null {
  if (!(error instanceof RequestError) || error.status !== 402 || !error.spoken) return null;
  const { code, declineCode } = error.body as { code?: string; declineCode?: string };
  return declineText({ message: error.spoken, code, declineCode });
}

/** Shows the provider's message if there is one; any other error gets a general message. [ERR-65] */
function paymentFailed(error: unknown): void {
  if (error instanceof RequestError && error.status < 500 && error.spoken) {
    failureToast(error, 'Payment Failed', error.spoken);
  } else {
    toast({ title: 'Payment Error', description: 'An unexpected error occurred', variant: 'destructive' });
  }
}

/** Tells the server that the provider has confirmed the payment. The call is idempotent. */
export function usePaymentSuccess() {
  return useMutation({
    mutationFn: (paymentIntentId: string) => call(calls.paymentSuccess, { body: { paymentIntentId } }),
    onSuccess: () =>
      // Refetch lists and figures, but not the ad of this checkout: its new status would replace the success message.
      queryClient.invalidateQueries({
        predicate: ({ queryKey: [first] }) =>
          typeof first === 'string' && /^\/api\/(ads\/my|analytics\/)/.test(first),
      }),
    onError: (error) =>
      isUnpaid(error)
        ? paymentFailed(error)
        : failureToast(error, 'Payment Processing Error', 'Failed to process payment'),
  });
}

/** The provider has no money for this payment, for example because the bank refused it. */
export function isUnpaid(error: unknown): boolean {
  return error instanceof RequestError && error.status === 402;
}

export function announceSetupFailure(error: unknown): void {
  failureToast(error, 'Payment Setup Error', 'Failed to setup payment');
}

export function setupFailureText(error: unknown): string {
  return messageOf(error, 'Failed to setup payment');
}
