import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type CsvCell, csvRow, csvStart } from '#domain/csv.ts';
import { decimalOf } from '#domain/money.ts';
import type { Period } from '#domain/payments/periods.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import { ACCOUNT_KINDS } from './accounts.ts';
import { isSale } from '#domain/payments/returns.ts';
import { type IssuedDocument, listIssued, windowOf } from '../../documents/issued.ts';
import {
  bookingOf,
  type BookedDocument,
  DOCUMENT_COLUMNS,
  documentRow,
  OSS_COLUMNS,
  OUTGOING_COLUMNS,
  outgoingRow,
  RECAPITULATIVE_COLUMNS,
  returnRows,
  TAX_RETURN_COLUMNS,
} from './document-rows.ts';
import { REPORT_COLUMNS, reportRow } from './report-rows.ts';
import { listReported } from './store-reports.ts';
import { beancountLines } from './beancount.ts';
import { datevLines } from './datev.ts';
import {
  type ExportedAccount,
  type ExportWindow,
  listAccounts,
  listPostings,
  type Posting,
  sumPublishers,
} from './store-export.ts';

const BATCH = 5000;
/** Each has all that it says. */
const DOCUMENTS_BATCH = 500;

export const EXPORT_FORMATS = ['csv', 'beancount', 'datev'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportedFile = { file: string; rows: number };

/**
 * Writes the files of a period of the present book for an accountant. Entries have the days of `timeZone`, by the time of
 * recording, and documents the days that they print. Debits are positive. Rows are written as they are read, so that a year of any size needs little
 * memory. [OWNS-100]
 */
export async function exportBooks(
  ctx: Context,
  period: Period,
  dir: string,
  {
    format = 'csv',
    timeZone = ctx.config.businessTimeZone,
  }: { format?: ExportFormat | undefined; timeZone?: string | undefined } = {},
): Promise<ExportedFile[]> {
  await mkdir(dir, { recursive: true });
  // One snapshot, so that all files agree while refunds and payouts go on.
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { book } = ctx.payments;
      const window = { book, timeZone, period, ...(await windowOf(tx, period, timeZone)) };
      const accounts = await listAccounts(tx, window);
      const { currency } = ctx.config;
      if (format === 'beancount') {
        const lines = beancountLines({ period, currency, accounts }, postingsOf(tx, window));
        return [await writeFile(path.join(dir, 'books.beancount'), lines)];
      }
      if (format === 'datev') {
        const lines = datevLines(
          { period, currency, accounts, chart: ctx.config.datevChart, madeAt: ctx.now() },
          postingsOf(tx, window),
          salesOf(ctx, tx, window),
        );
        return [await writeFile(path.join(dir, 'EXTF_bookings.csv'), lines)];
      }
      return await writeCsvFiles(ctx, tx, dir, { window, accounts });
    });
}

async function writeCsvFiles(
  ctx: Context,
  tx: Tx,
  dir: string,
  { window, accounts }: { window: ExportWindow; accounts: readonly ExportedAccount[] },
): Promise<ExportedFile[]> {
  return [
    await writeCsv(
      path.join(dir, 'postings.csv'),
      ['entry', 'at', 'recorded_at', 'kind', 'account', 'ad', 'amount', 'currency'],
      mapped(postingsOf(tx, window), postingRow),
    ),
    await writeCsv(
      path.join(dir, 'publishers.csv'),
      [
        'publisher',
        'tax_id',
        'country',
        'q1',
        'q2',
        'q3',
        'q4',
        'gross',
        'fees',
        'publisher_id',
        'paid_out',
        'sales',
        'tax',
      ],
      publisherRows(await sumPublishers(tx, window)),
    ),
    await writeCsv(
      path.join(dir, 'accounts.csv'),
      ['account', 'kind', 'name'],
      accounts.map(({ account, kind, owner }) => [account, kind, nameOf({ kind, owner })]),
    ),
    await writeCsv(
      path.join(dir, 'opening.csv'),
      ['account', 'amount', 'currency'],
      accounts
        .filter(({ openingCents }) => openingCents !== 0)
        .map(({ account, openingCents, currency }) => [account, decimalOf(openingCents), currency]),
    ),
    ...(await writeReport(ctx, tx, dir, window)),
    ...(await writeDocumentFiles(ctx, tx, dir, window)),
  ];
}

