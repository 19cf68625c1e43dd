import { CreditCard } from 'lucide-react';
import { Link } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { canApply } from '#domain/ads/status.ts';
import { Button } from '#web/ui/button.tsx';

/** The card that pays for an ad on approval, or the offer to save one. */
export function ConsentLine({ ad, onWithdraw }: { ad: Ad; onWithdraw: () => void }) {
  const { consent, status } = ad;
  const canBegin = canApply('approve', status) || canApply('pay', status);
  if (!canBegin) return null;
  const describedBy = `campaign-${ad.id}`;
  switch (consent?.state) {
    case 'active':
      return (
        <span className="grid gap-0.5">
          <span className="inline-flex items-center gap-1.5">
            <CreditCard aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
            Pays when approved · •••• {consent.last4}
          </span>
          <Button
            variant="link"
            className="min-h-6 justify-self-start text-xs"
            aria-describedby={describedBy}
            onClick={onWithdraw}
          >
            Remove card
          </Button>
        </span>
      );
    case 'charging':
      return <span className="text-ink-soft">Charging card •••• {consent.last4}</span>;
    case 'needs_action':
      return (
        <span className="text-warn">
          Your bank wants you to confirm the payment with card{' '}
          <span className="whitespace-nowrap">•••• {consent.last4}</span>.
        </span>
      );
    case 'failed':
      return (
        <span className="text-warn">
          We couldn’t charge card <span className="whitespace-nowrap">•••• {consent.last4}</span>.
        </span>
      );
    case 'paid':
    case 'withdrawn':
    case undefined:
      // An approved ad has 'Pay Now'.
      return canApply('approve', status) ? (
        <Link
          href={`/checkout/${ad.publicId}/on-approval`}
          aria-describedby={describedBy}
          className="inline-flex min-h-6 items-center justify-self-start rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          Pay when approved
        </Link>
      ) : null;
  }
}
