import { useLocation } from 'wouter';
import { hasBuyerAccess, hasSellerAccess, type Role } from '#domain/accounts/roles.ts';
import { useMay } from '#web/accounts/membership.ts';
import { useActiveAdCount, usePendingAdCount } from '#web/ads/counts.ts';
import { useEarnings, useSpending } from '#web/analytics/api.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { StatCard } from '#web/ui/stat-card.tsx';

/** The stats cards for a role. [HOME-07] */
export function HomeFigures({ role }: { role: Role }) {
  const [, navigate] = useLocation();
  const sells = hasSellerAccess(role);
  const buys = hasBuyerAccess(role);
  const earnings = useEarnings(sells).data;
  const spending = useSpending(buys).data;
  // A bookkeeper reads figures and no ads.
  const seesAds = useMay('ads');
  const pending = usePendingAdCount(sells && seesAds);
  const active = useActiveAdCount(buys && seesAds);

  return (
    <section
      aria-label="Figures"
      className="grid grid-cols-1 gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-[repeat(auto-fit,minmax(18rem,1fr))]"
    >
      {sells && (
        <>
          <StatCard label="Total Earnings" value={earnings && formatMoney(earnings.totalEarnings)} />
          {seesAds && (
            <StatCard label="Pending Approvals" value={pending} onClick={() => navigate('/dashboard')} />
          )}
        </>
      )}
      {buys && (
        <>
          <StatCard label="Campaign Spend" value={spending && formatMoney(spending.totalSpending)} />
          {seesAds && <StatCard label="Active Campaigns" value={active} />}
        </>
      )}
      {sells && buys && (
        <>
          <StatCard
            label="Total Impressions"
            value={spending && formatCount(spending.impressionsThisMonth)}
            note="This month"
          />
          <StatCard
            label="Total Clicks"
            value={spending && formatCount(spending.clicksThisMonth)}
            note="This month"
          />
        </>
      )}
    </section>
  );
}
