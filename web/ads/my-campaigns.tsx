import { counted } from '#domain/format.ts';
import { useState, type ReactNode } from 'react';
import { ChevronDown, Megaphone } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import { isPaid } from '#domain/ads/status.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/late.tsx';
import type { PagedList } from '#web/http/paged-list.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { isActionWide, MainAction, MoreActions, titleId, type CampaignActions } from './campaign-actions.tsx';
import { Delivery, type RecentOf } from './delivery.tsx';
import { StatusBadge } from './status-badge.tsx';

const CampaignDialog = onDemand(
  'the campaign',
  'hidden',
  async () => (await import('./campaign-dialog.tsx')).CampaignDialog,
);
const WithdrawDialog = onDemand(
  'the dialog',
  'hidden',
  async () => (await import('./withdraw-dialog.tsx')).WithdrawDialog,
);
const CancelDialog = onDemand(
  'the campaign',
  'hidden',
  async () => (await import('./cancel-dialog.tsx')).CancelDialog,
);

const WithdrawAdDialog = onDemand(
  'the ad',
  'hidden',
  async () => (await import('./withdraw-ad-dialog.tsx')).WithdrawAdDialog,
);

type MyCampaignsProps = Pick<CampaignActions, 'onEdit' | 'onWhy'> & {
  ads: PagedList<Ad>;
  recentOf: RecentOf;
  /** Renders a paid ad's delivery over time. */
  renderChart: (ad: Ad) => ReactNode;
};

/** The advertiser's own ads, with the actions that each allows. */
export function MyCampaigns({ ads, onEdit, recentOf, renderChart, onWhy }: MyCampaignsProps) {
  const now = useNow();
  const [openId, setOpenId] = useState<number>();
  const [cancelId, setCancelId] = useState<number>();
  const [withdrawId, setWithdrawId] = useState<number>();
  const [withdrawAdId, setWithdrawAdId] = useState<number>();
  const withdrawingAd = ads.items?.find(({ id }) => id === withdrawAdId);
  const opened = ads.items?.find(({ id }) => id === openId);
  const canceling = ads.items?.find(({ id }) => id === cancelId);
  const withdrawing = ads.items?.find(({ id }) => id === withdrawId);
  const { shown, folded, unfold } = useFold(ads.items ?? []);

  if (ads.isError) return <LoadError what="your campaigns" onRetry={ads.retry} />;
  if (!ads.items) return <Skeleton className="mx-inset mb-3 h-40 rounded-card" />;
  if (ads.items.length === 0) return <NoCampaigns />;
  return (
    <>
      <Table
        label="My Campaigns"
        columns={columnsOf({
          onEdit,
          onWhy,
          recentOf,
          now,
          onOpen: (ad) => setOpenId(ad.id),
          onCancel: (ad) => setCancelId(ad.id),
          onWithdraw: (ad) => setWithdrawId(ad.id),
          onWithdrawAd: (ad) => setWithdrawAdId(ad.id),
        })}
        rows={shown}
        rowKey={(ad) => ad.id}
        cards
      />
      {folded > 0 && <ShowCompleted count={folded} onClick={unfold} />}
      {ads.hasMore && (
        <Button
          variant="secondary"
          size="sm"
          className="mx-inset my-4"
          busy={ads.isLoadingMore}
          onClick={ads.loadMore}
        >
          Show more campaigns
        </Button>
      )}
      {withdrawingAd && <WithdrawAdDialog ad={withdrawingAd} onClose={() => setWithdrawAdId(undefined)} />}
      {withdrawing && <WithdrawDialog ad={withdrawing} onClose={() => setWithdrawId(undefined)} />}
      {canceling && <CancelDialog ad={canceling} onClose={() => setCancelId(undefined)} />}
      {opened && (
        <CampaignDialog
          ad={opened}
          recentOf={recentOf}
          now={now}
          chart={renderChart(opened)}
          onWhy={() => {
            setOpenId(undefined);
            onWhy(opened);
          }}
          onClose={() => setOpenId(undefined)}
        />
      )}
    </>
  );
}

/** Folds the completed campaigns away until the advertiser asks for them. `folded` is their number. */
function useFold(ads: readonly Ad[]) {
  const [isUnfolded, setUnfolded] = useState(false);
  const running = ads.filter(({ status }) => status !== 'completed');
  // Without other campaigns a fold would leave the table empty.
  const isFolded = !isUnfolded && running.length > 0;
  return {
    shown: isFolded ? running : ads,
    folded: isFolded ? ads.length - running.length : 0,
    unfold: () => setUnfolded(true),
  };
}

