import { KeyRound } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { usePasskeySignIn } from '../passkey-api.ts';

/** While it is shown, the browser also offers passkeys below the e-mail field. [KEY-09] */
export function PasskeyButton({ onUnverified }: { onUnverified: (email: string) => void }) {
  const { isPending, ask } = usePasskeySignIn(onUnverified);
  return (
    <Button variant="secondary" size="lg" wide busy={isPending} onClick={ask}>
      <KeyRound aria-hidden="true" />
      Sign in with a passkey
    </Button>
  );
}
