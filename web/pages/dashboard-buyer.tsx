import { ChartColumn } from 'lucide-react';
import { useLocation } from 'wouter';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useAdCounts, useWaitingList } from '#web/ads/api.ts';
import { MyCampaigns } from '#web/ads/my-campaigns.tsx';
import { useSpending } from '#web/analytics/api.ts';
import { FiguresReport } from '#web/analytics/report.tsx';
import { useTrend } from '#web/analytics/use-trend.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { onDemand } from '#web/ui/late.tsx';
import { StatCard } from '#web/ui/stat-card.tsx';
import { SumStrip } from '#web/ui/sum-strip.tsx';
import { EditAd, useCampaignDialogs } from './campaign-dialogs.tsx';

const WaitingList = onDemand(
  'your waiting list',
  'h-40',
  async () => (await import('#web/ads/waiting-list.tsx')).WaitingList,
);

type BuyerDashboardProps = {
  /** The ad to edit because the address names it (`editAd`), or null. */
  editAd: string | null;
  onEditEnd: () => void;
};

/** The results first, then the campaigns that they are the results of. */
export function BuyerDashboard({ editAd, onEditEnd }: BuyerDashboardProps) {
  const waiting = useWaitingList();
  const spending = useSpending();
  const [onAct, dialog] = useCampaignDialogs();
  const { timezone } = useSignedInUser();
  const hasHistory =
    spending.data && (Number(spending.data.totalSpending) > 0 || spending.data.totalImpressions > 0);
  const trendOf = useTrend('buyer', timezone, hasHistory);

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
      <Totals spending={spending.data} trendOf={trendOf} />
      <Performance hasHistory={hasHistory} />
      <Card
        id="my-campaigns"
        data-testid="my-campaigns"
        aria-label="My Campaigns"
        padded={false}
        // Hidden until the card above has its height, so that this one doesn't move.
        className={spending.data || spending.isError ? 'min-w-0' : 'invisible min-w-0'}
      >
        <CardHeader
          title="My Campaigns"
          actions={
            <>
              <ButtonLink href="/plans" variant="quiet" size="sm">
                Plans
              </ButtonLink>
              <ButtonLink href="/create-ad" variant="secondary" size="sm">
                Create Ad
              </ButtonLink>
            </>
          }
          className="p-inset pb-3"
        />
        <MyCampaigns onAct={onAct} />
      </Card>
      {waiting.items && waiting.items.length > 0 && <WaitingList entries={waiting} />}
      {dialog}
      {editAd !== null && <EditAd key={editAd} adRef={editAd} action="resubmit" onClose={onEditEnd} />}
    </div>
  );
}

type TotalsProps = {
  spending: ReturnType<typeof useSpending>['data'];
  trendOf: ReturnType<typeof useTrend>;
};

function Totals({ spending, trendOf }: TotalsProps) {
  const [, navigate] = useLocation();
  const counts = useAdCounts().data;
  return (
    <>
      <section
        id="buyer-analytics"
        data-testid="buyer-analytics"
        aria-label="Spending and results"
        className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1 lg:grid-cols-3 max-sm:[&>:not(:first-child)_svg]:hidden [&>:first-child]:max-lg:col-span-full"
      >
        <StatCard
          label="Campaign Spend"
          value={spending && formatMoney(spending.totalSpending)}
          note={spending ? `${formatMoney(spending.thisMonth)} this month` : null}
          trend={trendOf(({ amount }) => Number(amount))}
          onClick={() => navigate('/billing')}
        />
        <StatCard
          label="Active Campaigns"
          value={counts && formatCount(counts.active)}
          note={counts ? activeText(counts) : null}
        />
        <StatCard
          label="Total Clicks"
          value={spending && formatCount(spending.totalClicks)}
          note={spending ? `${formatCount(spending.clicksThisMonth)} this month` : null}
          trend={trendOf(({ clicks }) => clicks)}
        />
      </section>
      <SumStrip
        label="Campaign Spend"
        parts={[
          ['Delivered', spending && formatMoney(spending.delivered)],
          ['Not delivered yet', spending && formatMoney(spending.notDelivered)],
        ]}
      >
        <ButtonLink href="/settings?tab=billing" variant="link">
          Payments
        </ButtonLink>
      </SumStrip>
    </>
  );
}

/** An ad that is paid and starts later is active, but not live. */
function activeText({ active, live }: { active: number; live: number }): string {
  const later = active - live;
  if (later === 0) return 'Live right now';
  return `${formatCount(live)} live, ${formatCount(later)} ${later === 1 ? 'starts' : 'start'} later`;
}

function Performance({ hasHistory }: { hasHistory: boolean | undefined }) {
  const { createdAt, timezone } = useSignedInUser();
  return (
    <Card
      id="campaign-performance"
      data-testid="campaign-performance"
      aria-label="Campaign Performance"
      padded={false}
      className="min-w-0"
    >
      <FiguresReport
        side="buyer"
        title="Campaign Performance"
        description={
          <span className="max-sm:hidden">Only viewable impressions and valid clicks are counted.</span>
        }
        timezone={timezone}
        since={createdAt}
        hasHistory={hasHistory}
        empty={
          <EmptyState title="No figures yet" icon={<ChartColumn aria-hidden="true" />}>
            Create an ad and pay for it once it's approved. Its results will appear here, day by day.
          </EmptyState>
        }
      />
    </Card>
  );
}
