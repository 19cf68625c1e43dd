/** The console's first page: what waits, and the business at a glance. */
import { centsOf } from '#domain/money.ts';
import { csvOf } from '#domain/csv.ts';
import { figuresOf, figureText, type Overview } from '#domain/operator/overview.ts';
import { html, type Markup } from '../../http/html.ts';
import type { View } from './console.ts';
import { rows } from './markup.ts';

/** The number of things in each queue. */
export type Waiting = {
  reports: number;
  appeals: number;
  websites: number;
  claims: number;
  withdrawals: number;
  payments: number;
  cancels: number;
  jobs: number;
  faults: number;
  requests: number;
};

/** The periods that the page offers, in days. */
const PERIODS = [7, 30, 90, 365] as const;

/** Another queue is one more line. Empty queues are not shown. */
export function homeView(waiting: Waiting, overview: Overview): View {
  const queues: [href: string, name: string, waiting: number][] = [
    ['/operator/reports', 'Reported ads', waiting.reports],
    ['/operator/appeals', 'Answers to decisions', waiting.appeals],
    ['/operator/new-websites', 'New websites', waiting.websites],
    ['/operator/claims', 'Ownership claims', waiting.claims],
    ['/operator/withdrawals', 'Withdrawn traffic that you can overrule', waiting.withdrawals],
    ['/operator/books', 'Disputed payments', waiting.payments],
    ['/operator/money', 'Cancels that wait', waiting.cancels],
    ['/operator/jobs?failed=1', 'Jobs that failed', waiting.jobs],
    ['/operator/faults', 'Reasons that refuse nearly all reports', waiting.faults],
    ['/operator/requests', 'Requests for a second operator', waiting.requests],
  ];
  return {
    title: 'Operator console',
    main: html`<h1>Operator console</h1>
<h2>Waiting for you</h2>
<div class="counts">${rows(
      queues
        .filter(([, , n]) => n > 0)
        .map(([href, name, n]) => html`<a href="${href}">${name}</a><span class="quiet">${n}</span>`),
      'Nothing waits for you.',
    )}</div>
${glance(overview)}`,
  };
}

function glance(overview: Overview): Markup {
  const { from, to, currency, days } = overview;
  return html`<h2>The business at a glance</h2>
<nav class="tabs" aria-label="Period">${PERIODS.map(
    (each) =>
      html`<a href="/operator?days=${each}"${each === days.length && html` aria-current="true"`}>${each} days</a>`,
  )}</nav>
<p class="quiet">${from} to ${to} (UTC, today included), and the ${days.length} days before. <code>docs/run.md</code> defines each figure under “The business at a glance”.</p>
<dl class="figures">${figuresOf(overview).map(
    ({ label, unit, value, previous }) =>
      html`<div><dt>${label}</dt><dd>${figureText(unit, value, currency)}</dd>${
        previous !== undefined && html`<dd class="quiet">${figureText(unit, previous, currency)} before</dd>`
      }</div>`,
  )}</dl>
<div class="charts">${chart(overview, 'sales', 'Sales per day')}${chart(overview, 'revenue', 'Revenue per day')}</div>
<details><summary>Show the days as a table</summary>
<table class="days"><thead><tr><th scope="col">Day</th><th scope="col">Sales, ${currency}</th><th scope="col">Revenue, ${currency}</th></tr></thead>
<tbody>${days.map(
    ({ day, sales, revenue }) =>
      html`<tr><th scope="row">${day}</th><td>${sales}</td><td>${revenue}</td></tr>`,
  )}</tbody></table></details>
<p><a class="plain" href="/operator/overview.csv?days=${days.length}" download>Download these figures as CSV</a></p>`;
}

/** Bars from the lowest to the highest day. The table below the charts has the same figures for screen readers. */
function chart({ days, currency }: Overview, of: 'sales' | 'revenue', title: string): Markup {
  const cents = days.map((day) => Math.max(0, centsOf(day[of])));
  const most = Math.max(...cents);
  const best = days[cents.indexOf(most)];
  return html`<figure><figcaption>${title} <span class="quiet">${most > 0 && best ? `most: ${best[of]} ${currency} on ${best.day}` : 'none'}</span></figcaption>
<svg viewBox="0 0 ${days.length} 100" preserveAspectRatio="none" aria-hidden="true">${cents.map(
    (n, index) => {
      const height = most > 0 ? (100 * n) / most : 0;
      // Today is not over yet.
      return html`<rect x="${index + 0.1}" y="${100 - height}" width=".8" height="${height}"${index === days.length - 1 && html` class="open"`}/>`;
    },
  )}</svg>
<div class="ends"><span>${days[0]?.day ?? ''}</span><span>${days.at(-1)?.day ?? ''}</span></div></figure>`;
}

/** The figures as a CSV file, with the names and values of `openslot overview --json`. */
export function overviewCsv(overview: Overview): string {
  const { from, to, previous } = overview;
  return csvOf(
    ['figure', 'value', 'previous'],
    [
      ['from', from, previous.from],
      ['to', to, previous.to],
      ...figuresOf(overview).map((figure) => [figure.name, figure.value, figure.previous ?? null]),
      ['currency', overview.currency, overview.currency],
    ],
  );
}
