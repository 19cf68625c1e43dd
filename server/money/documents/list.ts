import type { Parsed } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import { shownCents } from '#domain/payments/documents.ts';
import type { DocumentItem, listDocuments } from '#domain/payments/document-contract.ts';
import { percentOf } from '#domain/payments/tax.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { decodeCursor, pageOf } from '#server/platform/http/cursor.ts';
import type { Page } from '#server/platform/http/route.ts';
import { documentHash } from '../transparency-log/documents.ts';
import { issueDayOf, servicePeriodOf, type Document, listDocumentsOf, findTaxStatus } from './store.ts';

const DEFAULT_LIMIT = 20;

/** The user's own documents in the present book, newest first. [DOCU-07] */
export async function myDocuments(
  ctx: Context,
  who: Caller,
  { query }: Parsed<typeof listDocuments>,
): Promise<Page<DocumentItem>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const owner = { userId: who.id, book: ctx.payments.book };
  const rows = await listDocumentsOf(ctx.db, owner, {
    side: query.side,
    before: decodeCursor(query.cursor),
    limit: limit + 1,
  });
  const { items, next } = pageOf(rows, limit);
  return { items: items.map(itemReply), next };
}

function itemReply(document: Document): DocumentItem {
  const { number, content, amountCents, currency, tax, month, side } = document;
  const sale = 'sale' in content ? content.sale : null;
  const period = servicePeriodOf(document);
  const shown = (cents: number) => decimalOf(shownCents(content.kind, cents));
  return {
    number,
    kind: content.kind,
    date: issueDayOf(document),
    amount: shown(amountCents),
    currency,
    net: tax && shown(amountCents - tax.cents),
    tax: tax && shown(tax.cents),
    taxRate: tax && percentOf(tax.rate),
    country: tax?.country ?? null,
    taxReason: tax?.reason ?? null,
    adPublicId: sale?.adPublicId ?? null,
    title: sale?.title ?? null,
    month,
    periodFrom: period?.from ?? null,
    periodTo: period?.to ?? null,
    reference: sale?.reference ?? null,
    side,
    hash: documentHash(document),
  };
}

/** The tax status that a person states. It decides how their months are documented. */
export async function taxStatusOf({ db }: Pick<Context, 'db'>, userId: number) {
  return await findTaxStatus(db, userId);
}