function ShowCompleted({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="flex w-full items-center gap-2 border-t border-line px-inset py-3 text-xs text-ink-soft hover:bg-sunken hover:text-ink"
    >
      <ChevronDown aria-hidden="true" className="size-4" />
      Show {counted(count, 'completed campaign')}
    </button>
  );
}

function NoCampaigns() {
  return (
    <EmptyState
      title="No campaigns yet"
      icon={<Megaphone aria-hidden="true" />}
      className="mx-inset mb-3 py-10"
      action={<ButtonLink href="/marketplace">Browse Marketplace</ButtonLink>}
    >
      Choose a website, create your ad, and pay once the publisher has approved it.
    </EmptyState>
  );
}

type ColumnOptions = CampaignActions & { onOpen: (ad: Ad) => void; recentOf: RecentOf; now: Date };

function columnsOf({ onOpen, recentOf, now, ...actions }: ColumnOptions): Column<Ad>[] {
  return [
    {
      header: 'Campaign',
      width: 27,
      card: 'start',
      className: 'md:max-lg:min-w-44',
      cell: (ad) => <Campaign ad={ad} onOpen={() => onOpen(ad)} />,
    },
    {
      header: 'Website & Zone',
      width: 13,
      card: 'start',
      cell: (ad) => <Placement ad={ad} />,
    },
    {
      header: 'Type',
      width: 6,
      card: 'end',
      cell: (ad) => <span className="max-md:text-ink-faint md:text-xs">{AD_KINDS[ad.adType].name}</span>,
    },
    {
      header: 'Pricing',
      width: 13,
      card: 'third-start',
      cell: (ad) => <Price ad={ad} />,
    },
    { header: 'Status', width: 9, card: 'corner', cell: (ad) => <StatusBadge status={ad.status} /> },
    {
      header: 'Performance',
      width: 16,
      card: 'wide',
      cell: (ad) => (
        <span className="figures grid gap-0.5">
          <Counts ad={ad} />
          <Delivery ad={ad} recentOf={recentOf} now={now} />
        </span>
      ),
    },
    {
      header: 'Actions',
      width: 16,
      card: (ad) => (isActionWide(ad) ? 'wide' : 'third-end'),
      cell: (ad) => (
        <span className="grid gap-0.5 text-xs md:justify-items-start">
          <MainAction ad={ad} now={now} onEdit={() => actions.onEdit(ad, 'resubmit')} />
          <MoreActions ad={ad} {...actions} />
        </span>
      ),
    },
  ];
}

/** Only a paid campaign opens, because an unpaid one has no delivery to show. */
function Campaign({ ad, onOpen }: { ad: Ad; onOpen: () => void }) {
  const title = (
    <span id={titleId(ad)} dir="auto" className="block truncate font-medium">
      {ad.title}
    </span>
  );
  return (
    <span className="flex items-start gap-3">
      <Thumbnail kind={ad.adType} src={ad.imageUrl} />
      <span className="min-w-0">
        {!isPaid(ad.status) ? (
          title
        ) : (
          <button
            type="button"
            title="Show delivery over time"
            onClick={onOpen}
            className="block max-w-full rounded-tight text-left underline decoration-line-strong/60 underline-offset-4 hover:decoration-ink"
          >
            {title}
          </button>
        )}
        <span className="line-clamp-1 text-xs break-all text-ink-faint">
          {ad.displayTarget.replace(/^https?:\/\//, '')}
        </span>
      </span>
    </span>
  );
}

function Placement({ ad }: { ad: Ad }) {
  return (
    <span className="wrap-anywhere max-md:line-clamp-2">
      <span className="md:block md:truncate">
        <bdi>{ad.websiteName}</bdi>
      </span>
      <span aria-hidden="true" className="text-ink-faint md:hidden">
        {' · '}
      </span>
      <span className="text-xs text-ink-faint md:block md:truncate">
        <bdi>{ad.adZoneName}</bdi>
      </span>
    </span>
  );
}

function Price({ ad }: { ad: Ad }) {
  return (
    <>
      <span className="figures font-medium md:block">
        {!isPaid(ad.status) ? (
          formatMoney(ad.totalAmount)
        ) : (
          <AmountLink amount={ad.totalAmount} adRef={ad.id} side="buyer" />
        )}
      </span>{' '}
      <span className="text-xs text-ink-faint md:block">{amountText(planOf(ad))}</span>
    </>
  );
}

function Counts({ ad }: { ad: Ad }) {
  return (
    <span className="md:flex md:flex-wrap md:items-baseline md:gap-x-2">
      <span className="whitespace-nowrap">{counted(ad.totalImpressions, 'impression')}</span>
      <span aria-hidden="true" className="text-ink-faint md:hidden">
        {' · '}
      </span>
      <span className="text-xs whitespace-nowrap text-ink-faint">{counted(ad.totalClicks, 'click')}</span>
    </span>
  );
}
