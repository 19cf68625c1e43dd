import { messageOf } from '#web/http/request-error.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { useRestoreEmail } from '../sign-in-api.ts';
import { AuthCard } from './auth-card.tsx';

type RestoreByLinkProps = { token: string; onRestored: (email: string) => void; onBack: () => void };

/** The link of the notice to a replaced e-mail address. It needs a click, because mail scanners open links as well. */
export function RestoreByLink({ token, onRestored, onBack }: RestoreByLinkProps) {
  const restore = useRestoreEmail(onRestored);
  return (
    <AuthCard
      title="Undo the email change?"
      description="This restores the email address that this link was sent to, and ends every way into your account: the password, sessions, passkeys and two-step verification, and the members, links, saved cards and payout accounts that were added since a week before the change."
      back={{ label: 'Back to login', onClick: onBack }}
    >
      <div className="grid gap-5">
        {restore.isError && (
          <Banner tone="bad">
            {messageOf(restore.error, "Your email address wasn't restored. Please try again.")}
          </Banner>
        )}
        <Button size="lg" wide busy={restore.isPending} onClick={() => restore.mutate(token)}>
          Restore my email address
        </Button>
      </div>
    </AuthCard>
  );
}
