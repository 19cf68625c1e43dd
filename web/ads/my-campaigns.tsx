import { counted } from '#domain/format.ts';
import { useState, type ReactNode } from 'react';
import { ChevronLeft, ChevronRight, Megaphone, SearchX } from 'lucide-react';
import { Link } from 'wouter';
import { CAMPAIGN_LISTS, MAX_CAMPAIGN_SEARCH, type CampaignList } from '#domain/ads/campaign-lists.ts';
import type { Ad } from '#domain/ads/contract.ts';
import { isPaid } from '#domain/ads/status.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { amountText } from '#domain/inventory/price-text.ts';
import { planOf } from '#domain/inventory/pricing.ts';
import { AmountLink } from '#web/ui/amount-link.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import type { ShownPage } from '#web/http/paged-list.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { Thumbnail } from '#web/ui/thumbnail.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useAdCounts, useMyAds } from './api.ts';
import { CampaignMenu, type CampaignAct } from './campaign-menu.tsx';
import { CampaignState, NoteLine, titleId } from './campaign-state.tsx';
import { DeliveryBar } from './delivery.tsx';
import { StatusBadge } from './status-badge.tsx';

const TABS = ['all', ...CAMPAIGN_LISTS] as const;
type TabName = (typeof TABS)[number];
const TAB_LABELS: Record<TabName, string> = { all: 'All', live: 'Live', waiting: 'Waiting', ended: 'Ended' };

export type OnAct = (ad: Ad, act: CampaignAct) => void;

/** The advertiser's own ads, a page at a time, with the actions that each allows. Ads of one plan stand together. */
export function MyCampaigns({ onAct }: { onAct: OnAct }) {
  const [tab, setTab] = useState<TabName>('all');
  const [search, setSearch] = useState('');
  const counts = useAdCounts().data;
  if (counts?.all === 0) return <NoCampaigns />;
  return (
    <Tabs
      label="Campaigns"
      value={tab}
      onChange={(value) => setTab(TABS.find((each) => each === value) ?? 'all')}
      className="gap-0! px-inset"
      head={
        <SearchField
          label="Search campaigns"
          placeholder="Title, website or plan"
          maxLength={MAX_CAMPAIGN_SEARCH}
          value={search}
          onChange={setSearch}
          className="mb-2 w-full sm:w-64"
        />
      }
      tabs={TABS.map((name) => ({
        value: name,
        label: (
          <>
            <span>{TAB_LABELS[name]}</span>{' '}
            {counts && <span className="figures text-ink-faint">{formatCount(counts[name])}</span>}
          </>
        ),
        content: (
          <Campaigns
            list={name === 'all' ? undefined : name}
            search={search}
            onClear={() => setSearch('')}
            onAct={onAct}
          />
        ),
      }))}
    />
  );
}

type CampaignsProps = {
  list: CampaignList | undefined;
  search: string;
  onClear: () => void;
  onAct: OnAct;
};

function Campaigns({ list, search, onClear, onAct }: CampaignsProps) {
  const now = useNow();
  const page = useMyAds(list, search);
  if (page.isError) return <LoadError what="your campaigns" onRetry={page.retry} />;
  if (!page.items) return <Skeleton className="my-4 h-60 rounded-card" />;
  if (page.items.length === 0 && page.number === 1)
    return <Nothing list={list} search={search} onClear={onClear} />;
  return (
    <div className={cn('-mx-inset', page.isOutdated && 'opacity-60')} aria-busy={page.isOutdated}>
      <Table
        label="My Campaigns"
        columns={columnsOf(now, onAct)}
        rows={page.items}
        rowKey={(ad) => ad.id}
        groupOf={planGroup}
        cards
        middle
        dense
      />
      <Pager page={page} />
    </div>
  );
}

function planGroup({ plan, planName }: Ad) {
  if (plan === null) return null;
  return {
    key: plan,
    head: (
      <>
        <span className="text-ink-faint">Plan</span>{' '}
        <Link
          href={`/plans/${plan}`}
          dir="auto"
          className="rounded-tight text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          {planName ?? 'Plan'}
        </Link>
      </>
    ),
  };
}

/** The buttons to the pages beside the shown one; nothing if there is only one page. */
function Pager({ page: { number, goBack, goOn, isOutdated } }: { page: ShownPage<Ad> }) {
  if (!goBack && !goOn && !isOutdated) return null;
  return (
    <nav
      aria-label="Pages of campaigns"
      className="flex items-center gap-3 border-t border-line px-inset py-2"
    >
      <Button variant="quiet" size="sm" disabled={!goBack} onClick={goBack} className="-ml-3">
        <ChevronLeft aria-hidden="true" />
        Newer
      </Button>
      <span aria-live="polite" className="figures text-xs text-ink-soft">
        Page {number}
      </span>
      <Button variant="quiet" size="sm" disabled={!goOn} onClick={goOn}>
        Older
        <ChevronRight aria-hidden="true" />
      </Button>
    </nav>
  );
}

