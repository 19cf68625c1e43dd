import { ExternalLink } from 'lucide-react';
import { ButtonOutLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { useBilling, useOpenConfirmed } from '../api.ts';

const PORTAL = '/api/billing/portal';

export function BillingSettings() {
  const { data } = useBilling();
  const open = useOpenConfirmed(PORTAL);
  return (
    <Card>
      <CardHeader
        title="Billing"
        description={
          data?.hasBillingAccount
            ? 'Our payment provider stores your cards. Your receipts are below.'
            : 'Our payment provider will store your cards once you make your first payment. Your receipts will be below.'
        }
        actions={
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
        }
      />
    </Card>
  );
}
