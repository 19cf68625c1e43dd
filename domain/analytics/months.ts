/** The first day of the calendar month in UTC that holds this instant, as 'YYYY-MM-01' (OP-097). */
export function firstOfMonth(instant: Date): string {
  return `${instant.toISOString().slice(0, 7)}-01`;
}
