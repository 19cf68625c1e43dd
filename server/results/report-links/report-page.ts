import type { Ad } from '#domain/ads/contract.ts';
import type { Bucket, Figures } from '#domain/analytics/contract.ts';
import { dayStartText, type Step } from '#domain/analytics/days.ts';
import type { Results } from '#domain/delivery/conversions-contract.ts';
import { grossOf } from '#domain/analytics/counting.ts';
import { dayParts } from '#domain/analytics/day-parts.ts';
import { countText, percentText } from '#domain/format.ts';
import { type Currency, moneyText } from '#domain/money.ts';
import type { Plan, PlanAd } from '#domain/plans/contract.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { dayText } from '#server/platform/http/dates.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import type { ServerPage } from '#server/platform/http/page/page.ts';
import { bars, figure, figures, table } from '#server/platform/http/page/parts.ts';
import type { AdReport, Report } from './report.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The report for people without an account. It names no person, and nothing on it changes anything. [RES-41] */
export function reportPage(config: Config, report: Report, file: string): ServerPage {
  const { title, main } = 'plan' in report ? planReport(config, report.plan) : adReport(config, report);
  return {
    title,
    look: 'wide',
    main: html`${main}
<p class="actions screen"><a class="button" href="${file}" download>Download as CSV</a>
<span class="quiet">To keep it as a PDF, print this page.</span></p>
<p class="quiet">The advertiser shares this report. Its figures are those of ${config.brand.name} at this moment, and the link works until ${dayText(report.expiresAt)}. <a class="screen" href="/measurement">How views and clicks are counted</a></p>`,
  };
}

type Part = { title: string; main: Markup };

function adReport(
  { currency }: Config,
  { ad, timezone, dayStart, step, totals, buckets, results, hours, views }: AdReport,
): Part {
  const { title, websiteName, adZoneName, adZoneWidth, adZoneHeight } = ad;
  const money = (amount: string) => moneyText(amount, currency);
  const perOne = (amount: string | null) => (amount === null ? null : `${money(amount)} each`);
  return {
    title: `Report: ${title}`,
    main: html`<h1 dir="auto">${title}</h1>
<p class="quiet">On <bdi>${websiteName}</bdi>, in the ad zone <bdi>${adZoneName}</bdi> (${adZoneWidth} × ${adZoneHeight}). ${statusText(ad)}</p>
${figures([
  figure('Views', countText(totals.impressions), goalText(ad.impressions, 'views')),
  figure('Clicks', countText(totals.clicks), goalText(ad.clicks, 'clicks') ?? clickRateText(totals)),
  figure('Conversions', countText(results.conversions), perOne(results.costPerConversion)),
  figure('Cost', money(totals.amount), 'for what was delivered'),
  figure(
    'Cost per 1,000 views',
    totals.cpm === null ? '–' : money(totals.cpm),
    totals.cpc === null ? null : `${money(totals.cpc)} per click`,
  ),
])}
${buckets.length === 0 ? html`<p>Nothing was delivered yet. The figures appear here with the first view.</p>` : overTime({ buckets, totals, step, currency, timezone, dayStart })}
${hours.length > 0 && whenTable(hours, timezone)}
${results.creatives.length > 0 && creativesTable(results)}
${
  // Without a measured click, landings are not or were never measured.
  results.clicks > 0 &&
  html`<h2>Landings and conversions</h2>
${figures([
  figure('Measured clicks', countText(results.clicks)),
  figure('Landings', countText(results.landings), perOne(results.costPerLanding)),
  results.conversions > 0 && figure('Value of conversions', money(results.value)),
])}`
}
<p class="quiet">Counted ${countText(views.counted)} of ${countText(grossOf(views))} reported views.</p>`,
  };
}

function whenTable(hours: AdReport['hours'], timezone: string): Markup {
  return html`<h2>When</h2>
${table(
  ['Hours', '#Views', '#Clicks', '#Clicks per view'],
  dayParts(hours).map(({ name, impressions, clicks }) => [
    name,
    countText(impressions),
    countText(clicks),
    impressions > 0 ? percentText(clicks / impressions, 2) : '–',
  ]),
)}
<p class="quiet">Hours are those of ${timezone.replaceAll('_', ' ')}.</p>`;
}

