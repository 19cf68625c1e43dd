import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { useVerifyByLink, verificationMessage } from '../api.ts';
import { AuthCard } from './auth-card.tsx';

type VerifyByLinkProps = { token: string; onVerified: () => void; onBack: () => void };

/** The mail's one-time link. A click is asked for, because mail scanners open links, too. */
export function VerifyByLink({ token, onVerified, onBack }: VerifyByLinkProps) {
  const verify = useVerifyByLink(onVerified);
  return (
    <AuthCard
      title="Verify your email"
      description="One click, and your account is active."
      back={{ label: 'Back to login', onClick: onBack }}
    >
      <div className="grid gap-5">
        {verify.isError && <Banner tone="bad">{verificationMessage(verify.error)}</Banner>}
        <Button size="lg" wide busy={verify.isPending} onClick={() => verify.mutate(token)}>
          Verify Email
        </Button>
      </div>
    </AuthCard>
  );
}
