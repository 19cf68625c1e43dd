import { describe, expect, it } from 'vitest';
import { type DayViews, MAX_DAYS, NO_COLUMNS, NO_DAYS, readPageViews, TOO_MANY_DAYS } from './page-views.ts';

const DAYS: DayViews[] = [
  { date: '2026-11-01', pageViews: 120 },
  { date: '2026-11-02', pageViews: 80 },
];

describe('the page views of a file', () => {
  it.each([
    ['two columns', 'date,pageviews\n2026-11-01,120\n2026-11-02,80\n'],
    [
      'other columns, quotes and line ends',
      '"Date","Visitors","Page views"\r\n"2026-11-01","9","120"\r\n2026-11-02,9,80',
    ],
    [
      'semicolons, a byte order mark and an empty line',
      '\uFEFFday;page_views\r\n2026-11-02;80\r\n\r\n2026-11-01;120\r\n',
    ],
    ['tabs and compact dates', 'Date\tViews\n20261101\t120\n20261102\t80'],
    [
      'hours, which add up',
      'date,pageviews\n2026-11-01 00:00:00,100\n2026-11-01 01:00:00,20\n2026-11-02T00:00:00Z,80',
    ],
    ['Matomo’s names', 'date,nb_visits,nb_pageviews\n2026-11-01,1,120\n2026-11-02,1,80'],
    [
      'Plausible’s answer',
      '{"results":[{"date":"2026-11-01","pageviews":120},{"date":"2026-11-02","pageviews":80}]}',
    ],
    [
      'Umami’s answer',
      '{"pageviews":[{"x":"2026-11-01 00:00:00","y":120},{"x":"2026-11-02","y":80}],"sessions":[{"x":"2026-11-01","y":3}]}',
    ],
  ])('are read from %s', (_what, text) => {
    expect(readPageViews(text)).toEqual({ days: DAYS });
  });

  it.each([
    ['', NO_COLUMNS],
    ['hello', NO_COLUMNS],
    ['date,visitors\n2026-11-01,120', NO_COLUMNS],
    ['{"results":[{"date":"2026-11-01"}]}', NO_COLUMNS],
    ['{"error":"no"}', NO_COLUMNS],
    ['{"results":[', 'The file is not whole. Export it again.'],
    ['date,pageviews\n', NO_DAYS],
    ['{"results":[]}', NO_DAYS],
    ['date,pageviews\n27.11.2026,120', 'Row 1: “27.11.2026” is not a date like 2026-11-27.'],
    ['date,pageviews\n2026-02-30,120', 'Row 1: “2026-02-30” is not a date like 2026-11-27.'],
    ['date,pageviews\n2026-11-01,1\n2026-11-02,-5', 'Row 2: “-5” is not a number of page views.'],
    ['date,pageviews\n2026-11-01,"1,200"', 'Row 1: “1,200” is not a number of page views.'],
    ['date,pageviews\n2026-11-01,1000000001', 'Row 1: “1000000001” is not a number of page views.'],
    ['date,pageviews\n"2026-11-01,120\n2026-11-02,80', 'Row 1: “"2026-11-01” is not a date like 2026-11-27.'],
    ['date,pageviews\n2026-11-01', 'Row 1: “” is not a number of page views.'],
    [
      `date,pageviews\n2026-11-01,${'9'.repeat(60)}`,
      `Row 1: “${'9'.repeat(30)}…” is not a number of page views.`,
    ],
  ])('are refused with a sentence: %j', (text, problem) => {
    expect(readPageViews(text)).toEqual({ problem });
  });

  it('are refused if there are too many', () => {
    const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
    const file = (n: number) =>
      `date,pageviews\n${Array.from({ length: n }, (_, each) => `${day(each)},1`).join('\n')}`;
    expect(readPageViews(file(MAX_DAYS))).toMatchObject({ days: { length: MAX_DAYS } });
    expect(readPageViews(file(MAX_DAYS + 1))).toEqual({ problem: TOO_MANY_DAYS });
  });
});
