/** Comma-separated values as RFC 4180 has them: CRLF, and quotes around what needs them. */

/** A number, or a text that is nothing but a decimal number, stays one; any other text is made harmless. */
export type CsvCell = string | number | null;

const NUMBER = /^-?\d+(\.\d+)?$/;
/** What spreadsheets take for the beginning of a formula, the full-width forms included (OWASP, 'CSV Injection'). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The whole file. It begins with a byte order mark, without which Excel takes UTF-8 for the machine's old code page.
 * Every row has as many cells as `header`.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  // An apostrophe in front: spreadsheets then show the text and calculate nothing.
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
