import { useMutation } from '@tanstack/react-query';
import type { Ad } from '#domain/ads/contract.ts';
import { calls } from '#domain/calls.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { failureToast } from '#web/http/failure-toast.ts';
import { call } from '#web/http/request.ts';
import { toast } from '#web/ui/toast-store.ts';
import { refreshAds } from './api.ts';

/** Asks before a consent is withdrawn, because the card has to be entered again afterwards. */
export function WithdrawDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const withdraw = useWithdrawConsent();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Don’t pay when approved?"
      confirmLabel="Remove card"
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate(ad, { onSuccess: onClose })}
    >
      We won’t charge card •••• {ad.consent?.last4} when “<bdi>{ad.title}</bdi>” is approved. You can then pay
      by hand until the approval expires.
    </ConfirmDialog>
  );
}

function useWithdrawConsent() {
  return useMutation({
    mutationFn: ({ consent, publicId }: Ad) =>
      call(calls.withdrawConsent, { params: { id: String(consent?.id) }, query: { ad: publicId } }),
    onSuccess: ({ state }) => {
      toast(
        state === 'withdrawn'
          ? { title: 'Card removed', description: 'We won’t charge it on approval.' }
          : { title: 'Too late to remove the card', description: 'The charge was already sent.' },
      );
      void refreshAds();
    },
    onError: (error) => failureToast(error, 'Error', 'Failed to remove the card'),
  });
}
