import type { Ad } from '#domain/ads/contract.ts';
import type { Bucket, Figures } from '#domain/analytics/contract.ts';
import { dayStartText, type Step } from '#domain/analytics/days.ts';
import type { Results } from '#domain/delivery/conversions-contract.ts';
import { countText, shortPercentText } from '#domain/format.ts';
import { type Currency, moneyText } from '#domain/money.ts';
import type { Plan, PlanAd } from '#domain/plans/contract.ts';
import type { Config } from '../config.ts';
import { dayText } from '../http/dates.ts';
import { html, type Markup } from '../http/html.ts';
import type { ServerPage } from '../http/page/page.ts';
import type { AdReport, Report } from './report.ts';

const MONTH = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

const STYLE = `
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,9.5rem),1fr));gap:1px;margin:1.5rem 0;border:1px solid var(--line);border-radius:.875rem;background:var(--surface);overflow:hidden}
.numbers>div{padding:1rem 1.25rem;box-shadow:0 0 0 1px var(--line)}
.numbers dd{font-size:1.375rem;font-weight:600;line-height:1.3;font-variant-numeric:tabular-nums}
.numbers small{display:block;color:var(--ink-soft);font-size:.875rem;font-weight:400}
.bars{display:block;width:100%;height:8rem;margin:0 0 .25rem}
.bars rect{fill:var(--accent)}
.note{margin-top:1.5rem}
.ends{display:flex;justify-content:space-between;color:var(--ink-faint);font-size:.875rem}
.report{width:100%;margin:.5rem 0 1.5rem;border-collapse:collapse;font-size:.9375rem;font-variant-numeric:tabular-nums}
.report :is(th,td){padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}
.report :is(th,td):first-child{text-align:left}
.report :is(th,td):last-child{padding-right:0}
.report thead th{color:var(--ink-faint);font-weight:500;font-size:.8125rem}
.report tbody th{font-weight:400}
.report tfoot :is(th,td){border:0;font-weight:600}
.report small{display:block;color:var(--ink-faint)}
@media print{@page{margin:16mm}:root{color-scheme:light}body{background:#fff}body>header,.screen{display:none}main{padding:0;max-width:none!important}.report tr,.numbers{break-inside:avoid}.bars rect{print-color-adjust:exact}}`;

/** The report for people without an account. It names no person, and nothing on it changes anything. [RES-41] */
export function reportPage(config: Config, report: Report, file: string): ServerPage {
  const { title, main } = 'plan' in report ? planReport(config, report.plan) : adReport(config, report);
  return {
    title,
    style: STYLE,
    wide: true,
    main: html`${main}
<p class="actions screen"><a class="button" href="${file}" download>Download as CSV</a>
<span class="quiet">To keep it as a PDF, print this page.</span></p>
<p class="quiet note">The advertiser shares this report. Its figures are those of ${config.brand.name} at this moment, and the link works until ${dayText(report.expiresAt)}. <a class="screen" href="/measurement">How views and clicks are counted</a></p>`,
  };
}

type Part = { title: string; main: Markup };

function adReport(
  { currency }: Config,
  { ad, timezone, dayStart, step, totals, buckets, results }: AdReport,
): Part {
  const { title, websiteName, adZoneName, adZoneWidth, adZoneHeight } = ad;
  const money = (amount: string) => moneyText(amount, currency);
  const perOne = (amount: string | null) => (amount === null ? null : `${money(amount)} each`);
  return {
    title: `Report: ${title}`,
    main: html`<h1 dir="auto">${title}</h1>
<p class="quiet">On <bdi>${websiteName}</bdi>, in the ad zone <bdi>${adZoneName}</bdi> (${adZoneWidth} × ${adZoneHeight}). ${statusText(ad)}</p>
<dl class="numbers">${figure('Views', countText(totals.impressions), goalText(ad.impressions, 'views'))}
${figure('Clicks', countText(totals.clicks), goalText(ad.clicks, 'clicks') ?? clickRateText(totals))}
${figure('Cost', money(totals.amount), 'for what was delivered')}
${figure('Cost per 1,000 views', totals.cpm === null ? '–' : money(totals.cpm))}
${figure('Cost per click', totals.cpc === null ? '–' : money(totals.cpc))}
${
  // Without a measured click, landings are not or were never measured.
  results.clicks > 0 && [
    figure('Landings', countText(results.landings), perOne(results.costPerLanding)),
    figure('Conversions', countText(results.conversions), perOne(results.costPerConversion)),
    results.conversions > 0 && figure('Value of conversions', money(results.value)),
  ]
}</dl>
${buckets.length === 0 ? html`<p>Nothing was delivered yet. The figures appear here with the first view.</p>` : overTime({ buckets, totals, step, currency, timezone, dayStart })}
${results.creatives.length > 0 && creativesTable(results)}`,
  };
}

