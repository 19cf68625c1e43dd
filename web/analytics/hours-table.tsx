import type { AdTimes } from '#domain/analytics/contract.ts';
import { dayParts, type DayPart } from '#domain/analytics/day-parts.ts';
import { percentText } from '#domain/format.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { timezoneName } from './day-names.ts';

/** When a campaign was viewed and clicked, by parts of the day. */
export function HoursTable({ times: { hours, timezone } }: { times: AdTimes }) {
  const parts = dayParts(hours);
  if (parts.length === 0) return <p className="text-sm text-ink-soft">Nothing was delivered yet.</p>;
  const most = Math.max(...parts.map(({ impressions }) => impressions));
  return (
    <div className="grid gap-2">
      <div className="-mx-inset">
        <Table
          label="By hour of the day"
          rows={parts}
          rowKey={({ name }) => name}
          columns={columnsOf(most)}
          dense
        />
      </div>
      <p className="text-xs text-ink-faint">Hours in {timezoneName(timezone)}</p>
    </div>
  );
}

function columnsOf(most: number): Column<DayPart>[] {
  return [
    { header: 'Hours', cell: ({ name }) => <span className="figures whitespace-nowrap">{name}</span> },
    {
      header: 'Views',
      align: 'right',
      cell: ({ impressions }) => (
        <span className="grid justify-items-end gap-0.5">
          {formatCount(impressions)}
          <span aria-hidden="true" className="h-[3px] w-full min-w-12 rounded-full bg-sunken">
            <span
              style={{ width: `${most > 0 ? (Math.max(0, impressions) / most) * 100 : 0}%` }}
              className="ml-auto block h-full rounded-full bg-accent"
            />
          </span>
        </span>
      ),
    },
    { header: 'Clicks', align: 'right', cell: ({ clicks }) => formatCount(clicks) },
    {
      header: 'Clicks per view',
      align: 'right',
      card: 'none',
      cell: ({ impressions, clicks }) => (impressions > 0 ? percentText(clicks / impressions, 2) : '–'),
    },
  ];
}
