import type { Ad } from '#domain/ads/contract.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useWithdrawAd } from './edit-api.ts';

/** Asks before the advertiser takes an unpaid ad back. */
export function WithdrawAdDialog({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const withdraw = useWithdrawAd();
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={
        <>
          Withdraw “<bdi>{ad.title}</bdi>”?
        </>
      }
      confirmLabel="Withdraw"
      destructive
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate(ad, { onSettled: onClose })}
    >
      It leaves the publisher’s list, and nothing is charged. You can edit it and submit it again at any time.
    </ConfirmDialog>
  );
}
