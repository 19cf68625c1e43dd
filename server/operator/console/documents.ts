/** A document of record. [BOOK-204] */
import { getIssuedDocument } from '#domain/operator/console/documents-contract.ts';
import { eInvoiceOf } from '#server/money/documents/invoice/invoice.ts';
import { shownDocument } from '#server/money/documents/page.ts';
import { type Route, route } from '#server/platform/http/route.ts';
import { readDocument } from '../documents/documents.ts';

export const documentRoutes: Route[] = [
  route(getIssuedDocument, { access: 'operator' }, async (ctx, operator, { params }, request) => {
    const document = await readDocument(ctx, operator, params.number);
    const { facts, ...shown } = shownDocument(document, request.headers['accept-language']);
    const { number, userId } = document;
    const address = `/operator/documents/${number}`;
    return {
      ...shown,
      number,
      facts: facts.map(([name, value]) => ({ name, value })),
      personId: userId,
      pdf: `${address}.pdf`,
      xml: eInvoiceOf(document) ? `${address}.xml` : null,
    };
  }),
];
