import { counted } from '#domain/format.ts';
import { Users } from 'lucide-react';
import type { Returned } from '#domain/analytics/publisher-contract.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatCount, formatDate, formatMoney } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useReturned } from './api.ts';

/** The advertisers who bought more than once. */
export function ReturnedAdvertisers() {
  const { data, isError, refetch } = useReturned();
  return (
    <Card aria-label="Advertisers who came back" padded={false} className="min-w-0">
      <CardHeader
        title="Advertisers who came back"
        description="Over all time. The ads of a plan count as one purchase."
        className="p-inset pb-4"
      />
      {data ? (
        <Loaded found={data} />
      ) : isError ? (
        <div className="px-inset pb-inset">
          <LoadError what="the advertisers" onRetry={() => void refetch()} />
        </div>
      ) : (
        <Skeleton className="mx-inset mb-inset h-32" />
      )}
    </Card>
  );
}

function Loaded({ found: { advertisers, returned, list } }: { found: Returned }) {
  if (returned === 0) {
    return (
      <EmptyState
        title="No advertiser has come back yet"
        icon={<Users aria-hidden="true" />}
        action={
          <ButtonLink href="/dashboard" state={{ tab: 'seller' }} variant="secondary">
            Go to pending ads
          </ButtonLink>
        }
        className="mx-inset mb-inset"
      >
        {advertisers === 0
          ? 'Nobody has bought in your ad zones yet.'
          : `${counted(advertisers, 'advertiser')} bought once.`}{' '}
        A quick answer to each ad helps advertisers to come back.
      </EmptyState>
    );
  }
  return (
    <>
      <p className="px-inset pb-3">
        <strong className="font-medium">
          {formatCount(returned)} of {counted(advertisers, 'advertiser')}
        </strong>{' '}
        bought again.
        {list.length < returned && ` These are the latest ${list.length}.`}
      </p>
      <Table
        label="Advertisers who came back"
        rows={list.map((each, index) => ({ ...each, index }))}
        rowKey={({ index }) => index}
        columns={COLUMNS}
        cards
      />
    </>
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
