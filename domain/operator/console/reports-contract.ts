/** The call of the queue of reported ads. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, pageQuery } from '../../fields.ts';
import { REPORT_REASONS, type ReportReason } from '../../transparency/report.ts';

export const listReportedAds = endpoint({
  method: 'GET',
  path: '/api/operator/reports',
  summary: 'The ads with open reports, the longest-waiting first',
  query: pageQuery,
  reply: z.array(
    z.object({
      adId: id,
      title: z.string(),
      reports: z.number().int(),
      since: instant,
      reasons: z.array(z.enum(Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]])),
    }),
  ),
  paged: true,
});
