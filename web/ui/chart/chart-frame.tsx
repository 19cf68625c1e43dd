import { useState, type ReactNode } from 'react';
import { ChartColumn, Table2 } from 'lucide-react';
import { Button } from '../button.tsx';
import { cn } from '../cn.ts';
import { LoadError } from '../load-error.tsx';
import { Skeleton } from '../skeleton.tsx';

type ChartFrameProps = {
  /** Undefined while the data is loading. */
  chart: ReactNode | undefined;
  /** The same data as a table. Undefined while it is loading. */
  table: ReactNode | undefined;
  /** A note under the chart, such as the days that it shows. */
  note: ReactNode;
  /** True while the chart still shows the previous choice. */
  isOutdated?: boolean;
  isError: boolean;
  onRetry: () => void;
};

/** A chart that can be shown as a table. It has the same height while loading and after an error. */
export function ChartFrame({ chart, table, note, isOutdated, isError, onRetry }: ChartFrameProps) {
  const [asTable, setAsTable] = useState(false);
  const shown = asTable ? table : chart;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <div className={cn('min-h-60', isOutdated && 'opacity-60')} aria-busy={isOutdated}>
        {shown ??
          (isError ? <LoadError what="the figures" onRetry={onRetry} /> : <Skeleton className="h-60" />)}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 text-xs text-ink-faint">
        <p className="min-h-9 content-center">{note}</p>
        <Button variant="quiet" size="sm" className="-mr-3 ml-auto" onClick={() => setAsTable(!asTable)}>
          {asTable ? <ChartColumn aria-hidden="true" /> : <Table2 aria-hidden="true" />}
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
    </div>
  );
}
