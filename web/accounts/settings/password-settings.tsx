import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { User } from '#domain/accounts/contract.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { resetFailure, useForgotPassword } from '../sign-in-api.ts';
import { leaveAfterReset } from '../leaving.ts';
import { ChangePasswordForm } from './change-password.tsx';

const ResetFields = onDemand(
  'the reset form',
  'h-80',
  async () => (await import('../reset-fields.tsx')).ResetFields,
);

/** A user who has forgotten the password resets it by code here, too. [SEC-08, OP-034] */
export function PasswordSettings({ user }: { user: User }) {
  const forgot = useForgotPassword();
  const [, navigate] = useLocation();
  // In the history entry, so that the code form outlives a reload.
  const sent = useHistoryState<{ awaitsCode?: true } | null>()?.awaitsCode === true;
  const setSent = (awaitsCode: boolean) =>
    navigate('/settings?tab=security', { replace: true, state: awaitsCode ? { awaitsCode } : null });
  return (
    <Card>
      <CardHeader
        title="Password"
        description={
          sent
            ? `We sent a code to ${user.email}. Setting a new password signs you out everywhere.`
            : 'Changing it signs you out on every other device.'
        }
      />
      <div className="mt-5 grid max-w-sm gap-5">
        {forgot.isError && (
          <Banner tone="bad">{resetFailure(forgot.error, 'Failed to send reset code')}</Banner>
        )}
        {sent ? (
          <ResetFields email={user.email} onDone={leaveAfterReset}>
            <Button variant="quiet" onClick={() => setSent(false)}>
              Cancel
            </Button>
          </ResetFields>
        ) : (
          <>
            <ChangePasswordForm />
            <div className="grid gap-2 border-t border-line pt-5">
              <p className="text-sm text-ink-soft">
                Forgot your password? We&apos;ll email you a code. Enter it here to set a new password.
              </p>
              <Button
                variant="secondary"
                className="justify-self-start"
                busy={forgot.isPending}
                onClick={() => forgot.mutate({ email: user.email }, { onSuccess: () => setSent(true) })}
              >
                Send reset code
              </Button>
            </div>
          </>
        )}
      </div>
    </Card>
  );
}