async function writeReport(
  { config: { publisherReports, currency } }: Context,
  tx: Tx,
  dir: string,
  window: ExportWindow,
): Promise<ExportedFile[]> {
  if (publisherReports === 'off') return [];
  const rows = (await listReported(tx, window)).map((row) => reportRow(row, publisherReports, currency));
  return [await writeCsv(path.join(dir, 'publisher-reports.csv'), REPORT_COLUMNS, rows)];
}

async function writeDocumentFiles(
  ctx: Context,
  tx: Tx,
  dir: string,
  window: ExportWindow,
): Promise<ExportedFile[]> {
  const { recapitulative, oss, tax } = await returnRows(documentsOf(ctx, tx, window), ctx.config.currency);
  return [
    await writeCsv(
      path.join(dir, 'documents.csv'),
      DOCUMENT_COLUMNS,
      mapped(documentsOf(ctx, tx, window), documentRow),
    ),
    await writeCsv(
      path.join(dir, 'outgoing-invoices.csv'),
      OUTGOING_COLUMNS,
      mapped(salesOf(ctx, tx, window), outgoingRow),
    ),
    await writeCsv(path.join(dir, 'recapitulative-statement.csv'), RECAPITULATIVE_COLUMNS, recapitulative),
    await writeCsv(path.join(dir, 'oss.csv'), OSS_COLUMNS, oss),
    await writeCsv(path.join(dir, 'tax-return.csv'), TAX_RETURN_COLUMNS, tax),
  ];
}

const nameOf = ({ kind, owner }: Pick<ExportedAccount, 'kind' | 'owner'>): string =>
  owner === null ? ACCOUNT_KINDS[kind].name : `${ACCOUNT_KINDS[kind].name}: ${owner}`;

const postingsOf = (tx: Tx, window: ExportWindow): AsyncGenerator<Posting> =>
  inBatches<Posting>((after, limit) => listPostings(tx, window, after, limit), BATCH);

/** The documents about sales and commission. A statement repeats their amounts. */
async function* documentsOf(ctx: Context, tx: Tx, window: ExportWindow): AsyncGenerator<BookedDocument> {
  const booked = bookingOf(ctx);
  const read = (after: IssuedDocument | null, limit: number) => listIssued(tx, window, { after, limit });
  for await (const document of inBatches<IssuedDocument>(read, DOCUMENTS_BATCH))
    if (document.content.kind !== 'statement') yield booked(document);
}

async function* salesOf(ctx: Context, tx: Tx, window: ExportWindow): AsyncGenerator<BookedDocument> {
  for await (const document of documentsOf(ctx, tx, window)) if (isSale(document)) yield document;
}

async function* mapped<From, To>(rows: AsyncIterable<From>, to: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) yield to(row);
}

const postingRow = (posting: Posting): CsvCell[] => [
  posting.entry,
  posting.occurredAt.toISOString(),
  posting.recordedAt.toISOString(),
  posting.kind,
  posting.account,
  posting.ad,
  decimalOf(posting.amountCents),
  posting.currency,
];

const publisherRows = (publishers: Awaited<ReturnType<typeof sumPublishers>>): CsvCell[][] =>
  publishers.map(
    ({ publisher, taxId, country, quarters, feeCents, publisherId, paidOutCents, sales, taxCents }) => [
      publisher,
      taxId,
      country,
      ...quarters.map(decimalOf),
      decimalOf(quarters.reduce((sum, cents) => sum + cents, 0)),
      decimalOf(feeCents),
      publisherId,
      decimalOf(paidOutCents),
      sales,
      decimalOf(taxCents),
    ],
  );

async function writeCsv(
  file: string,
  header: readonly string[],
  rows: AsyncIterable<CsvCell[]> | Iterable<CsvCell[]>,
): Promise<ExportedFile> {
  async function* lines() {
    yield csvStart(header);
    for await (const row of rows) yield csvRow(row);
  }
  const { rows: count } = await writeFile(file, lines());
  return { file, rows: count - 1 };
}

async function writeFile(file: string, lines: AsyncIterable<string>): Promise<ExportedFile> {
  const stream = createWriteStream(file);
  await once(stream, 'open');
  const isWritten = finished(stream);
  let count = 0;
  for await (const line of lines) {
    count++;
    if (!stream.write(line)) await once(stream, 'drain');
  }
  stream.end();
  await isWritten;
  return { file, rows: count };
}