/** The creatives that were shown in turn, and which one is ahead. */
function creativesTable({ creatives, verdict }: Results): Markup {
  const winner = creatives.find(({ ref }) => ref === verdict);
  return html`<h2>Creatives</h2>
<table class="report"><thead><tr><th scope="col">Shown in turn</th><th scope="col">Views</th><th scope="col">Clicks</th><th scope="col">Clicks per view</th></tr></thead>
<tbody>${creatives.map(
    ({ title, impressions, clicks }) =>
      html`<tr><th scope="row"><bdi>${title}</bdi></th><td>${countText(impressions)}</td><td>${countText(clicks)}</td><td>${impressions === 0 ? '–' : shortPercentText(clicks / impressions)}</td></tr>`,
  )}</tbody></table>
<p class="quiet">${winner ? html`“<bdi>${winner.title}</bdi>” is ahead by more than chance.` : 'There is no difference beyond chance.'} Counted while both were shown; two-sided test of clicks per view at 95%.</p>`;
}

const figure = (name: string, value: string, note: string | null = null) =>
  html`<div><dt>${name}</dt><dd>${value}${note !== null && html`<small>${note}</small>`}</dd></div>`;

const goalText = (goal: number | null, unit: string) =>
  goal === null ? null : `of ${countText(goal)} ${unit} booked`;

const clickRateText = ({ ctr }: Figures) => (ctr === null ? null : `${shortPercentText(ctr)} of views`);

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
  const row = ({ impressions, clicks, amount }: Figures) =>
    html`<td>${countText(impressions)}</td><td>${countText(clicks)}</td><td>${moneyText(amount, currency)}</td>`;
  return html`<h2>${isDaily ? 'By day' : 'By month'}</h2>
${
  buckets.length >= LEAST_BARS &&
  html`${bars(buckets)}
<div class="ends" aria-hidden="true"><span>${named(buckets[0] as Bucket)}</span><span>${named(buckets.at(-1) as Bucket)}</span></div>
`
}<table class="report"><thead><tr><th scope="col">${isDaily ? 'Day' : 'Month'}</th><th scope="col">Views</th><th scope="col">Clicks</th><th scope="col">Cost</th></tr></thead>
<tbody>${buckets.map((bucket) => html`<tr><th scope="row">${named(bucket)}</th>${row(bucket)}</tr>`)}</tbody>
<tfoot><tr><th scope="row">Total</th>${row(totals)}</tr></tfoot></table>
<p class="quiet">${isDaily ? 'Days' : 'Months'} without a delivery are left out. Times are those of ${timezone.replaceAll('_', ' ')}. ${dayStartText(timezone, dayStart) ?? ''}</p>`;
}

/** Fewer bars than these say less than the table. */
const LEAST_BARS = 3;
const BAR = 10;
const HEIGHT = 100;

/** The views as bars, of the same data as the table below, so that screen readers may skip it. */
function bars(buckets: readonly Bucket[]): Markup {
  const most = Math.max(1, ...buckets.map(({ impressions }) => impressions));
  return html`<svg class="bars" viewBox="0 0 ${buckets.length * BAR} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${buckets.map(
    ({ impressions }, at) => {
      const height = (Math.max(0, impressions) / most) * HEIGHT;
      return html`<rect x="${at * BAR + 1}" y="${HEIGHT - height}" width="${BAR - 2}" height="${height}"/>`;
    },
  )}</svg>`;
}

function planReport({ currency }: Config, plan: Plan): Part {
  const { name, impressions, clicks, delivered, cpm, cpc, ads } = plan;
  const money = (amount: string) => moneyText(amount, currency);
  const row = (
    ad: PlanAd,
  ) => html`<tr><th scope="row"><bdi>${ad.websiteName}</bdi><small><bdi>${ad.adZoneName}</bdi>, ${ad.adZoneWidth} × ${ad.adZoneHeight}</small></th>
<td>${STATUS[ad.status]}</td><td>${countText(ad.totalImpressions)}</td><td>${countText(ad.totalClicks)}</td><td>${money(ad.delivered)}</td></tr>`;
  return {
    title: `Report: ${name}`,
    main: html`<h1 dir="auto">${name}</h1>
<p class="quiet">${ads.length === 1 ? 'One ad' : `${ads.length} ads`}</p>
<dl class="numbers">${figure('Views', countText(impressions))}
${figure('Clicks', countText(clicks))}
${figure('Cost', money(delivered), 'for what was delivered')}
${figure('Cost per 1,000 views', cpm === null ? '–' : money(cpm))}
${figure('Cost per click', cpc === null ? '–' : money(cpc))}</dl>
<h2>By ad zone</h2>
<table class="report"><thead><tr><th scope="col">Website and ad zone</th><th scope="col">Status</th><th scope="col">Views</th><th scope="col">Clicks</th><th scope="col">Cost</th></tr></thead>
<tbody>${ads.map(row)}</tbody>
<tfoot><tr><th scope="row">Total</th><td></td><td>${countText(impressions)}</td><td>${countText(clicks)}</td><td>${money(delivered)}</td></tr></tfoot></table>`,
  };
}

const STATUS: Record<PlanAd['status'], string> = {
  pending: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  active: 'Live',
  completed: 'Ended',
};
