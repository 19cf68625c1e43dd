import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { usePasskeyOffer, usePasskeySignIn } from '../passkey-api.ts';

/** While it is shown, the browser also offers passkeys below the e-mail field. */
export function PasskeyButton({ onUnverified }: { onUnverified: (email: string) => void }) {
  const signIn = usePasskeySignIn(onUnverified);
  const [round, setRound] = useState(0);
  return (
    <>
      {/* A browser runs one passkey request at a time. An offer would abort the button's request. */}
      {!signIn.isPending && (
        <Offer
          key={round}
          onPicked={(credential) => signIn.mutate(credential)}
          onOver={() => setRound(round + 1)}
        />
      )}
      <Button variant="secondary" size="lg" wide busy={signIn.isPending} onClick={() => signIn.mutate(null)}>
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
