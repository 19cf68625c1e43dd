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
            ? 'Our payment provider stores your cards. Your receipts are below.'
            : 'Our payment provider will store your cards once you make your first payment. Your receipts will be below.'
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
