/** Reads CSV files of others. It is apart from csv.ts, which most pages load. */

/** The rows of a CSV file whose cells are separated by commas, semicolons or tabs, as its first line tells. */
export function readCsv(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const first = /^[^\r\n]*/.exec(content)?.[0] ?? '';
  const separator = [',', ';', '\t'].find((each) => first.includes(each)) ?? ',';
  const rows: string[][] = [[]];
  // A cell is quoted or plain, and is followed by a separator, a line end or the end of the file. A stray quote is text.
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  for (let found = cell.exec(content); found; found = cell.exec(content)) {
    const [, quoted, plain, end] = found;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (cell.lastIndex >= content.length && end !== separator) break;
    if (end !== separator) rows.push([]);
  }
  return rows.filter((row) => row.some((each) => each !== ''));
}
