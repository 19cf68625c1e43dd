import type { Bucket, Figures } from '#domain/analytics/contract.ts';
import type { Results } from '#domain/delivery/conversions-contract.ts';
import { percentText } from '#domain/format.ts';
import { formatCount, formatMoney } from '#web/ui/format/format.ts';
import { comparedText, type Metric } from './metrics.ts';

/** Of the whole campaign, of its last seven complete days, and of the seven days before these. */
export type Periods<T> = { whole: T | undefined; recent: T | undefined; before: T | undefined };

/** The quantity bought; null for a campaign that is paid per day. */
export type Goal = { of: 'impressions' | 'clicks'; value: number } | null;

type CampaignFiguresProps = {
  figures: Periods<Figures>;
  conversions: Periods<number>;
  results: Results | undefined;
  goal: Goal;
};

/** The five figures of a campaign, each with its last week beside the week before. */
export function CampaignFigures({ figures, conversions, results, goal }: CampaignFiguresProps) {
  const { whole } = figures;
  const booked = (of: 'impressions' | 'clicks', unit: string) =>
    goal?.of === of ? `of ${formatCount(goal.value)} ${unit} booked` : null;
  return (
    <dl className="grid grid-cols-2 gap-3 max-[22rem]:grid-cols-1 lg:grid-cols-5 [&>:first-child]:max-lg:col-span-full">
      <Figure
        name="Views"
        value={whole && formatCount(whole.impressions)}
        note={booked('impressions', 'views')}
        week={weekText('impressions', figures)}
      />
      <Figure
        name="Clicks"
        value={whole && formatCount(whole.clicks)}
        note={booked('clicks', 'clicks') ?? orNull(whole?.ctr, (rate) => `${percentText(rate, 2)} of views`)}
        week={weekText('clicks', figures)}
      />
      <Figure
        name="Conversions"
        value={conversions.whole === undefined ? undefined : formatCount(conversions.whole)}
        note={orNull(results?.costPerConversion, (cost) => `${formatMoney(cost)} each`)}
        week={countsText(conversions)}
      />
      <Figure
        name="Cost"
        value={whole && formatMoney(whole.amount)}
        note="for what was delivered"
        week={weekText('amount', figures)}
      />
      <Figure
        name="Cost per 1,000 views"
        value={whole && (whole.cpm === null ? '–' : formatMoney(whole.cpm))}
        note={orNull(whole?.cpc, (cost) => `${formatMoney(cost)} per click`)}
        week={weekText('cpm', figures)}
      />
    </dl>
  );
}

/** The text of a value; null without one. */
const orNull = <T,>(value: T | null | undefined, textOf: (value: T) => string): string | null =>
  value === null || value === undefined ? null : textOf(value);

type FigureProps = { name: string; value: string | undefined; note: string | null; week: string };

function Figure({ name, value, note, week }: FigureProps) {
  return (
    <div className="grid min-w-0 content-start gap-0.5 rounded-card border border-line bg-surface px-4 py-3 shadow-rest">
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd className="grid gap-0.5">
        <span className="figures font-display text-2xl font-semibold tracking-tight">{value ?? '...'}</span>
        <span className="text-xs text-ink-soft">{note ?? '\u00A0'}</span>
        <span className="text-xs text-ink-faint">{week}</span>
      </dd>
    </div>
  );
}

const PREFIX = 'Last 7 days: ';

function weekText(metric: Metric, { recent, before }: Periods<Figures>): string {
  if (!recent || !before) return '\u00A0';
  const now = formatWeek(metric, recent);
  return `${PREFIX}${now}, ${comparedText(metric, recent, before)}`;
}

function formatWeek(metric: Metric, figures: Figures): string {
  if (metric === 'impressions' || metric === 'clicks') return formatCount(figures[metric]);
  const amount = metric === 'cpm' ? figures.cpm : figures.amount;
  return amount === null ? '–' : formatMoney(amount);
}

/** Counts that have no money, such as conversions. */
function countsText({ recent, before }: Periods<number>): string {
  if (recent === undefined || before === undefined) return '\u00A0';
  return `${PREFIX}${formatCount(recent)}, ${before === 0 ? 'none before' : `${formatCount(before)} before`}`;
}

/** The bucket in which a day lies, by its place; -1 if it is before all of them. */
export const bucketOf = (buckets: readonly Bucket[], day: string): number =>
  buckets.findLastIndex(({ start }) => start <= day);
