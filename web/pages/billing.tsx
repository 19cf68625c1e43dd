import { AccessNote } from '#web/accounts/access-note.tsx';
import { BillingSettings } from '#web/accounts/settings/billing-settings.tsx';
import { Documents } from '#web/payments/documents.tsx';
import { MyConsents } from '#web/payments/my-consents.tsx';
import { MyPayments } from '#web/payments/my-payments.tsx';
import { Statements } from '#web/payments/statements.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { ShownTogether } from './shown-together.tsx';

/** The money of an advertiser in one place. */
export default function BillingPage() {
  return (
    <Page narrow>
      <PageHeader
        title="Billing"
        description="Your cards, payments, refunds and receipts."
        actions={
          <ButtonLink href="/settings?tab=billing" variant="secondary">
            Billing details
          </ButtonLink>
        }
      />
      <AccessNote needs="buyer" />
      <ShownTogether>
        <BillingSettings title="Cards" />
        <MyConsents />
        <MyPayments />
        <Documents side="buyer" />
        <Statements side="buyer" />
      </ShownTogether>
    </Page>
  );
}
