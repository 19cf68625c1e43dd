import { useState } from 'react';
import type { Payouts, PayoutRefusal } from '#domain/payments/payout-contract.ts';
import { RequestError } from '#web/http/request-error.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatDate, formatMoney } from '#web/ui/format/format.ts';
import { usePayOut } from './payouts-api.ts';

/** The publisher's next step after a refusal, below the server's own words. */
const STEPS: Record<PayoutRefusal, string> = {
  below_minimum: 'Your balance stays yours. We pay it out as soon as it’s large enough.',
  held: 'This page lists each amount on hold, and what ends its hold.',
  not_onboarded: 'Finish your set-up under Payout Settings, then pay out.',
  running: 'Check the history on this page in a minute.',
};

/** The button that pays out at once, with its confirmation and the reason if that is not possible. */
export function PayOutNow({ payouts }: { payouts: Payouts }) {
  const [asking, setAsking] = useState(false);
  const payOut = usePayOut();
  const { available, account, method, nextPayoutAt } = payouts;
  const isReady = account.state === 'ready';
  function open(isOpen: boolean) {
    payOut.reset();
    setAsking(isOpen);
  }
  return (
    <>
      <Button
        variant={isReady ? 'primary' : 'secondary'}
        why={
          !isReady
            ? 'Set up payouts first, under Payout Settings.'
            : Number(available) === 0 &&
              (Number(payouts.held) > 0
                ? 'Your earnings are on hold. The reasons are below.'
                : 'Nothing is available yet.')
        }
        onClick={() => open(true)}
      >
        Pay out now
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={open}
        title="Pay out now?"
        confirmLabel={`Pay out ${formatMoney(available)}`}
        busy={payOut.isPending}
        onConfirm={() => payOut.mutate(undefined, { onSuccess: () => setAsking(false) })}
      >
        <p>
          {method === 'bank'
            ? `We send ${formatMoney(available)} to your bank account with our next bank transfers.`
            : `We send ${formatMoney(available)} to your bank account now, instead of on ${formatDate(nextPayoutAt)}.`}{' '}
          Your bank shows it within a few days.
        </p>
        <Refusal error={payOut.error} />
      </ConfirmDialog>
    </>
  );
}

function Refusal({ error }: { error: unknown }) {
  if (!(error instanceof RequestError) || error.status !== 409) return null;
  const { reason } = error.body as { reason?: PayoutRefusal };
  return (
    <p role="alert" className="mt-3 text-bad">
      {error.message} {reason && STEPS[reason]}
    </p>
  );
}
