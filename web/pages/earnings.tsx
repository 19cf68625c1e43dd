import { AccessNote } from '#web/accounts/access-note.tsx';
import { Documents } from '#web/payments/documents.tsx';
import { Payouts } from '#web/payments/payouts.tsx';
import { Statements } from '#web/payments/statements.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page, PageHeader } from '#web/ui/page.tsx';
import { ShownTogether } from './shown-together.tsx';

/** The money of a publisher in one place. */
export default function EarningsPage() {
  return (
    <Page narrow>
      <PageHeader
        title="Earnings"
        description="What you’ve earned, what is on hold, and your payouts."
        actions={
          <>
            <ButtonLink href="/results" variant="secondary">
              Results by ad zone
            </ButtonLink>
            <ButtonLink href="/transactions" variant="secondary">
              View transactions
            </ButtonLink>
          </>
        }
      />
      <AccessNote needs="seller" />
      <ShownTogether>
        <Payouts />
        <Statements side="publisher" />
        <Documents side="publisher" />
      </ShownTogether>
    </Page>
  );
}
