import type { AdTimes } from '#domain/analytics/contract.ts';
import { percentText } from '#domain/format.ts';
import { formatCount } from '#web/ui/format/format.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { timezoneName } from './day-names.ts';

/** A table of 24 rows would be read by nobody. */
const HOURS = 4;

type Row = { from: number; impressions: number; clicks: number };

/** When a campaign was viewed and clicked, by parts of the day. */
export function HoursTable({ times: { hours, timezone } }: { times: AdTimes }) {
  if (hours.length === 0) return <p className="text-sm text-ink-soft">Nothing was delivered yet.</p>;
  const rows = Array.from({ length: 24 / HOURS }, (_, part): Row => {
    const from = part * HOURS;
    const within = hours.filter(({ hour }) => hour >= from && hour < from + HOURS);
    const sum = (of: 'impressions' | 'clicks') => within.reduce((total, each) => total + each[of], 0);
    return { from, impressions: sum('impressions'), clicks: sum('clicks') };
  });
  const most = Math.max(...rows.map(({ impressions }) => impressions));
  return (
    <div className="grid gap-2">
      <div className="-mx-inset">
        <Table
          label="By hour of the day"
          rows={rows}
          rowKey={({ from }) => from}
          columns={columnsOf(most)}
          dense
        />
      </div>
      <p className="text-xs text-ink-faint">Hours in {timezoneName(timezone)}</p>
    </div>
  );
}

const hour = (at: number) => `${String(at).padStart(2, '0')}:00`;

function columnsOf(most: number): Column<Row>[] {
  return [
    {
      header: 'Hours',
      cell: ({ from }) => (
        <span className="figures whitespace-nowrap">
          {hour(from)} – {hour(from + HOURS)}
        </span>
      ),
    },
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
      cell: ({ impressions, clicks }) => (impressions > 0 ? percentText(clicks / impressions, 2) : '–'),
    },
  ];
}
