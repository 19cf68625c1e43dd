import { useState, type ReactNode } from 'react';
import { Ban, Clock, Megaphone, Pause, Radio } from 'lucide-react';
import type { Ad } from '#domain/ads/contract.ts';
import type { PauseReason } from '#domain/ads/ended.ts';
import { canApply, type AdStatus } from '#domain/ads/status.ts';
import { AD_TYPE_NAMES } from '#domain/ads/types.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { countOf, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import type { PagedList } from '#web/http/paged-list.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { Delivery, type RecentOf } from './delivery.tsx';
import { EndedEarly, RefundState } from './ended-early.tsx';
import { StatusBadge } from './status-badge.tsx';

type MyCampaignsProps = {
  ads: PagedList<Ad>;
  onEdit: (ad: Ad) => void;
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
  const opened = ads.items?.find(({ id }) => id === openId);
  const canceling = ads.items?.find(({ id }) => id === cancelId);

  if (ads.isError) return <LoadError what="your campaigns" onRetry={ads.retry} />;
  if (!ads.items) return <Skeleton className="h-40 rounded-card" />;
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
        })}
        rows={ads.items}
        rowKey={(ad) => ad.id}
        cards
      />
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
  recentOf: RecentOf;
  now: Date;
};

function columnsOf({ onEdit, onWhy, onOpen, onCancel, recentOf, now }: ColumnOptions): Column<Ad>[] {
  return [
    {
      header: 'Campaign',
      card: 'start',
      className: 'md:min-w-52',
      cell: (ad) => <Campaign ad={ad} onOpen={() => onOpen(ad)} />,
    },
    {
      header: 'Website & Zone',
      card: 'start',
      className: 'md:min-w-36',
      cell: (ad) => (
        <span className="wrap-anywhere max-md:line-clamp-2">
          <span className="md:line-clamp-2">
            <bdi>{ad.websiteName}</bdi>
          </span>
          <span aria-hidden="true" className="text-ink-faint md:hidden">
            {' · '}
          </span>
          <span className="text-ink-faint md:line-clamp-2">
            <bdi>{ad.adZoneName}</bdi>
          </span>
        </span>
      ),
    },
    {
      header: 'Type',
      card: 'end',
      cell: (ad) => <span className="max-md:text-ink-faint">{AD_TYPE_NAMES[ad.adType]}</span>,
    },
    {
      header: 'Pricing',
      card: 'third-start',
      cell: (ad) => (
        <>
          <span className="figures font-medium md:block">
            {ad.startDate === null ? (
              formatMoney(ad.totalAmount)
            ) : (
              <AmountLink amount={ad.totalAmount} adRef={ad.id} side="buyer" />
            )}
          </span>{' '}
          <span className="whitespace-nowrap text-ink-faint md:block">{amountText(planOf(ad))}</span>
        </>
      ),
    },
    { header: 'Status', card: 'corner', cell: (ad) => <StatusBadge status={ad.status} /> },
    {
      header: 'Performance',
      card: 'wide',
      cell: (ad) => (
        <span className="figures grid gap-1 md:min-w-52">
          <span>
            <span className="whitespace-nowrap md:block">{countOf(ad.totalImpressions, 'impression')}</span>
            <span aria-hidden="true" className="text-ink-faint md:hidden">
              {' · '}
            </span>
            <span className="whitespace-nowrap text-ink-faint md:block">
              {countOf(ad.totalClicks, 'click')}
            </span>
          </span>
          <Delivery ad={ad} recentOf={recentOf} now={now} />
        </span>
      ),
    },
    {
      header: 'Actions',
      card: (ad) =>
        hasAction(ad.status) || ad.refund || isEndedEarly(ad) || ad.isSuspended || ad.status === 'active'
          ? 'wide'
          : 'third-end',
      className: 'md:min-w-40',
      cell: (ad) => (
        <span className="grid gap-1.5 md:justify-items-start">
          <Actions ad={ad} onEdit={() => onEdit(ad)} />
          {canApply('complete', ad.status) && ad.paused !== 'dispute' && (
            <Button
              variant="link"
              className="justify-self-start"
              aria-describedby={titleId(ad)}
              onClick={() => onCancel(ad)}
            >
              Cancel campaign
            </Button>
          )}
          {ad.status !== 'completed' && (
            <WhyButton
              ad={ad}
              onWhy={() => onWhy(ad)}
              className={
                hasAction(ad.status) || ad.status === 'active'
                  ? 'justify-self-start'
                  : 'max-md:justify-self-end'
              }
            />
          )}
        </span>
      ),
    },
  ];
}

