import { messageOf } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useResetLink } from '../api.ts';
import { AuthCard } from './auth-card.tsx';
import { ResetFields } from '../reset-fields.tsx';

type ResetByLinkProps = {
  token: string;
  onDone: () => void;
  /** Another mail is wanted. */
  onForgot: () => void;
  onBack: () => void;
};

/** The link of the password mail: the code it stands for is filled in (ACCT-12). Opening it uses nothing up. */
export function ResetByLink({ token, onDone, onForgot, onBack }: ResetByLinkProps) {
  const { data, error } = useResetLink(token);
  return (
    <AuthCard
      title="Set a new password"
      description={
        data && (
          <>
            For <strong className="font-medium break-all text-ink">{data.email}</strong>. The code of your
            mail is filled in.
          </>
        )
      }
      // With it comes the focus, which belongs to what was waited for.
      back={data || error ? { label: 'Back to login', onClick: onBack } : undefined}
    >
      {error ? (
        <div className="grid gap-5">
          <Banner tone="bad">{messageOf(error, 'This link does not work.')}</Banner>
          <Button size="lg" wide onClick={onForgot}>
            Ask for a new code
          </Button>
        </div>
      ) : data ? (
        <ResetFields email={data.email} code={data.code} onDone={onDone} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </AuthCard>
  );
}
