/** The commands `openslot documents …`. */
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { csvRow, csvStart } from '#domain/csv.ts';
import { decimalOf } from '#domain/money.ts';
import { bookingOf, DOCUMENT_COLUMNS, documentRow } from '#server/money/books/export/document-rows.ts';
import { ublOfDocument } from '#server/money/documents/invoice/ubl.ts';
import { shownDocument } from '#server/money/documents/page.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { type Command, type Input, UsageError } from '../acts/command.ts';
import { documentsIn, pdfOf, readDocument } from '../documents/documents.ts';
import { periodIn, writable } from './period-options.ts';

/** The documents of `--year`, or of `--from` and `--to`, prepared for a list. */
async function* listedIn({ ctx, options }: Input) {
  if (options.timeZone !== undefined)
    throw new UsageError('--time-zone: leave it out. Documents have the days that they print.');
  const period = periodIn(ctx, options, ctx.config.businessTimeZone);
  const booked = bookingOf(ctx);
  for await (const document of documentsIn(ctx, period)) yield booked(document);
}

async function list(input: Input) {
  const documents = [];
  for await (const { number, kind, date, amountCents, currency, party, vatNumber } of listedIn(input))
    documents.push({
      number,
      kind,
      date,
      amount: decimalOf(amountCents),
      currency,
      party: party.name,
      vatNumber,
    });
  const lines = documents.map(
    ({ number, kind, date, amount, currency, party, vatNumber }) =>
      `${number}  ${kind}  ${date}  ${amount} ${currency}  ${party}${vatNumber === null ? '' : `  ${vatNumber}`}`,
  );
  return { json: { documents }, lines: lines.length === 0 ? ['There is no document of these days.'] : lines };
}

async function show({ ctx, operator, args: [number = ''] }: Input) {
  if (number === '') throw new UsageError('Name a document by its number, such as R-2026-000001.');
  const { title, facts, parties, rows, totals, notes } = shownDocument(
    await readDocument(ctx, operator, number),
  );
  return {
    json: { number, title, facts, parties, rows, totals, notes },
    lines: [
      title,
      ...facts.map(([name, value]) => `${name}: ${value}`),
      ...parties.flatMap(({ role, name, lines }) => [
        `${role}: ${name}`,
        ...lines.map((line) => `  ${line}`),
      ]),
      ...rows.map(({ cells, detail }) => [...cells, detail].filter((cell) => cell !== null).join('  ')),
      ...totals.map(({ name, amount }) => `${name}: ${amount}`),
      ...notes,
    ],
  };
}

/**
 * Writes the PDF and the e-invoice of each document, and `documents.csv` with the names of the files. A document without a
 * PDF is reported.
 */
async function exportAll(input: Input) {
  const { options } = input;
  const { toDir: dir } = options;
  if (dir === undefined) throw new UsageError('Name a folder with --to-dir.');
  if (options.dryRun)
    throw new UsageError('`documents export` has no dry run, because each reading is an act.');
  const documents = listedIn(input);
  const index = path.join(dir, 'documents.csv');
  const problems: string[] = [];
  let written = 0;
  await writable(dir, async () => {
    await mkdir(dir, { recursive: true });
    const lines = createWriteStream(index);
    const isWritten = finished(lines);
    lines.write(csvStart([...DOCUMENT_COLUMNS, 'file', 'e_invoice']));
    for await (const document of documents) {
      const { pdf, invoice, problem } = await writeFiles(input, document.number, dir);
      lines.write(csvRow([...documentRow(document), pdf, invoice]));
      if (problem === null) written++;
      else problems.push(`${document.number}: ${problem}`);
    }
    lines.end();
    await isWritten;
  });
  return {
    json: { dir, index, written, problems },
    lines: [`${index}  ${written} ${written === 1 ? 'PDF' : 'PDFs'}`, ...problems],
    refused: problems.length > 0,
  };
}

type Files = { pdf: string | null; invoice: string | null; problem: string | null };

/** Returns the names of the files, and why there is no PDF, or null. A reading is one act for both files. */
async function writeFiles({ ctx, operator }: Input, number: string, dir: string): Promise<Files> {
  const [pdf, xml] = [`${number}.pdf`, `${number}.xml`];
  let invoice: string | null = null;
  try {
    const document = await readDocument(ctx, operator, number);
    const ubl = ublOfDocument(document);
    if (ubl !== null) {
      await writeFile(path.join(dir, xml), ubl);
      invoice = xml;
    }
    await writeFile(path.join(dir, pdf), await pdfOf(ctx, document));
    return { pdf, invoice, problem: null };
  } catch (error) {
    if (error instanceof HttpError && [404, 409].includes(error.status))
      return { pdf: null, invoice, problem: error.message };
    throw error;
  }
}

const DAYS = '--year YYYY | --from DAY --to DAY';

export const DOCUMENT_COMMANDS: Readonly<Record<string, Command>> = {
  'documents list': {
    usage: DAYS,
    summary: 'List the receipts, credit notes and other documents of a period',
    run: list,
  },
  'documents show': {
    usage: 'NUMBER',
    summary: 'Show a document of record. Each reading is in the audit trail',
    run: show,
  },
  'documents export': {
    usage: `${DAYS} --to-dir DIR`,
    summary: 'Write the PDFs and e-invoices of a period, and an index',
    run: exportAll,
  },
};
