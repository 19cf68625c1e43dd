import { useEffect, useState } from 'react';
import { onReauthenticate } from '#web/http/reauthenticate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { onDemand } from '#web/ui/late.tsx';

const ReauthenticateForm = onDemand(
  'the password form',
  'h-40',
  async () => (await import('./reauthenticate-form.tsx')).ReauthenticateForm,
);

/** Asks for the password when a call needs it again, and lets the call go on. Rendered once. [SEC-07] */
export function ReauthenticateDialog() {
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
      title="Enter your password again"
      description="You signed in a while ago. Confirm that it's you to go on."
      width="sm"
    >
      <ReauthenticateForm onConfirmed={() => close(true)} onCancel={() => close(false)} />
    </Dialog>
  );
}
