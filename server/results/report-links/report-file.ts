import { csvOf } from '#domain/csv.ts';
import type { Report } from './report.ts';

/** The figures of a report as a file: one row for each day or month of an ad, or for each ad of a plan. [FIG-04] */
export function reportFile(report: Report): string {
  if ('plan' in report)
    return csvOf(
      ['ad', 'website', 'ad_zone', 'status', 'views', 'clicks', 'cost'],
      report.plan.ads.map((ad) => [
        ad.title,
        ad.websiteName,
        ad.adZoneName,
        ad.status,
        ad.totalImpressions,
        ad.totalClicks,
        ad.delivered,
      ]),
    );
  return csvOf(
    [
      report.dayStart === '00:00' ? report.step : `${report.step} (from ${report.dayStart})`,
      'views',
      'clicks',
      'cost',
    ],
    report.buckets.map(({ start, impressions, clicks, amount }) => [start, impressions, clicks, amount]),
  );
}
