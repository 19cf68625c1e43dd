import { writeFileSync } from 'node:fs';

type Row = Readonly<Record<string, string>>;

/** Writes the rows of `opening.csv` and `postings.csv` as a journal of hledger, which begins on `from`. */
export function writeJournal(
  file: string,
  from: string,
  { opening, postings }: { opening: readonly Row[]; postings: readonly Row[] },
): void {
  const line = ({ account, amount, currency }: Row) => `  ${account}  ${amount} ${currency}`;
  const entries = new Map<string, string[]>();
  if (opening.length > 0) entries.set('opening', [`${from} opening`, ...opening.map(line)]);
  for (const posting of postings) {
    const { entry = '', recorded_at: at } = posting;
    entries.set(entry, [...(entries.get(entry) ?? [`${at?.slice(0, 10)} ${entry}`]), line(posting)]);
  }
  writeFileSync(file, `${[...entries.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`);
}
