import { useEffect, useState } from 'react';
import type { ConsoleSession } from '#domain/operator/console/session-contract.ts';
import { onReauthenticate } from '#web/http/reauthenticate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { ConfirmForm } from './confirm-form.tsx';

/** Asks for a code or a passkey when a dangerous act needs it again, and lets the act go on. Rendered once. [KEY-05] */
export function ConfirmDialog({ session }: { session: ConsoleSession }) {
  const [question, setQuestion] = useState<{ answer: (confirmed: boolean) => void }>();
  useEffect(() => {
    onReauthenticate(async () => await new Promise((answer) => setQuestion({ answer })));
    return () => onReauthenticate(() => Promise.resolve(false));
  }, []);

  function close(confirmed: boolean) {
    question?.answer(confirmed);
    setQuestion(undefined);
  }

  return (
    <Dialog
      open={question !== undefined}
      onOpenChange={() => close(false)}
      title="Confirm that it’s you"
      description="A code or a passkey allows this for the next 15 minutes."
      width="sm"
    >
      <ConfirmForm session={session} onConfirmed={() => close(true)} onCancel={() => close(false)} />
    </Dialog>
  );
}
