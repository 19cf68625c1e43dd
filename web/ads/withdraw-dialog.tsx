import type { Ad } from '#domain/ads/contract.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useWithdrawConsent } from './api.ts';

/** Asks before a consent is withdrawn, because the card has to be entered again afterwards. */
export function WithdrawDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const withdraw = useWithdrawConsent();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Don’t pay when approved?"
      confirmLabel="Withdraw"
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate(ad, { onSuccess: onClose })}
    >
      We won’t charge card •••• {ad.consent?.last4} when “<bdi>{ad.title}</bdi>” is approved. You can then pay
      within 14 days of the approval.
    </ConfirmDialog>
  );
}
