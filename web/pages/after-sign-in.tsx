import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#domain/accounts/contract.ts';
import { becomeBuyer } from '#web/accounts/api.ts';
import { clearReferral, referralTarget, storedReferral } from '#web/accounts/referral.ts';
import { isServerPage, takeReturn } from '#web/accounts/return-to.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast-store.ts';

/**
 * Moves a signed-in user on from '/auth'. A user who followed an advertising-space link goes to the wizard [OP-010].
 * All other users go to Home, and from there to the page that sent them here, see docs/decisions/039-interruptions.md.
 */
export function AfterSignIn({ user }: { user: User }) {
  const [, navigate] = useLocation();
  const begun = useRef(false);

  useEffect(() => {
    async function moveOn() {
      const referral = storedReferral();
      const wanted = takeReturn();
      if (wanted !== null && isServerPage(wanted)) {
        window.location.replace(wanted);
        return;
      }
      if (!referral) {
        navigate('/', { replace: true });
        // Navigate twice at once: Home is not rendered, but the browser's Back button leads to it.
        if (wanted !== null) navigate(wanted);
        return;
      }
      const changed = await becomeBuyer();
      // The link is followed only once. [OP-010]
      clearReferral();
      if (changed && user.role !== 'buyer') {
        toast({
          title: "You're set up to buy ads",
          description: 'Your role is now buyer. You can change it back anytime in Settings.',
        });
      }
      navigate(referralTarget(referral), { replace: true });
    }

    if (begun.current) return;
    begun.current = true;
    void moveOn();
  }, [navigate, user]);

  return <PageSpinner />;
}
