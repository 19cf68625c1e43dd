import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonOutLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { useBilling, useOpenConfirmed } from '../api.ts';

const PORTAL = '/api/billing/portal';

/** Leads to the cards that the payment provider stores. `children` are links to the user's money. */
export function BillingSettings({ children }: { children: ReactNode }) {
  const { data } = useBilling();
  return (
    <Card>
      <CardHeader
        title="Billing"
        description={
          data?.hasBillingAccount
            ? 'Our payment provider stores your cards.'
            : 'Our payment provider will store your cards once you make your first payment.'
        }
        actions={<OpenBillingPortal />}
      />
      {children}
    </Card>
  );
}

/** The provider's billing portal. [SET-09] */
export function OpenBillingPortal() {
  const open = useOpenConfirmed(PORTAL);
  return (
    <ButtonOutLink
      href={PORTAL}
      variant="secondary"
      onClick={(event) => {
        event.preventDefault();
        open.mutate();
      }}
    >
      Open billing portal
      <ExternalLink aria-hidden="true" />
    </ButtonOutLink>
  );
}
