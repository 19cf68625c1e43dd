import { counted } from '#domain/format.ts';
import type { Days } from '#domain/analytics/days.ts';
import type { HoursWithoutTag } from '#domain/analytics/publisher-contract.ts';
import { COMPARED_WEEKS, MIN_REQUESTS, MIN_WEEKS } from '#domain/analytics/tag-silence.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { formatCount, formatDateTime, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useHoursWithoutTag } from './api.ts';

/** The hours in which the ad zone requested no ad although it usually does; nothing if there are none. */
export function ZoneHoursWithoutTag({ zone, days }: { zone: string; days: Days }) {
  const { data, isError, refetch } = useHoursWithoutTag(days, zone);
  if (isError) return <LoadError what="the hours without your tag" onRetry={() => void refetch()} />;
  if (!data || data.hours === 0) return null;
  const { hours, requests, cost, silences } = data;
  return (
    <section aria-labelledby="hours-without-tag" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="hours-without-tag" className="font-medium">
        Hours without your tag
      </h2>
      <p>
        <strong className="font-medium">{counted(hours, 'hour')}</strong> without about{' '}
        {counted(requests, 'usual request')} cost you{' '}
        <strong className="font-medium">at most {formatMoney(cost)}</strong>.
      </p>
      <Disclosure label="Which hours, and how we know">
        {() => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <p className="text-sm text-ink-soft">
              The same hour had ad requests in at least {MIN_WEEKS} of the {COMPARED_WEEKS} weeks before,{' '}
              {MIN_REQUESTS} or more on average. Hours in which you paused the ad zone are left out. The cost
              is what ads by the view or click usually earned in these hours. Ads that still run make up for
              it later, so the loss is smaller or none. Ads by the day don’t depend on one hour. An outage of
              your website or of this marketplace looks the same.
            </p>
            <div className="-mx-inset">
              <Table
                label="Hours without your tag"
                rows={silences}
                rowKey={({ from }) => from}
                columns={COLUMNS}
                cards
              />
            </div>
          </div>
        )}
      </Disclosure>
    </section>
  );
}

const COLUMNS: readonly Column<HoursWithoutTag['silences'][number]>[] = [
  {
    header: 'From',
    cell: ({ from }) => <span className="whitespace-nowrap">{formatDateTime(from)}</span>,
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
