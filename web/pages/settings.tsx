import { useLocation, useSearch } from 'wouter';
import { useSettings } from '#web/accounts/api.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { mayDo } from '#web/accounts/membership.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

// Two files, because 'Security' is the only tab that needs the form library, and the heaviest one with it.
const SettingsPanel = onDemand(
  'your settings',
  'h-80 rounded-card',
  async () => (await import('./settings-panels.tsx')).SettingsPanel,
);
const SecuritySettings = onDemand(
  'the security settings',
  'h-80 rounded-card',
  async () => (await import('./settings-security.tsx')).SecuritySettings,
);

const MembersSettings = onDemand(
  'the members',
  'h-80 rounded-card',
  async () => (await import('#web/accounts/settings/members.tsx')).MembersSettings,
);

/** Each with the right that a member of the account needs for it. */
const TABS = [
  { value: 'profile', label: 'Profile', right: 'owner' },
  { value: 'business', label: 'Business', right: 'money' },
  { value: 'notifications', label: 'Notifications', right: 'money' },
  { value: 'billing', label: 'Billing', right: 'money' },
  { value: 'members', label: 'Members', right: 'owner' },
  { value: 'security', label: 'Security', right: 'owner' },
  { value: 'privacy', label: 'Privacy', right: 'owner' },
] as const;

export default function SettingsPage() {
  const user = useSignedInUser();
  const { data: settings, isError, refetch } = useSettings();
  // In the address, because mails link to a tab and a reload stays on it: `/settings?tab=security`.
  const tabs = TABS.filter(({ right }) => mayDo(user, right));
  const wanted = new URLSearchParams(useSearch()).get('tab');
  const [, navigate] = useLocation();

  const waiting = isError ? (
    <LoadError what="your settings" onRetry={refetch} />
  ) : (
    <Skeleton className="h-80 rounded-card" />
  );

  return (
    <Page narrow>
      <PageHeader title="Settings" />
      <Tabs
        label="Settings"
        value={(tabs.find(({ value }) => value === wanted) ?? tabs[0])?.value ?? 'profile'}
        onChange={(tab) => navigate(`/settings?tab=${tab}`, { replace: true })}
        tabs={tabs.map(({ value, label }) => ({
          value,
          label,
          content:
            value === 'security' ? (
              <SecuritySettings user={user} />
            ) : value === 'members' ? (
              <MembersSettings />
            ) : (
              <SettingsPanel
                tab={value}
                user={user}
                settings={settings}
                waiting={waiting}
                isSettled={settings !== undefined || isError}
              />
            ),
        }))}
      />
    </Page>
  );
}
