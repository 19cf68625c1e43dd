import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { useVerifyByLink, verificationMessage } from '../api.ts';
import { AuthCard } from './auth-card.tsx';

type VerifyByLinkProps = { token: string; onVerified: () => void; onBack: () => void };

/** The one-time link of the verification mail. It needs a click, because mail scanners open links as well. */
export function VerifyByLink({ token, onVerified, onBack }: VerifyByLinkProps) {
  const verify = useVerifyByLink(onVerified);
  return (
    <AuthCard
      title="Verify your email"
      description="Click the button to activate your account."
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
