import type { AdDay } from '#domain/ads/contract.ts';
import { Badge } from '#web/ui/badge.tsx';
import { formatCount, formatDateTime } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { useAdDays } from './api.ts';

const COLUMNS: readonly Column<AdDay>[] = [
  { header: 'Day from', cell: ({ beganAt }) => formatDateTime(beganAt), card: 'start' },
  {
    header: 'Counted views',
    align: 'right',
    card: 'third-start',
    cell: ({ views, minViews }) => (
      <>
        {formatCount(views)} of {formatCount(minViews)} needed
        <span className="md:hidden"> views</span>
      </>
    ),
  },
  { header: 'Result', card: 'corner', cell: ({ isSilent }) => <Result isSilent={isSilent} /> },
];

const SILENT_DAYS = {
  advertiser:
    'A day with fewer counted views than it needs is silent. You don’t pay for it, and your campaign runs one day longer.',
  publisher:
    'A day with fewer counted views than it needs is silent. You don’t earn anything for it, and the campaign runs one day longer. If days are silent, check that visitors see your ad zone.',
};

/** The days of a campaign with their counted views, the newest first. */
export function DaysPanel({ adRef, side }: { adRef: string; side: 'advertiser' | 'publisher' }) {
  const { data, isError, refetch } = useAdDays(adRef);
  if (!data)
    return isError ? (
      <LoadError what="the days" onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-40" />
    );
  if (data.days.length === 0) {
    return (
      <p className="text-sm text-ink-soft">
        The days of this campaign don’t need a number of views. Each day on which the ad zone requests an ad
        is delivered.
      </p>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-sm text-ink-soft">{SILENT_DAYS[side]}</p>
      <Table
        label="Days of the campaign"
        columns={COLUMNS}
        rows={data.days}
        rowKey={({ beganAt }) => beganAt}
        cards
      />
    </div>
  );
}

function Result({ isSilent }: Pick<AdDay, 'isSilent'>) {
  if (isSilent === null) return <Badge>Running</Badge>;
  return isSilent ? <Badge tone="warn">Silent</Badge> : <Badge tone="good">Delivered</Badge>;
}
