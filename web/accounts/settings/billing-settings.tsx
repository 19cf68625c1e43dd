import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonOutLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { useBilling, useOpenConfirmed } from '../api.ts';

const PORTAL = '/api/billing/portal';

/** The provider's billing portal. [SET-09] */
export function BillingSettings({ title = 'Billing', children }: { title?: string; children?: ReactNode }) {
  const { data } = useBilling();
  const open = useOpenConfirmed(PORTAL);
  return (
    <Card>
      <CardHeader
        title={title}
        description={
          data?.hasBillingAccount
            ? 'Our payment provider stores your cards.'
            : 'Our payment provider will store your cards once you make your first payment.'
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
      {children}
    </Card>
  );
}
