/** Documents of record of all people, for operators: found, read and printed. */
import { centsOf } from '#domain/money.ts';
import type { Period } from '#domain/payments/periods.ts';
import { inBatches } from '#server/platform/database/batches.ts';
import { DOCUMENT_NUMBER } from '#domain/payments/documents.ts';
import {
  type DocumentSearch,
  findIssued,
  type IssuedDocument,
  listIssued,
  type Readable,
  searchIssued,
} from '#server/money/documents/issued.ts';
import { businessDay } from '#server/money/documents/business-day.ts';
import { printableOf, printDocument } from '#server/money/documents/printer.ts';
import { shownDocument } from '#server/money/documents/page.ts';
import type { Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { Page } from '#server/platform/http/route.ts';
import { type Operator, perform, record } from '../act.ts';

const PAGE_SIZE = 50;
const BATCH = 500;

/** Finds documents by their number, their amount, or the name or tax number of the party, the newest first. [BOOK-204] */
export async function findDocuments(
  ctx: Context,
  {
    search,
    cursor,
    limit = PAGE_SIZE,
  }: { search: string; cursor?: string | undefined; limit?: number | undefined },
): Promise<Page<IssuedDocument>> {
  const query = { search: searchOf(search), before: decodeCursor(cursor), limit: limit + 1 };
  return pageOf(await searchIssued(ctx.db, readable(ctx), query), limit);
}

function searchOf(search: string): DocumentSearch {
  const text = search.trim();
  if (DOCUMENT_NUMBER.test(text.toUpperCase())) return { number: text.toUpperCase() };
  // An amount has its cents, so that digits alone are part of a tax number.
  const amount = /^-?(\d{1,10})[.,](\d{2})$/.exec(text);
  return amount ? { cents: centsOf(`${amount[1]}.${amount[2]}`) } : { words: text };
}

/**
 * The documents that can be read. Those of a deleted account are kept to the end of DOCUMENT_YEARS years after the year of
 * their issue. [BOOK-205]
 */
function readable(ctx: Context): Readable {
  const year = Number(businessDay(ctx, ctx.now()).slice(0, 4));
  return { book: ctx.payments.book, keptSince: year - ctx.config.documentYears };
}

/** The documents that can be read and were issued in a period, the oldest first. */
export async function* documentsIn(ctx: Context, period: Period): AsyncGenerator<IssuedDocument> {
  yield* inBatches<IssuedDocument>(
    (after, limit) => listIssued(ctx.db, { ...readable(ctx), period }, { after, limit }),
    BATCH,
  );
}

/** A document of any person. Each reading is an act. Throws 404. [BOOK-205] */
export async function readDocument(
  ctx: Context,
  operator: Operator,
  number: string,
): Promise<IssuedDocument & { userId: number }> {
  const document = DOCUMENT_NUMBER.test(number) ? await findIssued(ctx.db, readable(ctx), number) : null;
  if (!document) throw notFound(`There is no document “${number.slice(0, 40)}” that can be read.`);
  await perform(ctx, operator, async (tx) => {
    await record(ctx, tx, operator, {
      act: 'read-document',
      subject: 'document',
      subjectId: document.id,
      subjectName: number,
      // The person does not see it, as with the reading of a file.
      affectedId: null,
      reason: operator.id === null ? 'Shown by the command line' : 'Opened in the console',
    });
  });
  return document;
}

/** The PDF of a document. It has the formats of no reader, so that it is the same each time. */
export async function pdfOf(ctx: Context, document: IssuedDocument): Promise<Buffer> {
  return await printDocument(
    ctx,
    printableOf(ctx, document, shownDocument(document)),
    `/operator/documents/${document.number}`,
  );
}
