/** Links to read-only reports of an ad or a plan, for people without an account. */
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import {
  id,
  instant,
  isOneLine,
  LINE_BREAKS,
  okReply,
  pageQuery,
  pathId,
  referenceParams,
} from '../fields.ts';
import { MAX_LINK_DAYS, MAX_LINK_NAME } from './limits.ts';

export const reportLink = z.object({
  id,
  /** The advertiser's own name for the link, such as its reader. The report doesn't show it. */
  name: z.string().nullable(),
  /** The address of the report, which everybody who has it can read. Add `.csv` for its figures as a file. */
  url: z.string(),
  expiresAt: instant,
  revokedAt: instant.nullable(),
  createdAt: instant,
});
export type ReportLink = z.output<typeof reportLink>;

const newLink = z.object({
  name: z
    .string()
    .trim()
    .max(MAX_LINK_NAME, `Please use at most ${MAX_LINK_NAME} characters`)
    .refine(isOneLine, LINE_BREAKS)
    .transform((name) => (name === '' ? null : name))
    .nullish(),
  /** At most two years ahead. Without it, the link works for 90 days. */
  expiresAt: z.iso
    .datetime({
      offset: true,
      message: `Send an instant, such as 2027-01-31T00:00:00Z, within ${MAX_LINK_DAYS} days`,
    })
    .nullish(),
});

export const createAdReportLink = endpoint({
  method: 'POST',
  path: '/api/ads/:ref/report-links',
  summary: 'Make a link to a read-only report of your own ad, which works without an account',
  params: referenceParams,
  body: newLink,
  reply: reportLink,
  status: 201,
});

export const createPlanReportLink = endpoint({
  method: 'POST',
  path: '/api/plans/:ref/report-links',
  summary: 'Make a link to a read-only report of your own plan, which works without an account',
  params: referenceParams,
  body: newLink,
  reply: reportLink,
  status: 201,
});

export const listAdReportLinks = endpoint({
  method: 'GET',
  path: '/api/ads/:ref/report-links',
  summary: 'The links to reports of your own ad, newest first, with those that ended in the last 90 days',
  params: referenceParams,
  query: pageQuery,
  reply: z.array(reportLink),
  paged: true,
});

export const listPlanReportLinks = endpoint({
  method: 'GET',
  path: '/api/plans/:ref/report-links',
  summary: 'The links to reports of your own plan, newest first, with those that ended in the last 90 days',
  params: referenceParams,
  query: pageQuery,
  reply: z.array(reportLink),
  paged: true,
});

export const revokeReportLink = endpoint({
  method: 'DELETE',
  path: '/api/report-links/:id',
  summary: 'Revoke one of your own links: its report is not found from then on',
  params: z.object({ id: pathId }),
  reply: okReply,
});
