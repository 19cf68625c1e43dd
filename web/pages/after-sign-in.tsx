import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#domain/accounts/contract.ts';
import { becomeBuyer } from '#web/accounts/api.ts';
import { clearReferral, referralTarget, storedReferral } from '#web/accounts/referral.ts';
import { takeReturn } from '#web/accounts/return-to.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast-store.ts';

/**
 * Signed-in people cannot stay on /auth: along the advertising-space link they came by (OP-010), or to Home, and through
 * it to the page from which they were sent here (decision 010).
 */
export function AfterSignIn({ user }: { user: User }) {
  const [, navigate] = useLocation();
  const begun = useRef(false);

  useEffect(() => {
    async function moveOn() {
      const referral = storedReferral();
      const wanted = takeReturn();
      if (!referral) {
        navigate('/', { replace: true });
        // In the same moment, so that Home is never drawn; the browser's Back leads to it.
        if (wanted !== null) navigate(wanted);
        return;
      }
      const changed = await becomeBuyer();
      // Followed once (OP-010).
      clearReferral();
      if (changed && user.role !== 'buyer') {
        toast({
          title: 'You are set up to buy ads',
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
