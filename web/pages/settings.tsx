import { useLocation, useSearch } from 'wouter';
import { useSettings } from '#web/accounts/api.ts';
import { BillingDetails } from '#web/accounts/settings/billing-details.tsx';
import { BillingSettings } from '#web/accounts/settings/billing-settings.tsx';
import { BusinessSettings } from '#web/accounts/settings/business-settings.tsx';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { NotificationSettings } from '#web/accounts/settings/notification-settings.tsx';
import { PrivacySettings } from '#web/accounts/settings/privacy-settings.tsx';
import { ProfileSettings } from '#web/accounts/settings/profile-settings.tsx';
import { Documents } from '#web/payments/documents.tsx';
import { hasSellerAccess } from '#domain/accounts/roles.ts';
import { MyPayments } from '#web/payments/my-payments.tsx';
import { Payouts } from '#web/payments/payouts.tsx';
import { Statements } from '#web/payments/statements.tsx';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const SecuritySettings = onDemand(
  'the security settings',
  'h-80 rounded-card',
  async () => (await import('#web/accounts/settings/security-settings.tsx')).SecuritySettings,
);

const TABS = ['profile', 'business', 'notifications', 'billing', 'security', 'privacy'];

export default function SettingsPage() {
  const user = useSignedInUser();
  const { data: settings, isError, refetch } = useSettings();
  // In the address, because mails link to a tab and a reload stays on it: `/settings?tab=security`. [EASE-05]
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
        value={TABS.find((tab) => tab === wanted) ?? 'profile'}
        onChange={(tab) => navigate(`/settings?tab=${tab}`, { replace: true })}
        tabs={[
          {
            value: 'profile',
            label: 'Profile',
            content: settings ? <ProfileSettings user={user} settings={settings} /> : waiting,
          },
          {
            value: 'business',
            label: 'Business',
            content: settings ? <BusinessSettings settings={settings} /> : waiting,
          },
          {
            value: 'notifications',
            label: 'Notifications',
            content: settings ? <NotificationSettings settings={settings} /> : waiting,
          },
          {
            value: 'billing',
            label: 'Billing',
            content: (
              <div className="grid gap-6">
                {hasSellerAccess(user.role) && <Payouts />}
                <BillingSettings />
                {settings ? <BillingDetails settings={settings} /> : waiting}
                <MyPayments />
                <Documents />
                <Statements role={user.role} />
              </div>
            ),
          },
          { value: 'security', label: 'Security', content: <SecuritySettings user={user} /> },
          { value: 'privacy', label: 'Privacy', content: <PrivacySettings /> },
        ]}
      />
    </Page>
  );
}
