import { ExternalLink } from 'lucide-react';
import type { User } from '#domain/accounts/contract.ts';
import { hasSellerAccess } from '#domain/accounts/roles.ts';
import { ButtonLink, ButtonOutLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { useBilling } from '../api.ts';

export function BillingSettings({ user }: { user: User }) {
  const { data } = useBilling();
  return (
    <div className="grid gap-6">
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
      {hasSellerAccess(user.role) && (
        <Card>
          <CardHeader
            title="Payout Settings"
            description="You keep 85% of every sale. Your share is added to your earnings when an ad is paid for."
            actions={
              <ButtonLink href="/transactions" variant="secondary">
                View transactions
              </ButtonLink>
            }
          />
        </Card>
      )}
    </div>
  );
}
