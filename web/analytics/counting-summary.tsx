import type { ReactNode } from 'react';
import { grossOf, viewabilityOf, type CountingFigures } from '#domain/analytics/counting.ts';
import type { Side } from '#domain/analytics/contract.ts';
import { landingRate } from '#domain/delivery/landings.ts';
import { REASON_TEXTS } from '#domain/delivery/reason-texts.ts';
import { REASONS } from '#domain/delivery/reasons.ts';
import { counted, percentText } from '#domain/format.ts';
import { cn } from '#web/ui/cn.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Table, type Column } from '#web/ui/table.tsx';

type Line = {
  name: string;
  meaning: string;
  views: ReactNode;
  clicks: ReactNode;
  /** The line that equals the figures shown elsewhere. */
  isNet?: boolean;
};

/** The lines from served and reported down to counted, with one line for each reason that filtered events. */
export function CountingSummary({ sums, side }: { sums: CountingFigures; side: Side }) {
  const viewability = viewabilityOf(sums);
  const landed = landingRate(sums.landings);
  return (
    <div className="grid gap-2">
      <div className="overflow-hidden rounded-control border border-line">
        <Table
          label="From served to counted"
          rows={linesOf(sums, side)}
          rowKey={({ name }) => name}
          columns={COLUMNS}
        />
      </div>
      {viewability !== null && (
        <p className="text-sm text-ink-soft">
          Viewability: <strong className="font-medium text-ink">{percentText(viewability)}</strong> of
          rendered impressions were viewable.
        </p>
      )}
      {landed !== null && (
        <p className="text-sm text-ink-soft">
          Landing rate: <strong className="font-medium text-ink">{percentText(landed)}</strong> of{' '}
          {counted(sums.landings.clicks, 'measured click')} reached the advertiser’s page.
        </p>
      )}
    </div>
  );
}

function linesOf({ decisions, rendered, views, clicks }: CountingFigures, side: Side): Line[] {
  const filtered = (of: typeof views, reason: string) => {
    const count = of.uncounted.find((each) => each.reason === reason)?.count ?? 0;
    return count === 0 ? null : `−${formatCount(count)}`;
  };
  return [
    {
      name: 'Served',
      meaning:
        side === 'buyer'
          ? 'A page requested an ad, and one of yours was selected.'
          : 'One of your pages requested an ad, and a paid ad was selected.',
      views: formatCount(decisions),
      clicks: null,
    },
    {
      name: 'Rendered',
      meaning: 'The ad appeared on the page, whether or not it was in view.',
      views: formatCount(rendered),
      clicks: null,
    },
    {
      name: 'Reported',
      meaning: 'At least half of the ad was in view for one second (two for video), or a visitor clicked it.',
      views: formatCount(grossOf(views)),
      clicks: formatCount(grossOf(clicks)),
    },
    ...REASONS.map((reason) => ({
      ...REASON_TEXTS[reason],
      views: filtered(views, reason),
      clicks: filtered(clicks, reason),
    })).filter((line) => line.views !== null || line.clicks !== null),
    {
      name: 'Counted',
      meaning: 'The views and clicks that we bill. All other figures show them, too.',
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
