import { useState } from 'react';
import { Download, ExternalLink } from 'lucide-react';
import { addUp } from '#domain/analytics/counting.ts';
import type { CountingBucket } from '#domain/analytics/contract.ts';
import { Button } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { downloadCsv } from '#web/ui/download.ts';
import { LoadError } from '#web/ui/load-error.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useCounting, type CountingQuery } from './api.ts';
import { countingCsv } from './counting-csv.ts';
import { CountingDays } from './counting-days.tsx';
import { CountingSummary } from './counting-summary.tsx';
import { UnusualHours } from './unusual-hours.tsx';
import { Withdrawals } from './withdrawals.tsx';
import { ZoneResults } from './zone-results.tsx';

/** How views and clicks were counted: totals, figures per day, week or month, and a CSV file. [DEL-39] */
export function Counted({ query }: { query: CountingQuery }) {
  const { data, isError, isPlaceholderData, refetch } = useCounting(query);
  if (!data) {
    return isError ? (
      <LoadError what="the counting details" onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="h-72" />
    );
  }
  return (
    <div className={cn('pb-2', isPlaceholderData && 'opacity-60')} aria-busy={isPlaceholderData}>
      <Loaded query={query} buckets={data.buckets} dayStart={data.dayStart} />
    </div>
  );
}

type LoadedProps = { query: CountingQuery; buckets: readonly CountingBucket[]; dayStart: string };

function Loaded({ query, buckets, dayStart }: LoadedProps) {
  const [perStep, setPerStep] = useState(false);
  const { from, to, step } = query;
  const sums = addUp(buckets);
  const isEmpty = buckets.every(
    ({ decisions, rendered, views, clicks }) =>
      decisions +
        rendered +
        views.counted +
        clicks.counted +
        views.uncounted.length +
        clicks.uncounted.length ===
      0,
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {isEmpty ? (
        <p className="slot-frame rounded-tight px-5 py-8 text-center text-sm text-ink-soft">
          No ads were served in this period. Figures appear here once an ad is served.
        </p>
      ) : perStep ? (
        <CountingDays buckets={buckets} range={{ from, to, step }} />
      ) : (
        <CountingSummary sums={sums} side={query.side} />
      )}
      {query.side === 'seller' && query.zone && !isEmpty && <ZoneResults zone={query.zone} />}
      {!isEmpty && <Withdrawals query={query} />}
      {query.side === 'seller' && !isEmpty && <UnusualHours query={query} />}
      <div className="flex flex-wrap items-center gap-2">
        {!isEmpty && (
          <>
            <Button variant="secondary" size="sm" onClick={() => setPerStep(!perStep)}>
              {perStep ? 'Show totals' : `Show per ${step}`}
            </Button>
            <Button
              variant="secondary"
              size="sm"
              onClick={() =>
                downloadCsv(
                  `openslot-counting-per-${step}-${from}-to-${to}.csv`,
                  countingCsv(buckets, step, dayStart),
                )
              }
            >
              <Download aria-hidden="true" />
              Download as CSV
            </Button>
          </>
        )}
        <a
          href="/measurement"
          target="_blank"
          rel="noopener"
          className="inline-flex min-h-9 items-center gap-1.5 text-sm text-accent underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
        >
          What is counted, and why
          <ExternalLink aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="sr-only">(in a new tab)</span>
        </a>
      </div>
    </div>
  );
}
