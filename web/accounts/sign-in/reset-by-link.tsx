import { messageOf } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useResetLink } from '../sign-in-api.ts';
import { AuthCard } from './auth-card.tsx';
import { ResetFields } from '../reset-fields.tsx';

type ResetByLinkProps = {
  token: string;
  onDone: () => void;
  /** The user asks for another mail. */
  onForgot: () => void;
  onBack: () => void;
};

/** Opens the link of a password mail and fills in its code. Opening the link doesn't use it up. */
export function ResetByLink({ token, onDone, onForgot, onBack }: ResetByLinkProps) {
  const { data, error } = useResetLink(token);
  return (
    <AuthCard
      title="Set a new password"
      description={
        data && (
          <>
            For <strong className="font-medium break-all text-ink">{data.email}</strong>. We've filled in the
            code from your email.
          </>
        )
      }
      // The card takes the focus when `back` appears, so it appears only together with the form or the error.
      back={data || error ? { label: 'Back to login', onClick: onBack } : undefined}
    >
      {error ? (
        <div className="grid gap-5">
          <Banner tone="bad">{messageOf(error, "This link doesn't work. Get a new code below.")}</Banner>
          <Button size="lg" wide onClick={onForgot}>
            Get a new code
          </Button>
        </div>
      ) : data ? (
        <ResetFields token={token} email={data.email} code={data.code} onDone={onDone} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </AuthCard>
  );
}
