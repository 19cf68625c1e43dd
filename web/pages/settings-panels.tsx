import type { ReactNode } from 'react';
import type { Settings, User } from '#domain/accounts/contract.ts';
import { hasBuyerAccess, hasSellerAccess } from '#domain/accounts/roles.ts';
import { useBilling } from '#web/accounts/api.ts';
import { BillingDetails } from '#web/accounts/settings/billing-details.tsx';
import { TaxSettings } from '#web/accounts/settings/tax-settings.tsx';
import { BillingSettings } from '#web/accounts/settings/billing-settings.tsx';
import { BusinessSettings } from '#web/accounts/settings/business-settings.tsx';
import { NotificationSettings } from '#web/accounts/settings/notification-settings.tsx';
import { PrivacySettings } from '#web/accounts/settings/privacy-settings.tsx';
import { ProfileSettings } from '#web/accounts/settings/profile-settings.tsx';
import { mayDo } from '#web/accounts/membership.ts';
import { BlockedAdvertisers } from '#web/ads/blocked-advertisers.tsx';
import { TrustedAdvertisers, useTrusted } from '#web/ads/trusted-advertisers.tsx';
import { PayoutSettings } from '#web/payments/payout-settings.tsx';
import { usePayouts } from '#web/payments/payouts-api.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';

type SettingsPanelProps = {
  tab: 'profile' | 'business' | 'notifications' | 'billing' | 'privacy';
  user: User;
  settings: Settings | undefined;
  /** Takes the place of what needs `settings` until they have loaded. */
  waiting: ReactNode;
  /** Whether `settings` have loaded, or can't be loaded. */
  isSettled: boolean;
};

/** The panels of all tabs but 'Security'. */
export function SettingsPanel({ tab, user, settings, waiting, isSettled }: SettingsPanelProps) {
  switch (tab) {
    case 'profile':
      return settings ? <ProfileSettings user={user} settings={settings} /> : waiting;
    case 'business':
      return (
        <div className="grid gap-6">
          {settings ? <BusinessSettings settings={settings} /> : waiting}
          {hasSellerAccess(user.role) && mayDo(user, 'ads') && (
            <AdvertisersOfPublisher isPlaced={isSettled} />
          )}
        </div>
      );
    case 'notifications':
      return settings ? <NotificationSettings settings={settings} /> : waiting;
    case 'privacy':
      return <PrivacySettings />;
    case 'billing':
      return <BillingPanel {...{ user, settings, waiting }} />;
  }
}

type BillingPanelProps = Omit<SettingsPanelProps, 'tab' | 'isSettled'>;

/** A part that is still loading would move those below it, so they are invisible until then. */
function BillingPanel({ user, settings, waiting }: BillingPanelProps) {
  const isSeller = hasSellerAccess(user.role);
  const payouts = usePayouts({ enabled: isSeller });
  const billing = useBilling();
  const isBillingPlaced = !isSeller || payouts.data !== undefined || payouts.isError;
  const isPlaced = isBillingPlaced && (billing.data !== undefined || billing.isError);
  return (
    <div className="grid gap-6">
      {isSeller && <PayoutSettings />}
      <div className={cn(!isBillingPlaced && 'invisible')}>
        <BillingSettings>
          <p className={cn('mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm', !isPlaced && 'invisible')}>
            {hasBuyerAccess(user.role) && (
              <ButtonLink href="/billing" variant="link">
                Your payments, receipts and saved cards
              </ButtonLink>
            )}
            {isSeller && (
              <ButtonLink href="/earnings" variant="link">
                Your earnings and payouts
              </ButtonLink>
            )}
          </p>
        </BillingSettings>
      </div>
      <div className={cn('grid gap-6', !isPlaced && 'invisible')}>
        {settings ? <BillingDetails settings={settings} /> : waiting}
        {settings && isSeller && <TaxSettings settings={settings} />}
      </div>
    </div>
  );
}

/** The same for a list that is still loading. */
function AdvertisersOfPublisher({ isPlaced }: { isPlaced: boolean }) {
  const { items, isError } = useTrusted();
  return (
    <>
      <TrustedAdvertisers isPlaced={isPlaced} />
      <BlockedAdvertisers isPlaced={isPlaced && (items !== undefined || isError)} />
    </>
  );
}
