/** The files of the console, and the documents of record, which it shows and hands out. [BOOK-204] */
import type { FastifyInstance } from 'fastify';
import { DEFAULT_DAYS } from '#domain/operator/overview.ts';
import { rowNumber } from '#domain/operator/forms.ts';
import { xmlOf } from '#server/money/documents/pages.ts';
import { readBankFile } from '#server/money/payouts/bank-file.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { pdfOf, readDocument } from '../documents/documents.ts';
import { daysOf, overviewCsv, readOverview } from '../overview/overview.ts';
import { registerConsoleFile } from './document.ts';
import { getIssuedDocument } from '#domain/operator/console/documents-contract.ts';
import { eInvoiceOf } from '#server/money/documents/invoice/invoice.ts';
import { shownDocument } from '#server/money/documents/page.ts';
import { type Route, route } from '#server/platform/http/route.ts';

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

type Named = { params: { number: string }; query: { days?: unknown } };

export function registerConsoleFiles(app: FastifyInstance, ctx: Context): void {
  // A document of record. [BOOK-204]
  const path = '/operator/documents/:number';
  registerConsoleFile(app, ctx, {
    path: `${path}.pdf`,
    summary: 'A document of record as a PDF, for the operator',
    type: 'application/pdf',
    read: async (operator, request) => {
      const document = await readDocument(ctx, operator, (request as Named).params.number);
      return { name: `${document.number}.pdf`, body: await pdfOf(ctx, document) };
    },
  });
  registerConsoleFile(app, ctx, {
    path: `${path}.xml`,
    summary: 'A document of record as an e-invoice, for the operator',
    type: 'application/xml',
    read: async (operator, request) => {
      const document = await readDocument(ctx, operator, (request as Named).params.number);
      return { name: `${document.number}.xml`, body: xmlOf(document) };
    },
  });
  // As often as it is needed. It has the IBANs of publishers. [PAYO-202]
  registerConsoleFile(app, ctx, {
    path: '/operator/bank/files/:id',
    summary: 'A file of payouts for the bank, for the operator',
    type: 'application/xml',
    right: 'money',
    read: async (_, request) => {
      const id = rowNumber((request as unknown as { params: { id: string } }).params.id);
      if (id === null) throw notFound();
      const { name, content } = await readBankFile(ctx, id);
      return { name, body: content };
    },
  });
  registerConsoleFile(app, ctx, {
    path: '/operator/overview.csv',
    summary: 'The figures of the business as a CSV file, for the operator',
    type: 'text/csv; charset=utf-8',
    read: async (_, request) => {
      const { days } = (request as Named).query;
      const period = (typeof days === 'string' && daysOf(days)) || DEFAULT_DAYS;
      return { name: 'overview.csv', body: overviewCsv(await readOverview(ctx, period)) };
    },
  });
}
