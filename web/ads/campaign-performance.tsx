import type { Ad } from '#domain/ads/contract.ts';
import { formatCount, formatDate } from '#web/ui/format.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { StatusBadge } from './status-badge.tsx';

type CampaignPerformanceProps = {
  /** undefined while they are loading. */
  ads: readonly Ad[] | undefined;
  totals: { totalImpressions: number; totalClicks: number } | undefined;
};

/** How far each paid campaign has come, and what all have brought together. */
export function CampaignPerformance({ ads, totals }: CampaignPerformanceProps) {
  const paid = ads?.filter((ad) => ad.startDate !== null);
  return (
    <div className="grid gap-5">
      <dl className="grid grid-cols-3 gap-4">
        <Figure label="Impressions" value={totals && formatCount(totals.totalImpressions)} />
        <Figure label="Clicks" value={totals && formatCount(totals.totalClicks)} />
        <Figure label="Click rate" value={totals && clickRate(totals.totalClicks, totals.totalImpressions)} />
      </dl>
      {paid?.length === 0 && (
        <p className="text-sm text-ink-faint">As soon as a campaign is paid, its progress is shown here.</p>
      )}
      {paid !== undefined && paid.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {paid.map((ad) => (
            <li
              key={ad.id}
              className="grid gap-2 py-3 text-sm sm:grid-cols-[1fr_16rem] sm:items-center sm:gap-6"
            >
              <span className="flex min-w-0 items-center gap-2">
                <span className="min-w-0 truncate font-medium">{ad.title}</span>
                <StatusBadge status={ad.status} />
              </span>
              <Progress ad={ad} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Figure({ label, value }: { label: string; value: string | undefined }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="figures text-xl font-semibold">{value ?? '...'}</dd>
    </div>
  );
}

/** Clicks per hundred impressions; a dash while there are none. */
function clickRate(clicks: number, impressions: number): string {
  return impressions === 0 ? '–' : `${((clicks / impressions) * 100).toFixed(2)} %`;
}

/** Quotas by what has been delivered, days by when they end. */
function Progress({ ad }: { ad: Ad }) {
  const quota = ad.impressions ?? ad.clicks;
  if (quota === null) {
    return (
      <span className="text-ink-soft sm:text-right">
        {ad.status === 'completed' ? 'Ended' : 'Runs until'} {formatDate(ad.endDate)}
      </span>
    );
  }
  const delivered = ad.impressions === null ? ad.totalClicks : ad.totalImpressions;
  const word = ad.impressions === null ? 'clicks' : 'impressions';
  return (
    <div className="grid gap-1">
      <ProgressBar value={delivered} max={quota} label={`Delivered ${word} of ${ad.title}`} />
      <span className="figures text-ink-soft sm:text-right">
        {formatCount(delivered)} of {formatCount(quota)} {word}
      </span>
    </div>
  );
}
