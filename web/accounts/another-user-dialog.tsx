import { useEffect, useState } from 'react';
import { onAnotherUser } from '#web/http/shown-user.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Offers a reload when the session belongs to another user than this page shows. Rendered once. [EASE-01] */
export function AnotherUserDialog({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    onAnotherUser(() => setOpen(true));
    return () => onAnotherUser(() => {});
  }, []);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="You’re signed in to another account"
      width="sm"
      footer={
        <>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Not yet
          </Button>
          <Button onClick={() => window.location.reload()}>Reload</Button>
        </>
      }
    >
      <p className="text-sm text-ink-soft">
        Another tab of this browser has signed in to another account, and this page still shows {name}.
        Nothing was changed. Copy what you typed if you still need it, then reload.
      </p>
    </Dialog>
  );
}
