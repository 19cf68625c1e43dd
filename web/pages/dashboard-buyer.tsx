import { useState } from 'react';
import { ChartColumn } from 'lucide-react';
import { useLocation } from 'wouter';
import type { Ad } from '#domain/ads/contract.ts';
import { PACE_DAYS } from '#domain/ads/pace.ts';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useMyAds, useWaitingList } from '#web/ads/api.ts';
import { activeAdCount } from '#web/ads/counts.ts';
import { MyCampaigns } from '#web/ads/my-campaigns.tsx';
import { useCampaignFigures, useSpending } from '#web/analytics/api.ts';
import { FiguresReport } from '#web/analytics/report.tsx';
import { useTrend } from '#web/analytics/use-trend.ts';
import { useToday } from '#web/analytics/use-range.ts';
import { AdShowingDialog } from '#web/delivery/ad-showing.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { onDemand } from '#web/ui/late.tsx';
import { StatCard } from '#web/ui/stat-card.tsx';
import { SumStrip } from '#web/ui/sum-strip.tsx';
import { Delivered } from './delivery/on-demand.ts';
import { addDays } from '#domain/time.ts';

const WaitingList = onDemand(
  'your waiting list',
  'h-40',
  async () => (await import('#web/ads/waiting-list.tsx')).WaitingList,
);
const EditAd = onDemand('the ad', 'hidden', async () => (await import('./edit-ad.tsx')).EditAd);

type Editing = { adRef: string; action: 'resubmit' | 'correct' };

type BuyerDashboardProps = {
  /** The ad to edit because the address names it (`editAd`), or null. */
  editAd: string | null;
  onEditEnd: () => void;
};

export function BuyerDashboard({ editAd, onEditEnd }: BuyerDashboardProps) {
  const waiting = useWaitingList();
  const spending = useSpending().data;
  const ads = useMyAds();
  const [chosen, setChosen] = useState<Editing | null>(null);
  const [explainedAd, setExplainedAd] = useState<Ad>();
  const editing = chosen ?? (editAd === null ? null : ({ adRef: editAd, action: 'resubmit' } as const));
  const { timezone } = useSignedInUser();
  const hasHistory = spending && (Number(spending.totalSpending) > 0 || spending.totalImpressions > 0);
  const today = useToday(timezone);
  const trendOf = useTrend('buyer', timezone, hasHistory);
  const figuresOf = useCampaignFigures(
    hasHistory ? { from: addDays(today, -PACE_DAYS), to: addDays(today, -1) } : null,
  );

  function stopEditing() {
    setChosen(null);
    onEditEnd();
  }

  return (
    <div className="grid gap-6">
      <Totals spending={spending} activeCampaigns={activeAdCount(ads)} trendOf={trendOf} />
      <Card
        id="my-campaigns"
        data-testid="my-campaigns"
        aria-label="My Campaigns"
        padded={false}
        className="min-w-0"
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
          className="p-inset pb-4"
        />
        <div className="pb-2">
          <MyCampaigns
            ads={ads}
            onEdit={(ad, action) => setChosen({ adRef: String(ad.id), action })}
            recentOf={({ publicId }) => figuresOf(publicId)}
            onWhy={setExplainedAd}
            renderChart={(ad) => <Delivered ad={ad} timezone={timezone} />}
          />
        </div>
      </Card>
      {waiting.items && waiting.items.length > 0 && <WaitingList entries={waiting} />}
      <Performance isPlaced={ads.items !== undefined || ads.isError} hasHistory={hasHistory} />
      {explainedAd && <AdShowingDialog ad={explainedAd} onClose={() => setExplainedAd(undefined)} />}
      {editing !== null && <EditAd key={editing.adRef} {...editing} onClose={stopEditing} />}
    </div>
  );
}

type TotalsProps = {
  spending: ReturnType<typeof useSpending>['data'];
  activeCampaigns: ReturnType<typeof activeAdCount>;
  trendOf: ReturnType<typeof useTrend>;
};

function Totals({ spending, activeCampaigns, trendOf }: TotalsProps) {
  const [, navigate] = useLocation();
  return (
    <>
      <section
        id="buyer-analytics"
        data-testid="buyer-analytics"
        aria-label="Spending and results"
        className="grid gap-3 lg:grid-cols-3"
      >
        <StatCard
          label="Campaign Spend"
          value={spending && formatMoney(spending.totalSpending)}
          note={spending ? `${formatMoney(spending.thisMonth)} this month` : null}
          trend={trendOf(({ amount }) => Number(amount))}
          onClick={() => navigate('/billing')}
        />
        <StatCard label="Active Campaigns" value={activeCampaigns} note="Live right now" />
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

/** `isPlaced`: the list above has its final height. The card is hidden until then, so that it doesn't move. */
function Performance({ isPlaced, hasHistory }: { isPlaced: boolean; hasHistory: boolean | undefined }) {
  const { createdAt, timezone } = useSignedInUser();
  return (
    <Card
      id="campaign-performance"
      data-testid="campaign-performance"
      aria-label="Campaign Performance"
      padded={false}
      className={isPlaced ? 'min-w-0' : 'invisible min-w-0'}
    >
      <FiguresReport
        side="buyer"
        title="Campaign Performance"
        description="Only viewable impressions and valid clicks are counted."
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
