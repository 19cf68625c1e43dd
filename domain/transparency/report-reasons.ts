/** The reasons to report an ad, in the visitor's words. The database stores their names only. */
export const REPORT_REASONS = {
  illegal: 'It advertises something illegal',
  misleading: 'It is misleading or a scam',
  harmful: 'It links to a harmful page, such as one that steals passwords',
  offensive: 'It is offensive, or doesn’t belong on the page',
  rights: 'It uses my name, my image or my work without my permission',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof REPORT_REASONS;
