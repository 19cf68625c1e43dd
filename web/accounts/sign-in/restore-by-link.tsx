import { messageOf } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { useRestoreEmail } from '../api.ts';
import { AuthCard } from './auth-card.tsx';

type RestoreByLinkProps = { token: string; onRestored: (email: string) => void; onBack: () => void };

/** The link of the notice to a replaced address. A click is asked for, because mail scanners open links, too. */
export function RestoreByLink({ token, onRestored, onBack }: RestoreByLinkProps) {
  const restore = useRestoreEmail(onRestored);
  return (
    <AuthCard
      title="Take the change back?"
      description="Your account gets its old email address again, the one this link was sent to, and everybody who is signed in to it is signed out."
      back={{ label: 'Back to login', onClick: onBack }}
    >
      <div className="grid gap-5">
        {restore.isError && (
          <Banner tone="bad">{messageOf(restore.error, 'This did not work. Please try again.')}</Banner>
        )}
        <Button size="lg" wide busy={restore.isPending} onClick={() => restore.mutate(token)}>
          Restore my address
        </Button>
      </div>
    </AuthCard>
  );
}
