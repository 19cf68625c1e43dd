/** Reads the page views of a website from the file of its own analytics. */
import { readCsv } from '../read-csv.ts';

/** The page views of one day, as the website's own analytics counted them. */
export type DayViews = { date: string; pageViews: number };

/** The most days of one file, about three years. */
export const MAX_DAYS = 1100;
/** The most page views of a day. */
export const MAX_PAGE_VIEWS = 1_000_000_000;
/** The earliest day. */
export const FIRST_DAY = '2000-01-01';

const DATE_NAMES = ['date', 'day', 'x', 't'];
const VIEW_NAMES = ['pageviews', 'views', 'screenpageviews', 'nb_pageviews', 'y'];

export const NO_COLUMNS =
  'The file needs a column date and a column pageviews. Export the page views per day, and try again.';
export const NO_DAYS = 'The file has no day with page views. Choose another file.';
export const TOO_MANY_DAYS = `A file can have at most ${MAX_DAYS} days. Export a shorter period.`;

/**
 * The days of a CSV file with the columns date and pageviews (the exports of Plausible, Matomo and others), or of the
 * JSON that the stats calls of Plausible and Umami answer. Rows of the same day add up. Otherwise the reason in a
 * sentence.
 */
export function readPageViews(text: string): { days: DayViews[] } | { problem: string } {
  const rows = /^\s*[[{]/.test(text) ? rowsOfJson(text) : rowsOfCsv(text);
  if ('problem' in rows) return rows;
  const days = new Map<string, number>();
  for (const [index, { date, views }] of rows.entries()) {
    const day = dayOf(date);
    if (day === null) return { problem: `Row ${index + 1}: “${short(date)}” is not a date like 2026-11-27.` };
    const sum = (days.get(day) ?? 0) + Number(views);
    if (!/^\d{1,10}$/.test(views) || sum > MAX_PAGE_VIEWS)
      return { problem: `Row ${index + 1}: “${short(views)}” is not a number of page views.` };
    days.set(day, sum);
  }
  if (days.size === 0) return { problem: NO_DAYS };
  if (days.size > MAX_DAYS) return { problem: TOO_MANY_DAYS };
  return {
    days: [...days]
      .map(([date, pageViews]) => ({ date, pageViews }))
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  };
}

type Row = { date: string; views: string };
type Rows = Row[] | { problem: string };

function rowsOfCsv(text: string): Rows {
  const [header = [], ...rows] = readCsv(text);
  const names = header.map(nameOf);
  const date = names.findIndex((name) => DATE_NAMES.includes(name));
  const views = names.findIndex((name) => VIEW_NAMES.includes(name));
  if (date < 0 || views < 0) return { problem: NO_COLUMNS };
  return rows.map((row) => ({ date: (row[date] ?? '').trim(), views: (row[views] ?? '').trim() }));
}

/** 'Page views', 'page_views' and 'pageviews' are one name. 'nb_pageviews' is Matomo's. */
function nameOf(text: string): string {
  const name = text.trim().toLowerCase();
  return VIEW_NAMES.includes(name) ? name : name.replaceAll(/[\s_-]/g, '');
}

function rowsOfJson(text: string): Rows {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: 'The file is not whole. Export it again.' };
  }
  // Plausible answers {results: [{date, pageviews}]}, and Umami {pageviews: [{x or t, y}]}.
  const list = [json, field(json, 'results'), field(json, 'pageviews')].find(Array.isArray);
  if (!list) return { problem: NO_COLUMNS };
  const rows = list.map((row: unknown) => ({ date: named(row, DATE_NAMES), views: named(row, VIEW_NAMES) }));
  return rows.every((row): row is Row => row.date !== null && row.views !== null)
    ? rows
    : { problem: NO_COLUMNS };
}

const field = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[name] : undefined;

function named(row: unknown, names: readonly string[]): string | null {
  const value = names.map((name) => field(row, name)).find((each) => each !== undefined);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : null;
}

/** The day of '2026-11-27', '2026-11-27 00:00:00', '2026-11-27T00:00:00Z' or '20261127'; null for anything else. */
function dayOf(text: string): string | null {
  const [, year, month, day] =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ][\d:.]{5,12}Z?)?$/.exec(text) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    [];
  if (year === undefined) return null;
  const date = `${year}-${month}-${day}`;
  const time = Date.parse(date);
  // Date.parse takes 2026-02-30 for a day of March in some engines.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date ? null : date;
}

const short = (text: string): string => (text.length > 30 ? `${text.slice(0, 30)}…` : text);
