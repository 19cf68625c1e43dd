/** The figures of the console's first page, and what each means. */
import { percentText } from '../format.ts';
import type { Currency } from '../money.ts';

/** How many people took part, and how many of them for the first time. */
export type Side = { active: number; new: number };

/** Amounts are strings with two decimals. Shares are from 0 to 1, and null without anything to divide by. */
export type PeriodFigures = {
  sales: string;
  revenue: string;
  takeRate: number | null;
  publishers: Side;
  advertisers: Side;
  fill: number | null;
  /** The median; null without an approval. */
  hoursToApproval: number | null;
  refunds: string;
  invalidShare: number | null;
};

/** Both days are included. They are UTC days, 'YYYY-MM-DD'. */
type Period = { from: string; to: string };

export type Overview = Period &
  PeriodFigures & {
    currency: Currency;
    /** As of now, so there is no figure of the period before. */
    uncovered: string;
    taxOwed: string;
    /** The same number of days before. */
    previous: Period & PeriodFigures;
    /** For the chart: one entry for each day of the period. They add up to its sales and revenue. */
    days: { day: string; sales: string; revenue: string }[];
  };

export const DEFAULT_DAYS = 30;
export const MAX_DAYS = 366;

type Value = string | number | null;

/** A figure as the page, the CSV file and the command line list it. `name` is its path in the JSON. */
export type Figure = {
  name: string;
  label: string;
  unit: 'money' | 'share' | 'people' | 'hours';
  value: Value;
  /** Undefined for a figure that has no period. */
  previous: Value | undefined;
};

type Row<Source> = Pick<Figure, 'name' | 'label' | 'unit'> & {
  /** For the operator's guide. */
  meaning: string;
  read: (source: Source) => Value;
};

const OF_PERIOD: readonly Row<PeriodFigures>[] = [
  {
    name: 'sales',
    label: 'Sales',
    unit: 'money',
    meaning: 'The prices that advertisers paid, by the time of the payment. Refunds are not taken out',
    read: ({ sales }) => sales,
  },
  {
    name: 'revenue',
    label: 'Revenue',
    unit: 'money',
    meaning:
      'The commission on what was delivered, by the hour of the delivery, less what withdrawn traffic and lost disputes took back. Earnings are posted every hour, so the last one can be missing until `openslot money run`',
    read: ({ revenue }) => revenue,
  },
  {
    name: 'takeRate',
    label: 'Take rate',
    unit: 'share',
    meaning: 'Revenue, divided by the whole amount that was delivered',
    read: ({ takeRate }) => takeRate,
  },
  {
    name: 'refunds',
    label: 'Refunds',
    unit: 'money',
    meaning: 'What became owed to advertisers, for payments of any period. A lost dispute is not a refund',
    read: ({ refunds }) => refunds,
  },
  {
    name: 'publishers.active',
    label: 'Active publishers',
    unit: 'people',
    meaning: 'Those of ads that were paid or earned something',
    read: ({ publishers }) => publishers.active,
  },
  {
    name: 'publishers.new',
    label: 'New publishers',
    unit: 'people',
    meaning: 'Those who registered their first website',
    read: ({ publishers }) => publishers.new,
  },
  {
    name: 'advertisers.active',
    label: 'Active advertisers',
    unit: 'people',
    meaning: 'Those of ads that were paid or earned something',
    read: ({ advertisers }) => advertisers.active,
  },
  {
    name: 'advertisers.new',
    label: 'New advertisers',
    unit: 'people',
    meaning: 'Those who paid for an ad for the first time',
    read: ({ advertisers }) => advertisers.new,
  },
  {
    name: 'fill',
    label: 'Fill',
    unit: 'share',
    meaning: 'The share of valid ad requests that got an ad',
    read: ({ fill }) => fill,
  },
  {
    name: 'hoursToApproval',
    label: 'Hours to approval',
    unit: 'hours',
    meaning:
      'The median time from the last submission to the approval. Ads of trusted advertisers count with no time',
    read: ({ hoursToApproval }) => hoursToApproval,
  },
  {
    name: 'invalidShare',
    label: 'Invalid traffic',
    unit: 'share',
    meaning:
      'The share of reported views and clicks that were filtered or withdrawn as invalid traffic. Repeated reports are left out of both. Late reports, those beyond what was bought or beyond a ceiling, and those of ads that did not run are reported, and not invalid',
    read: ({ invalidShare }) => invalidShare,
  },
];

/** They have no period before. */
const OF_NOW: readonly Row<Overview>[] = [
  {
    name: 'uncovered',
    label: 'Uncovered now',
    unit: 'money',
    meaning: 'How much of the owed amounts is not covered, as on the page Books',
    read: ({ uncovered }) => uncovered,
  },
  {
    name: 'taxOwed',
    label: 'Tax owed now',
    unit: 'money',
    meaning: 'The tax that is owed to states and was not noted as paid, as on the page Books',
    read: ({ taxOwed }) => taxOwed,
  },
];

/** The meaning of each figure. */
export const FIGURE_MEANINGS = [...OF_PERIOD, ...OF_NOW].map(({ name, label, meaning }) => ({
  name,
  label,
  meaning,
}));

export function figuresOf(overview: Overview): Figure[] {
  const figure = <Source>({ name, label, unit, read }: Row<Source>, source: Source) => ({
    name,
    label,
    unit,
    value: read(source),
  });
  return [
    ...OF_PERIOD.map((row) => ({ ...figure(row, overview), previous: row.read(overview.previous) })),
    ...OF_NOW.map((row) => ({ ...figure(row, overview), previous: undefined })),
  ];
}

/** '1200.00 USD', '15.0%', '12', '3.5', or '–' for a figure without a value. */
export function figureText(unit: Figure['unit'], value: Value, currency: Currency): string {
  if (value === null) return '–';
  if (unit === 'money') return `${value} ${currency}`;
  return unit === 'share' ? percentText(Number(value)) : String(value);
}
