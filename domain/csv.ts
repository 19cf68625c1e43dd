/** Comma-separated values by RFC 4180: CRLF line ends, and quotes around cells that need them. */

/** Numbers and texts that are decimal numbers stay as they are. Any other text is made safe for spreadsheets. */
export type CsvCell = string | number | null;

const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * The characters with which a formula can start, including the full-width forms:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * The text of a CSV file. It begins with a byte order mark, without which Excel reads UTF-8 as a legacy code page.
 * Every row must have as many cells as `header`.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return csvStart(header) + rows.map(csvRow).join('');
}

/** The beginning of a file whose rows are written one by one. */
export const csvStart = (header: readonly string[]): string => `\uFEFF${csvRow(header)}`;

export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  // With a leading apostrophe a spreadsheet shows the text and doesn't calculate it.
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
