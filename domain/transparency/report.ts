/** The form with which a visitor reports an ad (Digital Services Act, article 16). [DEL-60] */
import { z } from 'zod';

/** The reasons to choose from. The database stores only their names. */
export const REPORT_REASONS = {
  illegal: 'It advertises something illegal',
  misleading: 'It is misleading or fraudulent',
  harmful: 'It leads to a harmful page, such as one that steals passwords',
  offensive: 'It is offensive or unsuitable for the page it appears on',
  rights: 'It uses my name, image or work without my permission',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;

export const MAX_DETAILS = 2000;
const WRONG_EMAIL = 'Please enter a valid email address';

// PostgreSQL's text cannot hold U+0000.
const text = z
  .string()
  .optional()
  .transform((value = '') => value.replaceAll('\0', '').replaceAll('\r\n', '\n').trim());

/** The fields of the form, all as text. */
export const reportForm = z.object({
  /** Created with the form, so that the same form sent twice is stored as one report. */
  id: z.uuid('This form has expired. Please open it again.').transform((value) => value.toLowerCase()),
  reason: z.enum(
    Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]],
    'Please choose what is wrong with the ad',
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
 * Whether the `count`-th report of an ad within a day is sent by e-mail: the 1st, 3rd, 10th, 30th, 100th and so on. This
 * prevents a flood of mail, and the recipients still see that reports keep coming.
 */
export function isTold(count: number): boolean {
  const ten = 10 ** Math.floor(Math.log10(count));
  return count === ten || count === 3 * ten;
}

export const MAX_TAKEDOWN_REASON = 500;

/** The operator's form to take an ad down. Both sides see the reason. [DEL-64] */
export const takeDownForm = z.object({
  reason: text.pipe(
    z
      .string()
      .min(1, 'Please enter a reason. Both sides will see it.')
      .max(MAX_TAKEDOWN_REASON, `Please use at most ${MAX_TAKEDOWN_REASON} characters`),
  ),
});
