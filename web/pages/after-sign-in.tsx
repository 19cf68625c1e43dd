import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { User } from '#domain/accounts/contract.ts';
import { becomeBuyer } from '#web/accounts/api.ts';
import { clearReferral, referralTarget, storedReferral } from '#web/accounts/referral.ts';
import { PageSpinner } from '#web/ui/spinner.tsx';
import { toast } from '#web/ui/toast-store.ts';

/** Signed-in people cannot stay on /auth: on to Home, or along the advertising-space link they came by (OP-010). */
export function AfterSignIn({ user }: { user: User }) {
  const [, navigate] = useLocation();
  const begun = useRef(false);

  useEffect(() => {
    async function moveOn() {
      const referral = storedReferral();
      if (!referral) {
        navigate('/', { replace: true });
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
