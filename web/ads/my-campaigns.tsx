import { Clapperboard, Clock, Megaphone, Radio } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import { canApply } from '#domain/ads/status.ts';
import { AD_TYPE_NAMES } from '#domain/ads/types.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatMoney } from '#web/ui/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import type { PagedList } from '#web/http/paged-list.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { StatusBadge } from './status-badge.tsx';

type MyCampaignsProps = { ads: PagedList<Ad>; onEdit: (ad: Ad) => void };

/** One's own ads with what can be done about each. */
export function MyCampaigns({ ads, onEdit }: MyCampaignsProps) {
  if (ads.isError) return <LoadError what="your campaigns" onRetry={ads.retry} />;
  if (!ads.items) return <Skeleton className="h-40 rounded-card" />;
  if (ads.items.length === 0) {
    return (
      <EmptyState
        title="No campaigns yet"
        icon={<Megaphone aria-hidden="true" />}
        className="py-10"
        action={<ButtonLink href="/marketplace">Browse Marketplace</ButtonLink>}
      >
        Choose a website, create your ad, and pay once its publisher has approved it.
      </EmptyState>
    );
  }
  return (
    <>
      <Table label="My Campaigns" columns={columns(onEdit)} rows={ads.items} rowKey={(ad) => ad.id} />
      {ads.hasMore && (
        <Button variant="secondary" size="sm" className="m-4" busy={ads.isLoadingMore} onClick={ads.loadMore}>
          Show more campaigns
        </Button>
      )}
    </>
  );
}

function columns(onEdit: (ad: Ad) => void): Column<Ad>[] {
  return [
    { header: 'Campaign', className: 'md:min-w-48', cell: (ad) => <Campaign ad={ad} /> },
    {
      header: 'Website & Zone',
      className: 'md:min-w-36',
      cell: (ad) => (
        <>
          <span className="block wrap-anywhere">{ad.websiteName}</span>
          <span className="block wrap-anywhere text-ink-faint">{ad.adZoneName}</span>
        </>
      ),
    },
    { header: 'Type', cell: (ad) => AD_TYPE_NAMES[ad.adType] },
    {
      header: 'Pricing',
      cell: (ad) => (
        <>
          <span className="figures block font-medium">{formatMoney(ad.totalAmount)}</span>
          <span className="block whitespace-nowrap text-ink-faint">{amountText(planOf(ad))}</span>
        </>
      ),
    },
    { header: 'Status', cell: (ad) => <StatusBadge status={ad.status} /> },
    {
      header: 'Performance',
      cell: (ad) => (
        <span className="figures">
          <span className="block whitespace-nowrap">{formatCount(ad.totalImpressions)} impressions</span>
          <span className="block whitespace-nowrap text-ink-faint">{formatCount(ad.totalClicks)} clicks</span>
        </span>
      ),
    },
    { header: 'Actions', cell: (ad) => <Actions ad={ad} onEdit={() => onEdit(ad)} /> },
  ];
}

function Campaign({ ad }: { ad: Ad }) {
  return (
    <span className="flex items-start gap-3 max-md:flex-row-reverse">
      <Thumbnail ad={ad} />
      <span className="min-w-0">
        <span className="line-clamp-2 font-medium wrap-anywhere">{ad.title}</span>
        <span className="line-clamp-1 break-all text-ink-faint">{ad.targetUrl}</span>
      </span>
    </span>
  );
}

function Thumbnail({ ad }: { ad: Ad }) {
  const box = 'h-10 w-14 shrink-0 rounded-tight border border-line';
  if (ad.adType === 'text') return null;
  if (ad.adType === 'video' && !ad.imageUrl) {
    return (
      <span className={`${box} grid place-items-center bg-sunken text-ink-faint`}>
        <Clapperboard aria-hidden="true" className="size-4" />
      </span>
    );
  }
  return <Picture src={ad.imageUrl} alt="" className={box} />;
}

/** What may be done in each status is the rule of domain/ads/status.ts. */
function Actions({ ad, onEdit }: { ad: Ad; onEdit: () => void }) {
  if (canApply('pay', ad.status)) {
    return (
      <ButtonLink href={`/checkout/${ad.publicId}`} size="sm">
        Pay Now
      </ButtonLink>
    );
  }
  if (canApply('resubmit', ad.status)) {
    return (
      <span className="grid gap-2 max-md:justify-items-end">
        <span className="max-w-60 text-ink-soft">{ad.rejectionReason}</span>
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start max-md:justify-self-end"
          onClick={onEdit}
        >
          Edit & Resubmit
        </Button>
      </span>
    );
  }
  if (canApply('complete', ad.status)) {
    return (
      <span className="inline-flex items-center gap-1.5 font-medium text-good">
        <Radio aria-hidden="true" className="size-4 shrink-0" />
        Live
      </span>
    );
  }
  if (canApply('approve', ad.status)) {
    return (
      <span className="inline-flex items-center gap-1.5 text-ink-soft">
        <Clock aria-hidden="true" className="size-4 shrink-0" />
        Awaiting Approval
      </span>
    );
  }
  return <span className="text-ink-faint">Completed</span>;
}
