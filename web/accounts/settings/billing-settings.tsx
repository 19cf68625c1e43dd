import { ExternalLink } from 'lucide-react';
import { ButtonOutLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { useBilling } from '../api.ts';

export function BillingSettings() {
  const { data } = useBilling();
  return (
    <Card>
      <CardHeader
        title="Billing"
        description={
          data?.hasBillingAccount
            ? 'Our payment provider stores your cards and receipts.'
            : 'Our payment provider will store your cards and receipts once you make your first payment.'
        }
        actions={
          <ButtonOutLink href="/api/billing/portal" variant="secondary">
            Open billing portal
            <ExternalLink aria-hidden="true" />
          </ButtonOutLink>
        }
      />
    </Card>
  );
}
