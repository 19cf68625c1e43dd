import { counted } from '#domain/format.ts';
import { CheckCircle2 } from 'lucide-react';
import type { Days } from '#domain/analytics/days.ts';
import type { HoursWithoutTag } from '#domain/analytics/publisher-contract.ts';
import { COMPARED_WEEKS, MIN_REQUESTS, MIN_WEEKS } from '#domain/analytics/tag-silence.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useHoursWithoutTag } from './api.ts';

/** The hours in which a zone requested no ad although it usually does. */
export function HoursWithoutTagCard({ days }: { days: Days }) {
  const { data, isError, isPlaceholderData, refetch } = useHoursWithoutTag(days);
  return (
    <Card aria-label="Hours without your tag" padded={false} className="min-w-0">
      <CardHeader
        title="Hours without your tag"
        description={`Hours in which an ad zone requested no ads, although it usually does: the same hour had ad requests in at least ${MIN_WEEKS} of the ${COMPARED_WEEKS} weeks before, ${MIN_REQUESTS} or more on average. Hours in which you paused the ad zone are left out.`}
        className="p-inset pb-4"
      />
      {data ? (
        <div className={cn(isPlaceholderData && 'opacity-60')} aria-busy={isPlaceholderData}>
          <Loaded found={data} />
        </div>
      ) : isError ? (
        <div className="px-inset pb-inset">
          <LoadError what="the hours without your tag" onRetry={() => void refetch()} />
        </div>
      ) : (
        <Skeleton className="mx-inset mb-inset h-32" />
      )}
    </Card>
  );
}

function Loaded({ found: { hours, requests, cost, silences } }: { found: HoursWithoutTag }) {
  if (hours === 0) {
    return (
      <EmptyState
        title="No such hour in this period"
        icon={<CheckCircle2 aria-hidden="true" />}
        action={
          <ButtonLink href="/ad-zones" variant="secondary">
            Test an ad zone
          </ButtonLink>
        }
        className="mx-inset mb-inset"
      >
        We can only say this of ad zones with enough requests. A test shows at once whether a tag works.
      </EmptyState>
    );
  }
  return (
    <>
      <div className="grid gap-2 px-inset pb-3">
        <p>
          <strong className="font-medium">{counted(hours, 'hour')}</strong> without about{' '}
          {counted(requests, 'usual request')} cost you{' '}
          <strong className="font-medium">at most {formatMoney(cost)}</strong>.
        </p>
        <p className="text-sm text-ink-soft">
          The cost is what ads by the view or click usually earned in these hours. Ads that still run make up
          for it later, so the loss is smaller or none. Ads by the day don’t depend on one hour. An outage of
          your website or of this marketplace looks the same.
        </p>
      </div>
      <Table
        label="Hours without your tag"
        rows={silences}
        rowKey={({ zone, from }) => `${zone} ${from}`}
        columns={COLUMNS}
        cards
      />
    </>
  );
}

const COLUMNS: readonly Column<HoursWithoutTag['silences'][number]>[] = [
  {
    header: 'From',
    cell: ({ from }) => <span className="whitespace-nowrap">{formatDateTime(from)}</span>,
  },
  {
    header: 'Ad zone',
    cell: ({ websiteName, zoneName }) => (
      <span className="wrap-anywhere">
        <bdi>{websiteName}</bdi>, <bdi>{zoneName}</bdi>
      </span>
    ),
  },
  {
    header: 'Hours',
    align: 'right',
    card: 'start',
    cell: ({ hours }) => (
      <span className="max-md:text-ink-soft">
        {formatCount(hours)}
        <span className="md:hidden"> {hours === 1 ? 'hour' : 'hours'}</span>
      </span>
    ),
  },
  {
    header: 'Usual requests',
    align: 'right',
    className: 'max-md:hidden',
    cell: ({ requests }) => formatCount(requests),
  },
  {
    header: 'Cost at most',
    align: 'right',
    card: 'end',
    cell: ({ cost }) => (
      <span className="whitespace-nowrap">
        <span className="text-ink-soft md:hidden">at most </span>
        {formatMoney(cost)}
      </span>
    ),
  },
];