const NOTHING: Record<CampaignList, string> = {
  live: 'An ad appears here once it’s paid for and its first day has begun.',
  waiting: 'Ads that wait for an answer, for your payment or for their first day appear here.',
  ended: 'Campaigns appear here once they’re over. You can run them again.',
};

function Nothing({ list, search, onClear }: Omit<CampaignsProps, 'onAct'>) {
  if (search !== '')
    return (
      <EmptyState
        title="No campaign matches"
        icon={<SearchX aria-hidden="true" />}
        className="my-4 py-8"
        action={
          <Button variant="secondary" size="sm" onClick={onClear}>
            Clear search
          </Button>
        }
      >
        Search by a part of the title, or of the name of the website, the ad zone or the plan.
      </EmptyState>
    );
  if (list !== undefined)
    return (
      <EmptyState
        title={`No ${TAB_LABELS[list].toLowerCase()} campaigns`}
        icon={<Megaphone aria-hidden="true" />}
        className="my-4 py-8"
      >
        {NOTHING[list]}
      </EmptyState>
    );
  return <NoCampaigns />;
}

function NoCampaigns() {
  return (
    <EmptyState
      title="No campaigns yet"
      icon={<Megaphone aria-hidden="true" />}
      className="m-inset mt-0 py-10"
      action={<ButtonLink href="/marketplace">Browse Marketplace</ButtonLink>}
    >
      Choose a website, create your ad, and pay once the publisher has approved it.
    </EmptyState>
  );
}

function columnsOf(now: Date, onAct: OnAct): Column<Ad>[] {
  return [
    {
      header: 'Campaign',
      width: 24,
      card: 'start',
      cell: (ad) => <Title ad={ad} />,
    },
    { header: 'Website & Zone', width: 15, card: 'second-start', cell: (ad) => <Placement ad={ad} /> },
    {
      header: 'Type',
      width: 6,
      card: 'none',
      cell: (ad) => <span className="text-xs whitespace-nowrap">{AD_KINDS[ad.adType].name}</span>,
    },
    { header: 'Pricing', width: 12, card: 'none', cell: (ad) => <Price ad={ad} /> },
    { header: 'Status', width: 9, card: 'none', cell: (ad) => <StatusBadge status={ad.status} /> },
    {
      header: 'Performance',
      width: 13,
      card: 'second-end',
      cell: (ad) => <Performance ad={ad} now={now} />,
    },
    {
      header: 'Actions',
      width: 21,
      card: (ad) => (isWide(ad) ? 'wide' : 'corner'),
      cell: (ad) => (
        <span className="flex items-center gap-2 text-xs leading-4">
          <span className="flex min-w-0 flex-1 items-center gap-2 md:grid md:grid-cols-[minmax(0,1fr)] md:justify-items-start md:gap-0.5">
            <CampaignState ad={ad} now={now} tight onResubmit={() => onAct(ad, 'resubmit')} />
            <span className={cn('flex max-w-full min-w-0', !isWide(ad) && 'max-md:hidden')}>
              <NoteLine ad={ad} now={now} />
            </span>
          </span>
          <CampaignMenu ad={ad} now={now} onAct={(act) => onAct(ad, act)} />
        </span>
      ),
    },
  ];
}

/** On a phone, only the reason of a rejection takes a line of its own. */
const isWide = ({ status }: Ad) => status === 'rejected';

function Title({ ad }: { ad: Ad }) {
  return (
    <span className="flex items-center gap-3">
      <Thumbnail kind={ad.adType} src={ad.imageUrl} small />
      <Link
        href={`/campaigns/${ad.publicId}`}
        id={titleId(ad)}
        dir="auto"
        title={ad.title}
        className="min-w-0 truncate rounded-tight py-0.5 font-medium underline decoration-line-strong/60 underline-offset-4 hover:decoration-ink"
      >
        {ad.title}
      </Link>
    </span>
  );
}

function Placement({ ad: { websiteName, adZoneName } }: { ad: Ad }) {
  return (
    <span className="block truncate text-xs leading-4" title={`${websiteName}, ${adZoneName}`}>
      <bdi>{websiteName}</bdi>{' '}
      <span className="text-ink-faint">
        <bdi>{adZoneName}</bdi>
      </span>
    </span>
  );
}

function Price({ ad }: { ad: Ad }) {
  return (
    <span className="block truncate">
      <span className="figures font-medium">
        {!isPaid(ad.status) ? (
          formatMoney(ad.totalAmount)
        ) : (
          <AmountLink amount={ad.totalAmount} adRef={ad.id} side="buyer" />
        )}
      </span>{' '}
      <span className="text-xs text-ink-faint">{amountText(planOf(ad))}</span>
    </span>
  );
}

function Performance({ ad, now }: { ad: Ad; now: Date }): ReactNode {
  return (
    <span className="figures grid text-xs leading-4">
      <span className="md:grid">
        <span className="whitespace-nowrap">{counted(ad.totalImpressions, 'impression')}</span>{' '}
        <span className="whitespace-nowrap text-ink-faint">{counted(ad.totalClicks, 'click')}</span>
      </span>
      <DeliveryBar ad={ad} now={now} />
    </span>
  );
}
