/** The call of the queue of reported ads. */
import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, instant, pageQuery } from '../../fields.ts';
import { REPORT_REASONS, type ReportReason } from '../../transparency/report-reasons.ts';
import { offeredAct } from './act-contract.ts';
import { thumbnail } from './today-contract.ts';

export const listReportedAds = endpoint({
  method: 'GET',
  path: '/api/operator/reports',
  summary: 'The ads with open reports, the longest-waiting first',
  query: pageQuery,
  reply: z.array(
    z.object({
      adId: id,
      title: z.string(),
      description: z.string(),
      /** Where a click leads. */
      targetUrl: z.string(),
      picture: thumbnail,
      reports: z.number().int(),
      since: instant,
      reasons: z.array(z.enum(Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]])),
      acts: z.array(offeredAct),
    }),
  ),
  paged: true,
});
