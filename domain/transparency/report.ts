/** The form for reporting an ad, which needs no account (Digital Services Act, article 16). */
import { z } from 'zod';
import { emailText } from '../email-address.ts';
import { REPORT_REASONS, type ReportReason } from './report-reasons.ts';

export const MAX_DETAILS = 2000;
const WRONG_EMAIL = 'Please enter a valid email address';

// PostgreSQL's text cannot hold U+0000.
const text = z
  .string()
  .optional()
  .transform((value = '') => value.replaceAll('\0', '').replaceAll('\r\n', '\n').trim());

/** The fields of the form, which a browser sends as text. */
export const reportForm = z.object({
  /** Created with the form, so that the same form sent again is the same report. */
  id: z.uuid('This form is too old. Please open it again.').transform((value) => value.toLowerCase()),
  reason: z.enum(
    Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]],
    'Please say what’s wrong with the ad',
  ),
  details: text.pipe(z.string().max(MAX_DETAILS, `Please use at most ${MAX_DETAILS} characters`)),
  email: text
    .pipe(z.union([z.literal(''), emailText(WRONG_EMAIL)], WRONG_EMAIL))
    .transform((value) => (value === '' ? null : value)),
});
export type Report = z.output<typeof reportForm>;

/** How long a report and the reporter's address are kept. */
export const REPORTS_KEPT_DAYS = 365;

/**
 * Whether we send a mail about the `count`-th report of an ad within a day. We do for the 1st, 3rd, 10th, 30th, 100th
 * and so on, so that reports cannot flood a mailbox and the operator still sees that the number grows.
 */
export function isReportDue(count: number): boolean {
  const ten = 10 ** Math.floor(Math.log10(count));
  return count === ten || count === 3 * ten;
}
