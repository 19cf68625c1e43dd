import { formatMoney } from '#web/ui/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { confirmedId, declineOf, useSandboxAuthenticate } from './api.ts';

type ChallengeDialogProps = {
  clientSecret: string;
  total: string;
  onConfirmed: (paymentIntentId: string) => void;
  /** With the text for the card field. */
  onDeclined: (text: string | null) => void;
  onClose: () => void;
};

/** Stands in for the 3-D Secure dialog, in which a real bank would ask for a code or a fingerprint. */
export function ChallengeDialog({
  clientSecret,
  total,
  onConfirmed,
  onDeclined,
  onClose,
}: ChallengeDialogProps) {
  const authenticate = useSandboxAuthenticate();

  function answer(outcome: 'complete' | 'fail') {
    authenticate.mutate(
      { clientSecret, outcome },
      {
        onSuccess: (reply) => onConfirmed(confirmedId(reply)),
        onError: (error) => onDeclined(declineOf(error)),
        onSettled: onClose,
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={() => {}}
      insistent
      width="sm"
      title={clientSecret.includes('_seti_') ? 'Confirm your card' : 'Confirm your payment'}
      description="This is a sandbox. Choose whether the bank’s verification succeeds."
      footer={
        <>
          <Button variant="secondary" disabled={authenticate.isPending} onClick={() => answer('fail')}>
            Fail
          </Button>
          <Button busy={authenticate.isPending} onClick={() => answer('complete')}>
            Complete
          </Button>
        </>
      }
    >
      <p className="text-sm text-ink-soft">
        {clientSecret.includes('_seti_')
          ? 'The bank wants you to confirm that we may charge this card later, up to '
          : 'The bank wants you to confirm a payment of '}
        <span className="figures font-medium text-ink">{formatMoney(total)}</span>.
      </p>
    </Dialog>
  );
}
