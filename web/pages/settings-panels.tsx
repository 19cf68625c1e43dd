import type { ReactNode } from 'react';
import type { Settings, User } from '#domain/accounts/contract.ts';
import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import { BillingDetails } from '#web/accounts/settings/billing-details.tsx';
import { TaxSettings } from '#web/accounts/settings/tax-settings.tsx';
import { BillingSettings } from '#web/accounts/settings/billing-settings.tsx';
import { BusinessSettings } from '#web/accounts/settings/business-settings.tsx';
import { NotificationSettings } from '#web/accounts/settings/notification-settings.tsx';
import { PrivacySettings } from '#web/accounts/settings/privacy-settings.tsx';
import { ProfileSettings } from '#web/accounts/settings/profile-settings.tsx';
import { mayDo } from '#web/accounts/membership.ts';
import { BlockedAdvertisers } from '#web/ads/blocked-advertisers.tsx';
import { TrustedAdvertisers } from '#web/ads/trusted-advertisers.tsx';
import { PayoutSettings } from '#web/payments/payout-settings.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';

const MyConsents = onDemand(
  'your saved cards',
  'h-40',
  async () => (await import('#web/payments/my-consents.tsx')).MyConsents,
);

type SettingsPanelProps = {
  tab: 'profile' | 'business' | 'notifications' | 'billing' | 'privacy';
  user: User;
  settings: Settings | undefined;
  /** Takes the place of what needs `settings` until they have loaded. */
  waiting: ReactNode;
};

/** The panels of all tabs but 'Security'. */
export function SettingsPanel({ tab, user, settings, waiting }: SettingsPanelProps) {
  switch (tab) {
    case 'profile':
      return settings ? <ProfileSettings user={user} settings={settings} /> : waiting;
    case 'business':
      return (
        <div className="grid gap-6">
          {settings ? <BusinessSettings settings={settings} /> : waiting}
          {hasSellerAccess(user.role) && mayDo(user, 'ads') && (
            <>
              <TrustedAdvertisers />
              <BlockedAdvertisers />
            </>
          )}
        </div>
      );
    case 'notifications':
      return settings ? <NotificationSettings settings={settings} /> : waiting;
    case 'privacy':
      return <PrivacySettings />;
    case 'billing':
      return (
        <div className="grid gap-6">
          {hasSellerAccess(user.role) && <PayoutSettings />}
          <BillingSettings>
            <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
              {hasBuyerAccess(user.role) && (
                <ButtonLink href="/billing" variant="link">
                  Your payments and receipts
                </ButtonLink>
              )}
              {hasSellerAccess(user.role) && (
                <ButtonLink href="/earnings" variant="link">
                  Your earnings and payouts
                </ButtonLink>
              )}
            </p>
          </BillingSettings>
          {settings ? <BillingDetails settings={settings} /> : waiting}
          {settings && hasSellerAccess(user.role) && <TaxSettings settings={settings} />}
          <MyConsents />
        </div>
      );
  }
}
