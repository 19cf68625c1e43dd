/** What anybody may say of an ad that they were shown (Digital Services Act, article 16). */
import { z } from 'zod';

/** What is wrong with it, in the reader's words. The database knows the names only. */
export const REPORT_REASONS = {
  illegal: 'It advertises something that is against the law',
  misleading: 'It is misleading, or a fraud',
  harmful: 'It leads to a page that does harm, such as one that steals passwords',
  offensive: 'It is offensive, or not fit for the page it stands on',
  rights: 'It uses my name, my picture or my work without my consent',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;

export const MAX_DETAILS = 2000;
const WRONG_EMAIL = 'Please enter a valid e-mail address';

// PostgreSQL's text cannot hold U+0000.
const text = z
  .string()
  .optional()
  .transform((value = '') => value.replaceAll('\0', '').replaceAll('\r\n', '\n').trim());

/** The fields of the form, all as text. */
export const reportForm = z.object({
  /** Made with the form: the same form sent again is the same report. */
  id: z.uuid('This form is too old. Please open it again.').transform((value) => value.toLowerCase()),
  reason: z.enum(
    Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]],
    'Please say what is wrong with the ad',
  ),
  details: text.pipe(z.string().max(MAX_DETAILS, `Please use at most ${MAX_DETAILS} characters`)),
  email: text
    .pipe(z.union([z.literal(''), z.email(WRONG_EMAIL).max(254, WRONG_EMAIL)], WRONG_EMAIL))
    .transform((value) => (value === '' ? null : value)),
});
export type Report = z.output<typeof reportForm>;

/** How long a report and its sender's address are kept. */
export const REPORTS_KEPT_DAYS = 365;

/**
 * Whether the `count`-th report of an ad within a day is told by mail: the 1st, 3rd, 10th, 30th, 100th and so on, so that
 * nobody can fill a mailbox, and a wave is still seen to grow.
 */
export function isTold(count: number): boolean {
  const ten = 10 ** Math.floor(Math.log10(count));
  return count === ten || count === 3 * ten;
}

export const MAX_TAKEDOWN_REASON = 500;

/** The operator's form: why an ad is taken down, as both sides read it. */
export const takeDownForm = z.object({
  reason: text.pipe(
    z
      .string()
      .min(1, 'Please say why: both sides read it')
      .max(MAX_TAKEDOWN_REASON, `Please use at most ${MAX_TAKEDOWN_REASON} characters`),
  ),
});