/** The creatives that were shown in turn, and which one is ahead. */
function creativesTable({ creatives, verdict }: Results): Markup {
  const winner = creatives.find(({ ref }) => ref === verdict);
  return html`<h2>Creatives</h2>
${table(
  ['Shown in turn', '#Views', '#Clicks', '#Clicks per view'],
  creatives.map(({ title, impressions, clicks }) => [
    html`<bdi>${title}</bdi>`,
    countText(impressions),
    countText(clicks),
    impressions === 0 ? '–' : percentText(clicks / impressions, 2),
  ]),
)}
<p class="quiet">${winner ? html`“<bdi>${winner.title}</bdi>” is ahead by more than chance.` : 'There is no difference beyond chance.'} Counted while both were shown; two-sided test of clicks per view at 95%.</p>`;
}

const goalText = (goal: number | null, unit: string) =>
  goal === null ? null : `of ${countText(goal)} ${unit} booked`;

const clickRateText = ({ ctr }: Figures) => (ctr === null ? null : `${percentText(ctr, 2)} of views`);

function statusText({ status, startDate, endDate }: Ad): string {
  const day = (instant: string) => dayText(new Date(instant));
  if (startDate === null) return 'It has not started.';
  if (status === 'completed')
    return endDate === null
      ? `It started on ${day(startDate)} and has ended.`
      : `It ran from ${day(startDate)} to ${day(endDate)}.`;
  return `Running since ${day(startDate)}${endDate === null ? '' : `, until ${day(endDate)}`}.`;
}

function overTime({
  buckets,
  totals,
  step,
  currency,
  timezone,
  dayStart,
}: {
  buckets: readonly Bucket[];
  totals: Figures;
  step: Step;
  currency: Currency;
  timezone: string;
  dayStart: string;
}): Markup {
  const isDaily = step === 'day';
  const named = ({ start }: Bucket) => {
    const date = new Date(`${start}T00:00:00Z`);
    return isDaily ? dayText(date) : MONTH.format(date);
  };
  const cells = ({ impressions, clicks, amount }: Figures) => [
    countText(impressions),
    countText(clicks),
    moneyText(amount, currency),
  ];
  return html`<h2>${isDaily ? 'By day' : 'By month'}</h2>
${
  buckets.length >= LEAST_BARS &&
  bars(
    buckets.map(({ impressions }) => impressions),
    [named(buckets[0] as Bucket), named(buckets.at(-1) as Bucket)],
  )
}
${table(
  [isDaily ? 'Day' : 'Month', '#Views', '#Clicks', '#Cost'],
  buckets.map((bucket) => [named(bucket), ...cells(bucket)]),
  ['Total', ...cells(totals)],
)}
<p class="quiet">${isDaily ? 'Days' : 'Months'} without a delivery are left out. Times are those of ${timezone.replaceAll('_', ' ')}. ${dayStartText(timezone, dayStart) ?? ''}</p>`;
}

/** Fewer bars than these say less than the table. */
const LEAST_BARS = 3;

function planReport({ currency }: Config, plan: Plan): Part {
  const { name, impressions, clicks, delivered, cpm, cpc, ads } = plan;
  const money = (amount: string) => moneyText(amount, currency);
  const row = (ad: PlanAd) => [
    html`<bdi>${ad.websiteName}</bdi><small><bdi>${ad.adZoneName}</bdi>, ${ad.adZoneWidth} × ${ad.adZoneHeight}</small>`,
    STATUS[ad.status],
    countText(ad.totalImpressions),
    countText(ad.totalClicks),
    money(ad.delivered),
  ];
  return {
    title: `Report: ${name}`,
    main: html`<h1 dir="auto">${name}</h1>
<p class="quiet">${ads.length === 1 ? 'One ad' : `${ads.length} ads`}</p>
${figures([
  figure('Views', countText(impressions)),
  figure('Clicks', countText(clicks)),
  figure('Cost', money(delivered), 'for what was delivered'),
  figure('Cost per 1,000 views', cpm === null ? '–' : money(cpm)),
  figure('Cost per click', cpc === null ? '–' : money(cpc)),
])}
<h2>By ad zone</h2>
${table(['Website and ad zone', 'Status', '#Views', '#Clicks', '#Cost'], ads.map(row), [
  'Total',
  '',
  countText(impressions),
  countText(clicks),
  money(delivered),
])}`,
  };
}

const STATUS: Record<PlanAd['status'], string> = {
  pending: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  active: 'Live',
  completed: 'Ended',
};
