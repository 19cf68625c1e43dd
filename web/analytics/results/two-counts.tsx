import { counted } from '#domain/format.ts';
import { useState } from 'react';
import type { Days } from '#domain/analytics/days.ts';
import { AGREES, causesOf, countTogether, type CountedDay } from '#domain/analytics/two-counts.ts';
import type { TwoCounts } from '#domain/analytics/two-counts-contract.ts';
import { landingRate } from '#domain/delivery/landings.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { formatCount, formatDay } from '#web/ui/format/format.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { DayStart } from '../day-start.tsx';
import { PageViewsUpload } from './page-views-upload.tsx';
import { shareText } from './texts.ts';
import { useDeletePageViews, useTwoCounts } from './two-counts-api.ts';

/** Our counts of a website beside those of its own analytics and of the advertisers. */
export function TwoCountsFold({ days, website }: { days: Days; website: string }) {
  return (
    <Disclosure label="Compare with your own analytics">
      {() => (
        <section aria-label="Two counts" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <p className="text-sm text-ink-faint">
            Our counts of the website beside those of your own analytics and of the advertisers, with the
            known causes of a difference.
          </p>
          <Counts website={website} days={days} />
        </section>
      )}
    </Disclosure>
  );
}

function Counts({ website, days }: { website: string; days: Days }) {
  const { data, isError, isPlaceholderData, refetch } = useTwoCounts(website, days);
  if (!data) {
    return isError ? (
      <LoadError what="the two counts" onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-64" />
    );
  }
  return (
    <div
      className={cn('grid grid-cols-[minmax(0,1fr)] gap-4', isPlaceholderData && 'opacity-60')}
      aria-busy={isPlaceholderData}
    >
      <PageViews counts={data} />
      <p className="text-sm text-ink-soft empty:hidden">
        <DayStart timezone={data.timezone} start={data.dayStart} />
      </p>
      <Landings of={data.landings} />
      {data.hasPageViews ? (
        <>
          <DayByDay days={data.days} />
          <Disclosure label="Add or remove page views">
            {() => (
              <div className="grid gap-3">
                <PageViewsUpload website={website} />
                <Remove website={website} />
              </div>
            )}
          </Disclosure>
        </>
      ) : (
        <PageViewsUpload website={website} />
      )}
    </div>
  );
}

function PageViews({ counts: { days, zoneName, hasPageViews } }: { counts: TwoCounts }) {
  const { difference, ...both } = countTogether(days);
  if (!hasPageViews) {
    return (
      <p className="text-sm">
        Add the page views per day that your own analytics counted, and we’ll show both counts here.
      </p>
    );
  }
  if (difference === null) {
    return (
      <p className="text-sm">
        There are no page views of this period. Choose a longer period, or add these days.
      </p>
    );
  }
  const causes = causesOf(difference);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm wrap-anywhere">
      <p>
        In {counted(both.days, 'day')}, your analytics counted{' '}
        <strong className="font-medium">{counted(both.pageViews, 'page view')}</strong>, and{' '}
        {zoneName === null ? 'your ad zones' : <bdi>{zoneName}</bdi>} made{' '}
        <strong className="font-medium">{counted(both.requests, 'ad request')}</strong>:{' '}
        <strong className="font-medium">{differenceText(difference)}</strong>.
        {zoneName !== null && ' We compare the ad zone with the most requests.'}
      </p>
      {causes.length === 0 ? (
        <p className="text-ink-soft">
          Counts that differ by less than {AGREES * 100}% agree: no two ways of counting are the same.
        </p>
      ) : (
        <>
          <p className="text-ink-soft">Known causes:</p>
          <ul className="grid list-disc gap-1 pl-5 text-ink-soft">
            {causes.map((cause) => (
              <li key={cause}>{cause}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** -0.167 -> '16.7% fewer' */
function differenceText(difference: number): string {
  const share = shareText(Math.abs(difference));
  return difference === 0 ? 'the same' : `${share} ${difference < 0 ? 'fewer' : 'more'}`;
}

function Landings({ of: { clicks, landings } }: { of: TwoCounts['landings'] }) {
  const rate = landingRate({ clicks, landings });
  return (
    <p className="text-sm text-ink-soft">
      {rate === null
        ? 'No advertiser measured landings in this period.'
        : `Of ${counted(clicks, 'measured click')}, the advertisers’ pages reported ${counted(landings, 'landing')} (${shareText(rate)}). The others left before the page had loaded, or their browsers blocked its script.`}
    </p>
  );
}

type BothDay = CountedDay & { pageViews: number };

function DayByDay({ days }: { days: readonly CountedDay[] }) {
  const both = days.filter((day): day is BothDay => day.pageViews !== null);
  if (both.length === 0) return null;
  return (
    <Disclosure label="Day by day">
      {() => (
        <div
          role="region"
          aria-label="Table of both counts"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-control border border-line"
        >
          <Table
            label="Both counts by day"
            rows={both.toReversed()}
            rowKey={({ date }) => date}
            columns={COLUMNS}
          />
        </div>
      )}
    </Disclosure>
  );
}

const COLUMNS: readonly Column<BothDay>[] = [
  { header: 'Day', cell: ({ date }) => <span className="whitespace-nowrap">{formatDay(date)}</span> },
  { header: 'Page views', align: 'right', cell: ({ pageViews }) => formatCount(pageViews) },
  { header: 'Requests', align: 'right', cell: ({ requests }) => formatCount(requests) },
  {
    header: 'Difference',
    align: 'right',
    cell: (day) => {
      const { difference } = countTogether([day]);
      return difference === null ? '–' : differenceText(difference);
    },
  },
];

function Remove({ website }: { website: string }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useDeletePageViews(website);
  return (
    <div>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
        Remove all page views
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Remove all page views?"
        confirmLabel="Remove page views"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setOpen(false) })}
      >
        This removes the page views that you added for this website. Our own counts stay. You can add the file
        again.
      </ConfirmDialog>
    </div>
  );
}
