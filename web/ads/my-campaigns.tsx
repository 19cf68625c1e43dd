import { counted } from '#domain/format.ts';
import { useState, type ReactNode } from 'react';
import { ChevronDown, Megaphone } from 'lucide-react';
import { Link } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { canApply, isPaid } from '#domain/ads/status.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';
import type { PagedList } from '#web/http/paged-list.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { useNow } from '#web/ui/use-now.ts';
import {
  Actions,
  againAddress,
  ChangeButton,
  hasAction,
  hasConsentLine,
  isEndedEarly,
  titleId,
} from './campaign-actions.tsx';
import { Delivery, type RecentOf } from './delivery.tsx';
import { StatusBadge } from './status-badge.tsx';

const CampaignDialog = onDemand(
  'the campaign',
  'hidden',
  async () => (await import('./campaign-dialog.tsx')).CampaignDialog,
);
/** Most rows have none, and the dashboard is the heaviest page. */
const ConsentLine = onDemand('the card', 'h-6', async () => (await import('./consent-line.tsx')).ConsentLine);
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

type MyCampaignsProps = {
  ads: PagedList<Ad>;
  /** Opens the form for a rejected or a pending ad. */
  onEdit: (ad: Ad, action: 'resubmit' | 'correct') => void;
  recentOf: RecentOf;
  /** Renders a paid ad's delivery over time. */
  renderChart: (ad: Ad) => ReactNode;
  /** Opens 'Why is my ad not showing?'. */
  onWhy: (ad: Ad) => void;
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
  const [isUnfolded, setUnfolded] = useState(false);
  const running = ads.items?.filter(({ status }) => status !== 'completed') ?? [];
  const completed = (ads.items?.length ?? 0) - running.length;
  // Without other campaigns a fold would leave the table empty.
  const isFolded = !isUnfolded && running.length > 0 && completed > 0;

  if (ads.isError) return <LoadError what="your campaigns" onRetry={ads.retry} />;
  if (!ads.items) return <Skeleton className="mx-inset mb-3 h-40 rounded-card" />;
  if (ads.items.length === 0) {
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
        rows={isFolded ? running : ads.items}
        rowKey={(ad) => ad.id}
        cards
      />
      {isFolded && (
        <button
          type="button"
          onClick={() => setUnfolded(true)}
          className="flex w-full items-center gap-2 border-t border-line px-inset py-3 text-xs text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <ChevronDown aria-hidden="true" className="size-4" />
          Show {counted(completed, 'completed campaign')}
        </button>
      )}
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

type ColumnOptions = Pick<MyCampaignsProps, 'onEdit' | 'onWhy'> & {
  onOpen: (ad: Ad) => void;
  onCancel: (ad: Ad) => void;
  /** Takes back the consent to pay when approved. */
  onWithdraw: (ad: Ad) => void;
  /** Takes back the ad itself. */
  onWithdrawAd: (ad: Ad) => void;
  recentOf: RecentOf;
  now: Date;
};

function columnsOf({
  onEdit,
  onWhy,
  onOpen,
  onCancel,
  onWithdraw,
  onWithdrawAd,
  recentOf,
  now,
}: ColumnOptions): Column<Ad>[] {
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
      cell: (ad) => (
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
      ),
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
      cell: (ad) => (
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
      ),
    },
    { header: 'Status', width: 9, card: 'corner', cell: (ad) => <StatusBadge status={ad.status} /> },
    {
      header: 'Performance',
      width: 16,
      card: 'wide',
      cell: (ad) => (
        <span className="figures grid gap-0.5">
          <span className="md:flex md:flex-wrap md:items-baseline md:gap-x-2">
            <span className="whitespace-nowrap">{counted(ad.totalImpressions, 'impression')}</span>
            <span aria-hidden="true" className="text-ink-faint md:hidden">
              {' · '}
            </span>
            <span className="text-xs whitespace-nowrap text-ink-faint">
              {counted(ad.totalClicks, 'click')}
            </span>
          </span>
          <Delivery ad={ad} recentOf={recentOf} now={now} />
        </span>
      ),
    },
    {
      header: 'Actions',
      width: 16,
      card: (ad) =>
        hasAction(ad.status) || ad.refund || isEndedEarly(ad) || ad.isSuspended || ad.status === 'active'
          ? 'wide'
          : 'third-end',
      cell: (ad) => (
        <span className="grid gap-0.5 text-xs md:justify-items-start">
          <Actions ad={ad} now={now} onEdit={() => onEdit(ad, 'resubmit')} />
          {canApply('withdraw', ad.status) && (
            <span className="flex flex-wrap gap-x-3 [&_button]:min-h-6 [&_button]:text-xs">
              {canApply('correct', ad.status) && (
                <ChangeButton ad={ad} onClick={() => onEdit(ad, 'correct')}>
                  Correct
                </ChangeButton>
              )}
              <ChangeButton ad={ad} onClick={() => onWithdrawAd(ad)}>
                Withdraw ad
              </ChangeButton>
            </span>
          )}
          {hasConsentLine(ad) && <ConsentLine ad={ad} onWithdraw={() => onWithdraw(ad)} />}
          {canApply('complete', ad.status) && (
            // 24 px is the least height of a target that has another one directly below it (WCAG 2.5.8). The margin takes
            // back what that adds to the row.
            <span className="flex flex-wrap gap-x-3 [&_button]:min-h-6 [&_button]:text-xs">
              {ad.paused !== 'dispute' && ad.paused !== 'cancel' && (
                <ChangeButton ad={ad} onClick={() => onCancel(ad)}>
                  Cancel campaign
                </ChangeButton>
              )}
              <Button variant="link" aria-describedby={titleId(ad)} onClick={() => onWhy(ad)}>
                Not showing?
              </Button>
            </span>
          )}
          {ad.status === 'completed' && ad.takenDownReason === null && (
            <Link
              href={againAddress(ad)}
              aria-describedby={titleId(ad)}
              className="justify-self-start rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
            >
              Run again
            </Link>
          )}
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
