import { AccessNote } from '#web/accounts/access-note.tsx';
import { OpenBillingPortal } from '#web/accounts/settings/billing-settings.tsx';
import { MyConsents } from '#web/payments/my-consents.tsx';
import { MyPayments } from '#web/payments/my-payments.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { ShownTogether } from './shown-together.tsx';

/** The money of an advertiser in one place. */
export default function BillingPage() {
  return (
    <Page>
      <PageHeader
        title="Billing"
        description="Your payments with their receipts, and your saved cards."
        actions={
          <ButtonLink href="/settings?tab=billing" variant="secondary">
            Billing details
          </ButtonLink>
        }
      />
      <AccessNote needs="buyer" />
      <ShownTogether>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <MyPayments />
          <MyConsents portal={<OpenBillingPortal />} />
        </div>
      </ShownTogether>
    </Page>
  );
}
