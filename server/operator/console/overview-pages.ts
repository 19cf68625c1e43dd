/** The console's first page: what waits, and the business at a glance. */
import { centsOf } from '#domain/money.ts';

import { figuresOf, figureText, type Overview } from '#domain/operator/overview.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { isReady, type LaunchStep } from '../launch.ts';
import type { ConsolePage } from './console.ts';
import { bars, figure, figures, rows, table } from '#server/platform/http/page/parts.ts';

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

/**
 * Another queue is one more line. Empty queues are not shown. Until everything of `launch` is done, it comes first; null
 * outside of production.
 */
export function homePage(
  waiting: Waiting,
  overview: Overview,
  launch: readonly LaunchStep[] | null,
): ConsolePage {
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
${launch && !isReady(launch) && checklist(launch)}<h2>Waiting for you</h2>
<div class="counts">${rows(
      queues
        .filter(([, , n]) => n > 0)
        .map(([href, name, n]) => html`<a href="${href}">${name}</a><span class="quiet">${n}</span>`),
      'Nothing waits for you.',
    )}</div>
${glance(overview)}`,
  };
}

function checklist(steps: readonly LaunchStep[]): Markup {
  const done = steps.filter(({ isDone }) => isDone).length;
  return html`<h2>Before you sell: ${done} of ${steps.length} done</h2>
${rows(
  steps.map(
    ({ name, isDone, text, href }) =>
      html`<span>${isDone ? '✓ ' : ''}<a href="${href}">${name}</a>${!isDone && html` <strong>Missing</strong>`}</span><span class="quiet">${text}</span>`,
  ),
)}
`;
}

function glance(overview: Overview): Markup {
  const { from, to, currency, days } = overview;
  return html`<h2>The business at a glance</h2>
<nav class="tabs" aria-label="Period">${PERIODS.map(
    (each) =>
      html`<a href="/operator?days=${each}"${each === days.length && html` aria-current="true"`}>${each} days</a>`,
  )}</nav>
<p class="quiet">${from} to ${to} (UTC, today included), and the ${days.length} days before. <code>docs/run.md</code> defines each figure under “The business at a glance”.</p>
${figures(
  figuresOf(overview).map(({ label, unit, value, previous }) =>
    figure(
      label,
      figureText(unit, value, currency),
      previous === undefined ? null : `${figureText(unit, previous, currency)} before`,
    ),
  ),
)}
<div class="columns">${chart(overview, 'sales', 'Sales per day')}${chart(overview, 'revenue', 'Revenue per day')}</div>
<details><summary>Show the days as a table</summary>
${table(
  ['Day', `#Sales, ${currency}`, `#Revenue, ${currency}`],
  days.map(({ day, sales, revenue }) => [day, sales, revenue]),
)}</details>
<p><a class="plain" href="/operator/overview.csv?days=${days.length}" download>Download these figures as CSV</a></p>`;
}

/** Bars from the lowest to the highest day. The table below the charts has the same figures for screen readers. */
function chart({ days, currency }: Overview, of: 'sales' | 'revenue', title: string): Markup {
  const cents = days.map((day) => Math.max(0, centsOf(day[of])));
  const most = Math.max(...cents);
  const best = days[cents.indexOf(most)];
  return html`<figure class="card"><h3>${title}</h3><p class="quiet">${most > 0 && best ? `Most: ${best[of]} ${currency} on ${best.day}` : 'None'}</p>
${
  // Today is not over yet.
  bars(cents, [days[0]?.day ?? '', days.at(-1)?.day ?? ''], true)
}</figure>`;
}
