import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { type CsvCell, csvRow, csvStart } from '#domain/csv.ts';
import { decimalOf } from '#domain/money.ts';
import type { Context } from '../../context.ts';
import { inBatches } from '../../db/batches.ts';
import { listPostings, sumPublishers } from './store-export.ts';

const BATCH = 5000;

export type ExportedFile = { file: string; rows: number };

/**
 * Writes `postings.csv` and `publishers.csv` of a year (UTC, by the time of recording) and of the present book, for an
 * accountant. Debits are positive. Rows are written as they are read, so that a year of any size needs little memory.
 * [DOCU-10]
 */
export async function exportYear(ctx: Context, year: number, dir: string): Promise<ExportedFile[]> {
  await mkdir(dir, { recursive: true });
  const { book } = ctx.payments;
  const window = { book, from: new Date(Date.UTC(year, 0)), to: new Date(Date.UTC(year + 1, 0)) };
  // One snapshot, so that both files agree.
  return await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => [
      await writeCsv(
        path.join(dir, 'postings.csv'),
        ['entry', 'at', 'recorded_at', 'kind', 'account', 'ad', 'amount', 'currency'],
        postingRows(inBatches<Posting>((after, limit) => listPostings(tx, window, after, limit), BATCH)),
      ),
      await writeCsv(
        path.join(dir, 'publishers.csv'),
        ['publisher', 'tax_id', 'country', 'q1', 'q2', 'q3', 'q4', 'gross', 'fees'],
        await publisherRows(sumPublishers(tx, window)),
      ),
    ]);
}

type Posting = Awaited<ReturnType<typeof listPostings>>[number];

async function* postingRows(postings: AsyncIterable<Posting>): AsyncGenerator<CsvCell[]> {
  for await (const { entry, occurredAt, recordedAt, kind, account, ad, amountCents, currency } of postings)
    yield [
      entry,
      occurredAt.toISOString(),
      recordedAt.toISOString(),
      kind,
      account,
      ad,
      decimalOf(amountCents),
      currency,
    ];
}

async function publisherRows(reading: ReturnType<typeof sumPublishers>): Promise<CsvCell[][]> {
  return (await reading).map(({ publisher, taxId, country, quarters, feeCents }) => [
    publisher,
    taxId,
    country,
    ...quarters.map(decimalOf),
    decimalOf(quarters.reduce((sum, cents) => sum + cents, 0)),
    decimalOf(feeCents),
  ]);
}

async function writeCsv(
  file: string,
  header: readonly string[],
  rows: AsyncIterable<CsvCell[]> | Iterable<CsvCell[]>,
): Promise<ExportedFile> {
  const stream = createWriteStream(file);
  await once(stream, 'open');
  const isWritten = finished(stream);
  let count = 0;
  stream.write(csvStart(header));
  for await (const row of rows) {
    count++;
    if (!stream.write(csvRow(row))) await once(stream, 'drain');
  }
  stream.end();
  await isWritten;
  return { file, rows: count };
}
