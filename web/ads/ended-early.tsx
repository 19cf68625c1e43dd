import { Ban } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import type { EndedReason } from '#domain/ads/ended.ts';
import { EARLY_ENDS } from '#domain/ads/ended-text.ts';
import { formatMoney } from '#web/ui/format/format.ts';

/** Why the advertiser's campaign ended before everything was delivered, and what happens to the refund. */
export function EndedEarly({ ad, reason }: { ad: Ad; reason: Exclude<EndedReason, 'delivered'> }) {
  const { title, advertiser } = EARLY_ENDS[reason];
  return (
    <span className="grid gap-1">
      <span
        className={`inline-flex items-center gap-1.5 font-medium ${reason === 'canceled' ? 'text-ink-soft' : 'text-bad'}`}
      >
        <Ban aria-hidden="true" className="size-4 shrink-0" />
        {title}
      </span>
      <span dir="auto" className="wrap-anywhere text-ink-soft md:max-w-60">
        {ad.takenDownReason ?? advertiser}
      </span>
      <RefundState refund={ad.refund} />
    </span>
  );
}

export function RefundState({ refund }: Pick<Ad, 'refund'>) {
  if (!refund) return null;
  return <span className="figures text-ink-soft md:max-w-60">{refundText(refund)}</span>;
}

export function refundText({ amount, status }: NonNullable<Ad['refund']>): string {
  switch (status) {
    case 'owed':
      return `We’re sending ${formatMoney(amount)} back to your card.`;
    case 'sent':
      return `${formatMoney(amount)} is on its way to your card.`;
    case 'done':
      return `${formatMoney(amount)} was refunded to your card.`;
  }
}
