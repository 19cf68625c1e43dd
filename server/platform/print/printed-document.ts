/** The content of a document, in the order in which its page and its PDF show it. All amounts are formatted here, once. */
export type PrintedDocument = {
  /** Such as 'Receipt R-2026-000001'. */
  title: string;
  /** Set if no real money moved. */
  label: string | null;
  facts: [name: string, value: string][];
  /** The lines of both addresses. */
  parties: { role: string; name: string; lines: string[] }[];
  columns: string[];
  /** One cell for each column. All but the first are figures. */
  rows: { cells: string[]; detail: string | null }[];
  /** Shown if there are no rows. */
  noRows: string;
  totals: { name: string; amount: string; isMain: boolean }[];
  notes: string[];
};

/** A text has a letter that no font has. */
export class UnprintableError extends Error {
  readonly letter: string;
  constructor(letter: string) {
    super(`No font has the character ${JSON.stringify(letter)}`);
    this.letter = letter;
  }
}
