import { useRef, useState } from 'react';
import { ChartColumn } from 'lucide-react';
import { useLocation } from 'wouter';
import { useSignedInUser } from '#web/accounts/current-user.ts';
import { useMay } from '#web/accounts/membership.ts';
import { usePendingAds } from '#web/ads/api.ts';
import { PendingAds } from '#web/ads/pending-ads.tsx';
import { useActiveZoneCount, useEarnings } from '#web/analytics/api.ts';
import { useTrend } from '#web/analytics/use-trend.ts';
import { FiguresReport } from '#web/analytics/report.tsx';
import { EarningsLine } from '#web/payments/earnings-line.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { onDemand } from '#web/ui/late.tsx';
import { StatCard } from '#web/ui/stat-card.tsx';

export function SellerDashboard() {
  const earnings = useEarnings().data;
  const seesPayouts = useMay('money');
  const zones = useActiveZoneCount().data;
  const pending = usePendingAds();
  const isListed = pending.items !== undefined || pending.isError;
  const { createdAt, timezone } = useSignedInUser();
  const hasHistory = earnings && Number(earnings.totalEarnings) > 0;
  const trendOf = useTrend('seller', timezone, hasHistory);
  const pendingList = useRef<HTMLElement>(null);

  function showPending() {
    pendingList.current?.scrollIntoView({ behavior: 'smooth', block: 'start' });
    pendingList.current?.focus({ preventScroll: true });
  }

  return (
    <div className="grid gap-6">
      <Totals
        earnings={earnings}
        activeZones={zones?.count}
        pendingAds={pending.count}
        trend={trendOf(({ amount }) => Number(amount))}
        onPending={showPending}
      />
      {seesPayouts && <EarningsLine notDelivered={earnings && formatMoney(earnings.notDelivered)} />}
      <Card
        ref={pendingList}
        id="pending-approvals"
        data-testid="pending-approvals"
        aria-label="Pending Ad Approvals"
        tabIndex={-1}
        className="scroll-mt-24"
      >
        <CardHeader
          title="Pending Ad Approvals"
          description="Nothing goes live on your websites without your approval."
          className="mb-4"
        />
        <PendingAds />
      </Card>
      {/* Hidden until the list above has its final height, so that this card doesn't move. */}
      <Card
        data-testid="earnings-report"
        aria-label="Performance"
        padded={false}
        className={isListed ? 'min-w-0' : 'invisible min-w-0'}
      >
        <FiguresReport
          side="seller"
          title="Performance"
          description="Impressions, clicks and earnings across your ad zones."
          timezone={timezone}
          since={createdAt}
          hasHistory={hasHistory}
          empty={<NoFigures />}
        />
      </Card>
      <ZoneResults isPlaced={isListed && hasHistory !== undefined} />
      <ServedAds isPlaced={isListed && hasHistory !== undefined} />
    </div>
  );
}

type TotalsProps = {
  earnings: ReturnType<typeof useEarnings>['data'];
  activeZones: number | undefined;
  pendingAds: string | undefined;
  trend: number[] | undefined;
  onPending: () => void;
};

/** A figure is undefined until it is loaded. */
function Totals({ earnings, activeZones, pendingAds, trend, onPending }: TotalsProps) {
  const [, navigate] = useLocation();
  return (
    <section
      id="seller-analytics"
      data-testid="seller-analytics"
      aria-label="Earnings and ad zones"
      className="grid gap-3 lg:grid-cols-3"
    >
      <StatCard
        label="Total Earnings"
        value={earnings && formatMoney(earnings.totalEarnings)}
        note={earnings ? `${formatMoney(earnings.thisMonth)} this month` : null}
        trend={trend}
        onClick={() => navigate('/transactions')}
      />
      <section
        id="active-ad-zones"
        data-testid="active-ad-zones"
        aria-label="Active ad zones"
        className="grid"
      >
        <StatCard
          label="Active AdZones"
          value={activeZones === undefined ? undefined : formatCount(activeZones)}
          note="Open for booking"
          onClick={() => navigate('/ad-zones')}
        />
      </section>
      <StatCard label="Pending Approvals" value={pendingAds} note="For your review" onClick={onPending} />
    </section>
  );
}

function NoFigures() {
  return (
    <EmptyState
      title="No figures yet"
      icon={<ChartColumn aria-hidden="true" />}
      action={
        <ButtonLink href="/ad-zones" variant="secondary">
          My Ad Zones
        </ButtonLink>
      }
    >
      When an advertiser pays for an ad on one of your zones, its views and earnings will appear here, day by
      day.
    </EmptyState>
  );
}

function ZoneResults({ isPlaced }: { isPlaced: boolean }) {
  return (
    <Card aria-label="What your zones bring" className={isPlaced ? undefined : 'invisible'}>
      <CardHeader
        title="What your zones bring"
        description="Earnings per 1,000 views and fill by ad zone, returning advertisers, hours without your tag, and higher prices."
        actions={
          <ButtonLink href="/results" variant="secondary" size="sm">
            Results by ad zone
          </ButtonLink>
        }
      />
    </Card>
  );
}

const ZonesShowing = onDemand(
  'the ads of your zones',
  'h-96',
  async () => (await import('./zones-showing.tsx')).ZonesShowing,
);

/** Opens the dialog that explains which ads the zones serve and why they don't serve the others. */
function ServedAds({ isPlaced }: { isPlaced: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card aria-label="What your zones show" className={isPlaced ? undefined : 'invisible'}>
      <CardHeader
        title="What your zones show"
        description="Which ads would be served right now, and why others wouldn't."
        actions={
          <Button variant="secondary" size="sm" onClick={() => setIsOpen(true)}>
            Why is an ad not showing?
          </Button>
        }
      />
      <Dialog open={isOpen} onOpenChange={setIsOpen} width="lg" reading title="Why is an ad not showing?">
        <ZonesShowing />
      </Dialog>
    </Card>
  );
}
