import { counted } from '#domain/format.ts';
import type { Returned } from '#domain/analytics/publisher-contract.ts';
import { Card } from '#web/ui/card.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { formatCount, formatDate, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useReturned } from './api.ts';

/** The advertisers who bought again on another day; nothing while there is none. */
export function ReturnedAdvertisers() {
  const { data, isError, refetch } = useReturned();
  if (isError) return <LoadError what="the advertisers" onRetry={() => void refetch()} />;
  if (!data || data.returned === 0) return null;
  const { advertisers, returned, list } = data;
  return (
    <Card aria-label="Advertisers who came back" padded={false} className="min-w-0 px-inset py-3">
      <p className="text-sm">
        <strong className="font-medium">
          {formatCount(returned)} of {counted(advertisers, 'advertiser')}
        </strong>{' '}
        bought again, a day later or more.
      </p>
      <Disclosure label="Who came back">
        {() => (
          <div className="-mx-inset">
            {list.length < returned && (
              <p className="px-inset text-sm text-ink-soft">These are the latest {list.length}.</p>
            )}
            <Table
              label="Advertisers who came back"
              rows={list.map((each, index) => ({ ...each, index }))}
              rowKey={({ index }) => index}
              columns={COLUMNS}
              cards
            />
          </div>
        )}
      </Disclosure>
    </Card>
  );
}

const COLUMNS: readonly Column<Returned['list'][number]>[] = [
  {
    header: 'Advertiser',
    card: 'start',
    cell: ({ name }) => (
      <bdi className="font-medium wrap-anywhere">{name ?? 'An advertiser without a name'}</bdi>
    ),
  },
  {
    header: 'Campaigns',
    align: 'right',
    card: 'corner',
    cell: ({ campaigns }) => (
      <>
        {formatCount(campaigns)}
        <span className="text-ink-soft md:hidden"> campaigns</span>
      </>
    ),
  },
  {
    header: 'First purchase',
    className: 'max-md:hidden',
    cell: ({ first }) => <span className="whitespace-nowrap">{formatDate(first)}</span>,
  },
  {
    header: 'Last purchase',
    card: 'start',
    cell: ({ last }) => (
      <span className="whitespace-nowrap max-md:text-ink-soft">
        <span className="md:hidden">Last on </span>
        {formatDate(last)}
      </span>
    ),
  },
  {
    header: 'Your earnings',
    align: 'right',
    card: 'end',
    cell: ({ amount }) => <span className="whitespace-nowrap">{formatMoney(amount)}</span>,
  },
];
