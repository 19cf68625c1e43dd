import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Reply } from '#domain/endpoint.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import type { getToday } from '#domain/operator/console/today-contract.ts';
import { figuresOf, figureText, type Figure, type Overview } from '#domain/operator/overview.ts';
import { ScrolledTable } from '#web/analytics/series-view.tsx';
import { TimeChart } from '#web/ui/chart/chart.tsx';
import { ChartFrame } from '#web/ui/chart/chart-frame.tsx';
import { Card } from '#web/ui/card.tsx';
import { cn } from '#web/ui/cn.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { formatDay, formatMoney } from '#web/ui/format/format.ts';
import { type Column, Table } from '#web/ui/table.tsx';

type Today = Reply<typeof getToday>;
type Days = Pick<Overview, 'days'>;
const periodOf = ({ days }: Days) => `${days.length} ${days.length === 1 ? 'day' : 'days'}`;

/** What the operator earned and sold, and what is theirs now. */
export function MainFigures({ today }: { today: Today }) {
  const { overview, yours, yoursBefore } = today;
  const { revenue, sales, previous } = overview;
  const isMissing = yours.startsWith('-');
  return (
    <section aria-label="Figures" className="grid gap-3 sm:grid-cols-3 lg:grid-cols-1">
      <MainFigure name="Earned" value={formatMoney(revenue)}>
        {changeText(revenue, previous.revenue, overview)}
      </MainFigure>
      <MainFigure name="Sales" value={formatMoney(sales)}>
        {changeText(sales, previous.sales, overview)}
      </MainFigure>
      <MainFigure
        name={isMissing ? 'Missing now' : 'Yours now'}
        value={formatMoney(yours.replace('-', ''))}
        isBad={isMissing}
      >
        {isMissing
          ? 'The money does not cover what you owe. '
          : 'What you may take out: what you have, less what you owe. '}
        {yoursBefore !== null && <span>{differenceText(yours, yoursBefore, overview)} </span>}
        <Link href="/operator/books" className="text-accent underline underline-offset-4">
          Books
        </Link>
      </MainFigure>
    </section>
  );
}

type MainFigureProps = { name: string; value: string; isBad?: boolean; children: ReactNode };

function MainFigure({ name, value, isBad = false, children }: MainFigureProps) {
  return (
    <div className="grid min-w-0 content-start gap-1 rounded-card border border-line bg-surface px-4 py-3 shadow-rest">
      <p className="text-xs text-ink-soft">{name}</p>
      <p
        className={cn(
          'figures font-display text-2xl font-semibold tracking-tight wrap-anywhere',
          isBad && 'text-bad',
        )}
      >
        {value}
      </p>
      <p className="text-xs text-ink-faint">{children}</p>
    </div>
  );
}

/** '+12% on the 30 days before', or the amount if there is nothing to compare with. */
function changeText(now: string, before: string, overview: Days): string {
  const period = `the ${periodOf(overview)} before`;
  const base = Number(before);
  if (base <= 0) return `${formatMoney(before)} in ${period}`;
  const percent = Math.round(((Number(now) - base) / base) * 100);
  return percent === 0 ? `As in ${period}` : `${percent > 0 ? '+' : '−'}${Math.abs(percent)}% on ${period}`;
}

/** '+$12.00 in 30 days'. A share of what may be missing would say nothing. */
function differenceText(now: string, before: string, overview: Days): string {
  const cents = centsOf(now) - centsOf(before);
  if (cents === 0) return `As ${periodOf(overview)} ago.`;
  return `${cents > 0 ? '+' : '−'}${formatMoney(decimalOf(Math.abs(cents)))} in ${periodOf(overview)}.`;
}

/** All figures of the business as one table, with the two charts and the file. */
export function AllFigures({ overview }: { overview: Overview }) {
  const { from, to, days, currency } = overview;
  const columns: Column<Figure>[] = [
    { header: 'Figure', cell: ({ label }) => label },
    { header: periodOf(overview), align: 'right', cell: ({ unit, value }) => textOf(unit, value) },
    {
      header: 'Before',
      align: 'right',
      cell: ({ unit, previous }) => (previous === undefined ? 'As of now' : textOf(unit, previous)),
    },
  ];
  const textOf = (unit: Figure['unit'], value: Figure['value']) =>
    unit === 'money' && value !== null ? formatMoney(value) : figureText(unit, value, currency);
  return (
    <Disclosure label="All figures" line={`${formatDay(from)} to ${formatDay(to)}, days in UTC`}>
      {() => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-2">
            <DayChart title="Sales per day" of="sales" overview={overview} />
            <DayChart title="Earned per day" of="revenue" overview={overview} />
          </div>
          <Card padded={false}>
            <Table
              label="All figures"
              columns={columns}
              rows={figuresOf(overview)}
              rowKey={({ name }) => name}
            />
          </Card>
          <p className="text-sm text-ink-soft">
            The guide “Run a marketplace” defines each figure under “The business at a glance”.{' '}
            <a
              href={`/operator/overview.csv?days=${days.length}`}
              download
              className="text-accent underline underline-offset-4"
            >
              Download these figures as CSV
            </a>
          </p>
        </div>
      )}
    </Disclosure>
  );
}

type DayChartProps = { title: string; of: 'sales' | 'revenue'; overview: Overview };
type Day = Overview['days'][number];

/** Today is not over yet, so its bar is lighter. */
function DayChart({ title, of, overview: { days } }: DayChartProps) {
  const points = days.map((day, at) => ({
    key: day.day,
    name: formatDay(day.day).replace(/, \d+$/, ''),
    value: Number(day[of]),
    spoken: `${formatDay(day.day)}: ${formatMoney(day[of])}`,
    isOpen: at === days.length - 1,
  }));
  const columns: Column<Day>[] = [
    { header: 'Day', cell: ({ day }) => formatDay(day) },
    { header: title, align: 'right', cell: (day) => formatMoney(day[of]) },
  ];
  return (
    <section aria-label={title} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      <ChartFrame
        chart={
          <TimeChart
            label={`${title}, ${days.length} days`}
            points={points}
            shape="bars"
            formatTick={(value) => formatMoney(value).replace(/\.00$/, '')}
            renderTip={(at) => <p>{points[at]?.spoken}</p>}
          />
        }
        table={
          <ScrolledTable
            label={title}
            columns={columns}
            rows={days.map((day) => ({ ...day, start: day.day }))}
          />
        }
        note="Days in UTC"
        isError={false}
        onRetry={() => {}}
      />
    </section>
  );
}
