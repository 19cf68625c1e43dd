import type { User } from '#domain/accounts/contract.ts';
import { OpenSessions } from '#web/accounts/settings/open-sessions.tsx';
import { PasskeySettings } from '#web/accounts/settings/passkeys.tsx';
import { PasswordSettings } from '#web/accounts/settings/password-settings.tsx';
import { RecentActivity } from '#web/accounts/settings/recent-activity.tsx';
import { SecondFactorSettings } from '#web/accounts/settings/second-factor.tsx';

/** The tab 'Security'. It is the only one that needs the form library at once. */
export function SecuritySettings({ user }: { user: User }) {
  return (
    <div className="grid gap-6">
      <PasswordSettings user={user} />
      <PasskeySettings />
      <SecondFactorSettings />
      <OpenSessions />
      <RecentActivity />
    </div>
  );
}
