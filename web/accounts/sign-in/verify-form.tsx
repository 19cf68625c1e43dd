import { AuthCard } from './auth-card.tsx';
import { VerifyFields } from '../verify-fields.tsx';

export function VerifyForm({ email, onBack }: { email: string; onBack: () => void }) {
  return (
    <AuthCard
      title="Verify your email"
      description={
        <>
          We sent a code to <strong className="font-medium break-all text-ink">{email}</strong>. The code
          expires in 10 minutes.
        </>
      }
      back={{ label: 'Back to login', onClick: onBack }}
    >
      <VerifyFields email={email} />
    </AuthCard>
  );
}
