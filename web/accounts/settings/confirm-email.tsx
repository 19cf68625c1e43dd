import { useEffect, type RefObject } from 'react';
import { Undo2 } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { useUndoEmailChange } from '../api.ts';
import { VerifyFields } from '../verify-fields.tsx';

type ConfirmEmailProps = {
  user: User;
  /** Takes the focus when this card goes away. */
  next: RefObject<HTMLElement | null>;
};

/** Shown until a changed e-mail address is verified: enter the code, get another one, or undo the change. [ACCT-06] */
export function ConfirmEmail({ user: { email, previousEmail }, next }: ConfirmEmailProps) {
  const undo = useUndoEmailChange();

  useEffect(
    () => () => {
      if (document.activeElement === document.body) next.current?.focus();
    },
    [next],
  );
  return (
    <Card>
      <CardHeader
        title="Confirm your new email address"
        description={
          <>
            We sent a code to <strong className="font-medium break-all text-ink">{email}</strong>. Until you
            enter it, we'll ask for it whenever you sign in.
          </>
        }
      />
      <div className="mt-5 grid max-w-sm gap-4">
        <VerifyFields key={email} email={email} done="Your new email address is confirmed." />
        {previousEmail !== null && (
          <Button variant="secondary" wide busy={undo.isPending} onClick={() => undo.mutate()}>
            <Undo2 aria-hidden="true" />
            Undo the change
          </Button>
        )}
        {previousEmail !== null && (
          <p className="text-xs text-ink-faint">
            This restores <span className="break-all">{previousEmail}</span> right away.
          </p>
        )}
      </div>
    </Card>
  );
}
