import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { usePasskeyOffer, usePasskeySignIn } from '../passkey-api.ts';

/** While it is shown, the browser also offers passkeys below the e-mail field. [KEY-09] */
export function PasskeyButton({ onUnverified }: { onUnverified: (email: string) => void }) {
  const signIn = usePasskeySignIn(onUnverified);
  // Asking ends the offer, and so does a failure. Each round is a new one.
  const [round, setRound] = useState(0);
  const next = () => setRound((last) => last + 1);
  return (
    <>
      <Offer
        key={round}
        onPicked={(credential) => signIn.mutate(credential, { onError: next })}
        onOver={next}
      />
      <Button
        variant="secondary"
        size="lg"
        wide
        busy={signIn.isPending}
        onClick={() => signIn.mutate(null, { onError: next })}
      >
        <KeyRound aria-hidden="true" />
        Sign in with a passkey
      </Button>
    </>
  );
}

type OfferProps = {
  onPicked: Parameters<typeof usePasskeyOffer>[0];
  onOver: () => void;
};

function Offer({ onPicked, onOver }: OfferProps) {
  usePasskeyOffer(onPicked, onOver);
  return null;
}
