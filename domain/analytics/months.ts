/** The first day of the instant's calendar month in UTC, as 'YYYY-MM-01'. [OP-097] */
export function firstOfMonth(instant: Date): string {
  return `${instant.toISOString().slice(0, 7)}-01`;
}
