import type { ReactNode } from 'react';
import { grossOf, viewabilityOf, type CountingFigures } from '#domain/analytics/counting.ts';
import type { Side } from '#domain/analytics/contract.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Table, type Column } from '#web/ui/table.tsx';

type Line = {
  name: string;
  meaning: string;
  views: ReactNode;
  clicks: ReactNode;
  /** What the other figures of the product are. */
  isNet?: boolean;
};

/** All that was reported, what each reason took away, and what is left, one below the other. */
export function CountingSummary({ sums, side }: { sums: CountingFigures; side: Side }) {
  const viewability = viewabilityOf(sums);
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-control border border-line">
        <Table
          label="From all reports to what was counted"
          rows={linesOf(sums, side)}
          rowKey={({ name }) => name}
          columns={COLUMNS}
        />
      </div>
      {viewability !== null && (
        <p className="text-sm text-ink-soft">
          Viewability: <strong className="font-medium text-ink">{(viewability * 100).toFixed(1)} %</strong> of
          what was drawn was seen.
        </p>
      )}
    </div>
  );
}

function linesOf({ decisions, rendered, views, clicks }: CountingFigures, side: Side): Line[] {
  const lost = (of: typeof views, reason: string) => {
    const count = of.uncounted.find((each) => each.reason === reason)?.count ?? 0;
    return count === 0 ? null : `−${formatCount(count)}`;
  };
  return [
    {
      name: 'Chosen',
      meaning:
        side === 'buyer'
          ? 'A page asked for an ad, and one of yours was the answer.'
          : 'A page of yours asked for an ad, and one that was bought was the answer.',
      views: formatCount(decisions),
      clicks: null,
    },
    {
      name: 'Drawn',
      meaning: 'The ad stood in the page, seen or not.',
      views: formatCount(rendered),
      clicks: null,
    },
    {
      name: 'Reported',
      meaning: 'At least half of it was on screen for a second, or two of a video; or its link was opened.',
      views: formatCount(grossOf(views)),
      clicks: formatCount(grossOf(clicks)),
    },
    ...REASONS.map((reason) => ({
      ...REASON_TEXTS[reason],
      views: lost(views, reason),
      clicks: lost(clicks, reason),
    })).filter((line) => line.views !== null || line.clicks !== null),
    {
      name: 'Counted',
      meaning: 'What is billed, and what every other figure shows.',
      views: formatCount(views.counted),
      clicks: formatCount(clicks.counted),
      isNet: true,
    },
  ];
}

const COLUMNS: readonly Column<Line>[] = [
  {
    header: 'What happened',
    cell: ({ name, meaning, isNet }) => (
      <>
        <span className={isNet ? 'font-semibold' : 'font-medium'}>{name}</span>
        <span className="block text-xs text-ink-soft">{meaning}</span>
      </>
    ),
  },
  figure('Views', ({ views }) => views),
  figure('Clicks', ({ clicks }) => clicks),
];

function figure(header: string, valueOf: (line: Line) => ReactNode): Column<Line> {
  return {
    header,
    align: 'right',
    cell: (line) => (
      <span className={cn('whitespace-nowrap', line.isNet && 'font-semibold')}>
        {valueOf(line) ?? <span className="text-ink-faint">–</span>}
      </span>
    ),
  };
}
