import { useState } from 'react';
import { ChevronRight, Inbox } from 'lucide-react';
import type { Submission } from '#domain/ads/contract.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { advertiserName, targetDomain } from './advertiser.tsx';
import { usePendingAds } from './api.ts';
import { StatusBadge } from './status-badge.tsx';

const ReviewDialog = onDemand(
  'the ad',
  'hidden',
  async () => (await import('./review-dialog.tsx')).ReviewDialog,
);

/** Ads waiting for the publisher's review; selecting one opens the review dialog. */
export function PendingAds() {
  const pending = usePendingAds();
  const [reviewed, setReviewed] = useState<number>();

  if (pending.isError) return <LoadError what="the pending ads" onRetry={pending.retry} />;
  if (!pending.items) return <Skeleton className="h-32 rounded-card" />;
  return (
    <>
      {pending.items.length === 0 ? (
        <EmptyState
          title="No ads waiting for your approval"
          icon={<Inbox aria-hidden="true" />}
          className="py-5"
        >
          When an advertiser submits an ad for one of your ad zones, it appears here.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {pending.items.map((ad) => (
            <li key={ad.id}>
              <PendingAd ad={ad} onOpen={() => setReviewed(ad.id)} />
            </li>
          ))}
        </ul>
      )}
      {pending.hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-4"
          busy={pending.isLoadingMore}
          onClick={pending.loadMore}
        >
          Show more pending ads
        </Button>
      )}
      {reviewed !== undefined && (
        <ReviewDialog key={reviewed} adId={reviewed} onClose={() => setReviewed(undefined)} />
      )}
    </>
  );
}

function PendingAd({ ad, onOpen }: { ad: Submission; onOpen: () => void }) {
  const advertiser = advertiserName(ad.advertiser);
  return (
    <button
      type="button"
      onClick={onOpen}
      className="-mx-3 flex w-[calc(100%+1.5rem)] items-center gap-4 rounded-control px-3 py-4 text-left hover:bg-sunken"
    >
      <Thumbnail kind={ad.adType} src={ad.imageUrl} className="self-start" />
      <span className="grid min-w-0 flex-1 gap-1.5">
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="min-w-0 font-medium wrap-anywhere">{ad.title}</bdi>
          <Badge tone="outline">{AD_KINDS[ad.adType].name}</Badge>
          {ad.variantOf && <Badge tone="accent">Second creative</Badge>}
          <StatusBadge status={ad.status} />
        </span>
        <span className="line-clamp-2 text-sm wrap-anywhere text-ink-soft">
          <bdi>{ad.description}</bdi>
        </span>
        <span className="flex flex-wrap gap-x-4 text-xs text-ink-faint">
          <span className="wrap-anywhere">
            {advertiser !== null && (
              <>
                <bdi className="text-ink">{advertiser}</bdi> ·{' '}
              </>
            )}
            {targetDomain(ad)} · Advertiser #{ad.userId}
          </span>
          {ad.variantOf ? (
            <span className="wrap-anywhere">
              Shown in turn with “<bdi>{ad.variantOf.title}</bdi>”
            </span>
          ) : (
            <span>
              Budget <span className="figures font-medium text-ink">{formatMoney(ad.totalAmount)}</span>
            </span>
          )}
          <span className="line-clamp-2 wrap-anywhere">
            <bdi>{ad.websiteName}</bdi>, <bdi>{ad.adZoneName}</bdi>
          </span>
        </span>
      </span>
      <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-faint" />
    </button>
  );
}
