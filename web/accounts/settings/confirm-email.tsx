import { useEffect, type RefObject } from 'react';
import { Undo2 } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { useTakeBackEmail } from '../api.ts';
import { VerifyFields } from '../verify-fields.tsx';

type ConfirmEmailProps = {
  user: User;
  /** Where the keyboard goes when there is nothing left to confirm. */
  next: RefObject<HTMLElement | null>;
};

/** A changed address until it is proven: the code, a new one, or back (ACCT-06). */
export function ConfirmEmail({ user: { email, previousEmail }, next }: ConfirmEmailProps) {
  const takeBack = useTakeBackEmail();

  useEffect(
    () => () => {
      if (document.activeElement === document.body) next.current?.focus();
    },
    [next],
  );
  return (
    <Card>
      <CardHeader
        title="Confirm your new address"
        description={
          <>
            We sent a code to <strong className="font-medium break-all text-ink">{email}</strong>. Until it is
            confirmed, signing in again asks for it.
          </>
        }
      />
      <div className="mt-5 grid max-w-sm gap-4">
        <VerifyFields key={email} email={email} done="Your new address is confirmed." />
        {previousEmail !== null && (
          <Button variant="secondary" wide busy={takeBack.isPending} onClick={() => takeBack.mutate()}>
            <Undo2 aria-hidden="true" />
            Take back the change
          </Button>
        )}
        {previousEmail !== null && (
          <p className="text-sm text-ink-faint">
            Taking it back brings <span className="break-all">{previousEmail}</span> back at once.
          </p>
        )}
      </div>
    </Card>
  );
}