/** Only a paid campaign opens, because an unpaid one has no delivery to show. */
function Campaign({ ad, onOpen }: { ad: Ad; onOpen: () => void }) {
  const title = (
    <span id={titleId(ad)} dir="auto" className="line-clamp-2 font-medium wrap-anywhere">
      {ad.title}
    </span>
  );
  return (
    <span className="flex items-start gap-3">
      <Thumbnail kind={ad.adType} src={ad.imageUrl} />
      <span className="min-w-0">
        {ad.startDate === null ? (
          title
        ) : (
          <button
            type="button"
            title="Show delivery over time"
            onClick={onOpen}
            className="rounded-tight text-left underline decoration-line-strong/60 underline-offset-4 hover:decoration-ink"
          >
            {title}
          </button>
        )}
        <span className="line-clamp-1 break-all text-ink-faint">
          {ad.targetUrl.replace(/^https?:\/\//, '')}
        </span>
      </span>
    </span>
  );
}

const titleId = ({ id }: Ad) => `campaign-${id}`;

function WhyButton({ ad, onWhy, className }: { ad: Ad; onWhy: () => void; className: string }) {
  return (
    <Button variant="link" className={className} aria-describedby={titleId(ad)} onClick={onWhy}>
      Why isn’t it showing?
    </Button>
  );
}

/** Whether the advertiser can act on an ad in this status; otherwise Actions shows its state. */
function hasAction(status: AdStatus): boolean {
  return canApply('pay', status) || canApply('resubmit', status);
}

function isEndedEarly({ endedReason }: Ad): boolean {
  return endedReason !== null && endedReason !== 'delivered';
}

function Suspended({ ad }: { ad: Ad }) {
  return (
    <span className="grid gap-1">
      <span className="inline-flex items-center gap-1.5 font-medium text-bad">
        <Ban aria-hidden="true" className="size-4 shrink-0" />
        Suspended
      </span>
      <span dir="auto" className="wrap-anywhere text-ink-soft md:max-w-60">
        {ad.suspendedReason ?? 'The marketplace operator has suspended its ad zone or website.'}
      </span>
    </span>
  );
}

/** The pause of an ad zone is explained beside the progress, and a suspension by the operator's reason. */
const PAUSE_TEXTS: Record<PauseReason, string | null> = {
  dispute: 'You disputed the payment with your bank. The campaign waits for its decision.',
  suspended: null,
  zone: null,
  tag_silent: 'Its page requests no ads. After 14 days, the rest is refunded.',
};

/** domain/ads/status.ts decides what each status allows. */
function Actions({ ad, onEdit }: { ad: Ad; onEdit: () => void }) {
  if (ad.isSuspended && (ad.status === 'approved' || ad.status === 'active')) return <Suspended ad={ad} />;
  if (canApply('pay', ad.status)) {
    return (
      <ButtonLink href={`/checkout/${ad.publicId}`} size="sm" className="max-md:mt-2 max-md:flex">
        Pay Now
      </ButtonLink>
    );
  }
  if (canApply('resubmit', ad.status)) {
    return (
      <span className="grid gap-2">
        <span dir="auto" className="wrap-anywhere text-ink-soft md:max-w-60">
          {ad.rejectionReason}
        </span>
        <Button variant="secondary" size="sm" className="md:justify-self-start" onClick={onEdit}>
          Edit & Resubmit
        </Button>
      </span>
    );
  }
  if (ad.endedReason !== null && ad.endedReason !== 'delivered')
    return <EndedEarly ad={ad} reason={ad.endedReason} />;
  if (ad.paused !== null) {
    const why = PAUSE_TEXTS[ad.paused];
    return (
      <span className="grid gap-1">
        <span className="inline-flex items-center gap-1.5 font-medium text-ink-soft">
          <Pause aria-hidden="true" className="size-4 shrink-0" />
          Paused
        </span>
        {why && <span className="text-ink-soft md:max-w-60">{why}</span>}
        <RefundState refund={ad.refund} />
      </span>
    );
  }
  if (canApply('complete', ad.status)) {
    return (
      <span className="grid gap-1">
        <span className="inline-flex items-center gap-1.5 font-medium text-good">
          <Radio aria-hidden="true" className="size-4 shrink-0" />
          Live
        </span>
        <RefundState refund={ad.refund} />
      </span>
    );
  }
  if (canApply('approve', ad.status)) {
    return (
      <span className="inline-flex items-center gap-1.5 whitespace-nowrap text-ink-soft">
        <Clock aria-hidden="true" className="size-4 shrink-0" />
        Awaiting Approval
      </span>
    );
  }
  return (
    <span className="grid gap-1">
      <span className="text-ink-faint">Completed</span>
      <RefundState refund={ad.refund} />
    </span>
  );
}
