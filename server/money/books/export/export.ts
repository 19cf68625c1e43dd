import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type CsvCell, csvRow, csvStart } from '#domain/csv.ts';
import { decimalOf } from '#domain/money.ts';
import type { Period } from '#domain/payments/periods.ts';
import { percentOf } from '#domain/payments/tax.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import { ACCOUNT_KINDS } from './accounts.ts';
import { beancountLines, datevLines } from './export-formats.ts';
import {
  type ExportedAccount,
  type ExportedDocument,
  type ExportWindow,
  findWindow,
  listAccounts,
  listIssued,
  listPostings,
  type Posting,
  sumPublishers,
} from './store-export.ts';

const BATCH = 5000;

export const EXPORT_FORMATS = ['csv', 'beancount', 'datev'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type ExportedFile = { file: string; rows: number };

/**
 * Writes the files of a period of the present book for an accountant. The days and quarters are those of `timeZone`, by
 * the time of recording. Debits are positive. Rows are written as they are read, so that a year of any size needs little
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
      const window = await findWindow(tx, { book: ctx.payments.book, period, timeZone });
      const accounts = await listAccounts(tx, window);
      const { currency } = ctx.config;
      if (format === 'beancount') {
        const lines = beancountLines({ period, currency, accounts }, postingsOf(tx, window));
        return [await writeFile(path.join(dir, 'books.beancount'), lines)];
      }
      if (format === 'datev') {
        const lines = datevLines({ period, currency, accounts, madeAt: ctx.now() }, postingsOf(tx, window));
        return [await writeFile(path.join(dir, 'EXTF_bookings.csv'), lines)];
      }
      return await writeCsvFiles(tx, dir, window, accounts);
    });
}

async function writeCsvFiles(
  tx: Tx,
  dir: string,
  window: ExportWindow,
  accounts: readonly ExportedAccount[],
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
    await writeCsv(
      path.join(dir, 'documents.csv'),
      ['number', 'kind', 'date', 'ad', 'country', 'rate', 'net', 'tax', 'amount', 'currency'],
      mapped(
        inBatches<ExportedDocument>((after, limit) => listIssued(tx, window, after, limit), BATCH),
        documentRow,
      ),
    ),
  ];
}

const nameOf = ({ kind, owner }: Pick<ExportedAccount, 'kind' | 'owner'>): string =>
  owner === null ? ACCOUNT_KINDS[kind].name : `${ACCOUNT_KINDS[kind].name}: ${owner}`;

const postingsOf = (tx: Tx, window: ExportWindow): AsyncGenerator<Posting> =>
  inBatches<Posting>((after, limit) => listPostings(tx, window, after, limit), BATCH);

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

/** Credit notes are negative, so that the column adds up to what was sold. */
function documentRow({ kind, amountCents, rate, taxCents, ...row }: ExportedDocument): CsvCell[] {
  const sign = kind === 'credit_note' ? -1 : 1;
  return [
    row.number,
    kind,
    row.date,
    row.ad,
    row.country,
    rate === null ? null : percentOf(rate),
    taxCents === null ? null : decimalOf(sign * (amountCents - taxCents)),
    taxCents === null ? null : decimalOf(sign * taxCents),
    decimalOf(sign * amountCents),
    row.currency,
  ];
}

const publisherRows = (publishers: Awaited<ReturnType<typeof sumPublishers>>): CsvCell[][] =>
  publishers.map(({ publisher, taxId, country, quarters, feeCents, publisherId, paidOutCents, sales }) => [
    publisher,
    taxId,
    country,
    ...quarters.map(decimalOf),
    decimalOf(quarters.reduce((sum, cents) => sum + cents, 0)),
    decimalOf(feeCents),
    publisherId,
    decimalOf(paidOutCents),
    sales,
  ]);

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
