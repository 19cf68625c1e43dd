import { useState, type ReactNode } from 'react';
import {
  ChevronDown,
  CreditCard,
  ClipboardCheck,
  Landmark,
  PencilLine,
  Tag,
  TriangleAlert,
  Unplug,
  type LucideIcon,
} from 'lucide-react';
import { MAX_WAITING, type WaitingKind } from '#domain/ads/waiting.ts';
import type { WaitingStep } from '#domain/ads/waiting-contract.ts';
import { useWaiting } from '#web/ads/use-waiting.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { onDemand } from '#web/ui/late.tsx';

const ReviewDialog = onDemand(
  'the ad',
  'hidden',
  async () => (await import('#web/ads/review-dialog.tsx')).ReviewDialog,
);

const TEXTS: Record<WaitingKind, { text: string; Icon: LucideIcon }> = {
  pay: { text: 'Approved. Pay to go live on', Icon: CreditCard },
  target: { text: 'Paused: check its target on', Icon: TriangleAlert },
  review: { text: 'Submitted for', Icon: ClipboardCheck },
  edit: { text: 'Rejected by', Icon: PencilLine },
  payout: { text: 'To receive', Icon: Landmark },
  price: { text: 'No price yet, on', Icon: Tag },
  tag: { text: 'Code not seen yet on', Icon: Unplug },
};

/** The user's next steps, each in one line with its button. Renders nothing without a step. */
export function Waiting() {
  const [isUnfolded, setUnfolded] = useState(false);
  const { data, isPlaceholderData } = useWaiting(isUnfolded ? MAX_WAITING : undefined);
  const [reviewed, setReviewed] = useState<number>();
  return (
    <>
      {data && data.steps.length > 0 && (
        <section
          aria-label="Waiting for you"
          className="overflow-hidden rounded-card border border-line bg-surface shadow-rest"
        >
          <h2 className="px-inset pt-3 pb-1 text-base font-semibold">Waiting for you</h2>
          <ul className="divide-y divide-line">
            {data.steps.map((step) => (
              <li key={`${step.kind}-${step.id}`}>
                <Step step={step} onReview={() => setReviewed(step.id)} />
              </li>
            ))}
          </ul>
          {data.more > 0 &&
            (isUnfolded && !isPlaceholderData ? (
              <p className="figures border-t border-line px-inset py-3 text-xs text-ink-faint">
                {data.more} more after these
              </p>
            ) : (
              <button
                type="button"
                onClick={() => setUnfolded(true)}
                className="flex w-full items-center gap-2 border-t border-line px-inset py-3 text-xs text-ink-soft hover:bg-sunken hover:text-ink"
              >
                <ChevronDown aria-hidden="true" className="size-4" />
                Show {data.more} more
              </button>
            ))}
        </section>
      )}
      {reviewed !== undefined && (
        <ReviewDialog key={reviewed} adId={reviewed} onClose={() => setReviewed(undefined)} />
      )}
    </>
  );
}

/** The content below the steps. Hidden until they are known, so that it doesn't move. */
export function BelowWaiting({ children }: { children: ReactNode }) {
  const { isPending } = useWaiting();
  return (
    <div className={cn('grid grid-cols-[minmax(0,1fr)] gap-6', isPending && 'invisible')}>{children}</div>
  );
}

function Step({ step, onReview }: { step: WaitingStep; onReview: () => void }) {
  const { text, Icon } = TEXTS[step.kind];
  const titleId = `waiting-${step.kind}-${step.id}`;
  return (
    <div className="flex items-center gap-3 px-inset py-1.5">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-faint max-sm:hidden" />
      <p className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-3">
        <bdi id={titleId} className="line-clamp-1 font-medium wrap-anywhere sm:max-w-[50%] sm:shrink-0">
          {step.title}
        </bdi>
        <span className="line-clamp-1 text-xs wrap-anywhere text-ink-soft">
          {text} <bdi>{step.amount === null ? step.websiteName : formatMoney(step.amount)}</bdi>
        </span>
      </p>
      <Act step={step} titleId={titleId} onReview={onReview} />
    </div>
  );
}

function Act({ step, titleId, onReview }: { step: WaitingStep; titleId: string; onReview: () => void }) {
  const looks = { size: 'sm', 'aria-describedby': titleId } as const;
  switch (step.kind) {
    case 'pay':
      return (
        <ButtonLink {...looks} href={`/checkout/${step.publicId}`}>
          Pay Now
        </ButtonLink>
      );
    case 'target':
    case 'review':
      return (
        <Button {...looks} variant="secondary" onClick={onReview}>
          Review
        </Button>
      );
    case 'edit':
      return (
        <ButtonLink
          {...looks}
          variant="secondary"
          href={`/dashboard?editAd=${step.publicId}`}
          state={{ tab: 'buyer' }}
        >
          Edit & Resubmit
        </ButtonLink>
      );
    case 'payout':
      return (
        <ButtonLink {...looks} variant="secondary" href="/earnings">
          Set up
        </ButtonLink>
      );
    case 'price':
      return (
        <ButtonLink {...looks} variant="secondary" href={`/ad-zones#ad-zone-${step.id}`}>
          Add price
        </ButtonLink>
      );
    case 'tag':
      return (
        <ButtonLink {...looks} variant="secondary" href={`/ad-zones#ad-zone-${step.id}`}>
          Get code
        </ButtonLink>
      );
  }
}
