/** The figures of the console's first page. docs/operations.md, "The business at a glance", defines each of them. */
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

const OF_PERIOD: readonly [
  name: string,
  label: string,
  unit: Figure['unit'],
  read: (figures: PeriodFigures) => Value,
][] = [
  ['sales', 'Sales', 'money', ({ sales }) => sales],
  ['revenue', 'Revenue', 'money', ({ revenue }) => revenue],
  ['takeRate', 'Take rate', 'share', ({ takeRate }) => takeRate],
  ['refunds', 'Refunds', 'money', ({ refunds }) => refunds],
  ['publishers.active', 'Active publishers', 'people', ({ publishers }) => publishers.active],
  ['publishers.new', 'New publishers', 'people', ({ publishers }) => publishers.new],
  ['advertisers.active', 'Active advertisers', 'people', ({ advertisers }) => advertisers.active],
  ['advertisers.new', 'New advertisers', 'people', ({ advertisers }) => advertisers.new],
  ['fill', 'Fill', 'share', ({ fill }) => fill],
  ['hoursToApproval', 'Hours to approval', 'hours', ({ hoursToApproval }) => hoursToApproval],
  ['invalidShare', 'Invalid traffic', 'share', ({ invalidShare }) => invalidShare],
];

export function figuresOf(overview: Overview): Figure[] {
  return [
    ...OF_PERIOD.map(([name, label, unit, read]) => ({
      name,
      label,
      unit,
      value: read(overview),
      previous: read(overview.previous),
    })),
    {
      name: 'uncovered',
      label: 'Uncovered now',
      unit: 'money',
      value: overview.uncovered,
      previous: undefined,
    },
    {
      name: 'taxOwed',
      label: 'Tax owed now',
      unit: 'money',
      value: overview.taxOwed,
      previous: undefined,
    },
  ];
}

/** '1200.00 USD', '15.0%', '12', '3.5', or '–' for a figure without a value. */
export function figureText(unit: Figure['unit'], value: Value, currency: Currency): string {
  if (value === null) return '–';
  if (unit === 'money') return `${value} ${currency}`;
  return unit === 'share' ? percentText(Number(value)) : String(value);
}
