import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DOCUMENT_NUMBER } from '#domain/payments/documents.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { PrintedDocument } from '#server/platform/print/printed-document.ts';
import type { CallDescription } from '#server/platform/http/openapi.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { admitUser, type WhoMayCall } from '#server/platform/http/who-may-call.ts';
import { documentPage, shownDocument } from './page.ts';
import { eInvoiceOf } from './invoice/invoice.ts';
import { ublOfDocument } from './invoice/ubl.ts';
import { findDocument, type IssuedDocument } from './issued.ts';
import type { Document } from './store.ts';
import { createPrinter } from './printer.ts';

/** An operator who looks at the account reads a document in the console, where that is an act. */
const who = {
  access: 'user',
  right: 'money',
  whileSuspended: true,
  notInView: true,
} satisfies WhoMayCall;
const answers = { 401: 'No session', 404: 'Not one of your documents' };
const DOCUMENT: CallDescription = {
  summary: 'One of your documents as a page',
  ...who,
  answers: { 200: 'HTML that prints', ...answers },
};
const DOCUMENT_PDF: CallDescription = {
  summary: 'One of your documents as a file',
  ...who,
  answers: {
    200: 'PDF',
    ...answers,
    409: 'A letter of it is in no font',
    429: 'Too many PDFs within an hour',
  },
};

const DOCUMENT_XML: CallDescription = {
  summary: 'One of your documents as an e-invoice',
  ...who,
  answers: { 200: 'UBL 2.1', ...answers, 404: 'Not one of your documents, or without an e-invoice' },
};

type Numbered = { Params: { number: string } };

/**
 * Registers each document as a page, as a PDF and as an e-invoice. Answers 404 if the document does not exist or belongs
 * to another user. [DOCU-06]
 */
export function registerDocuments(app: FastifyInstance, ctx: Context): void {
  const print = createPrinter(ctx);
  app.get<Numbered>(
    '/api/documents/:number.pdf',
    { config: { page: true, call: DOCUMENT_PDF } },
    async (request, reply) => {
      const { who, document } = await ownDocument(ctx, request);
      const pdf = await print(who, document, printedFor(request, document));
      return privately(reply)
        .header('content-disposition', `inline; filename="${document.number}.pdf"`)
        .type('application/pdf')
        .send(pdf);
    },
  );
  app.get<Numbered>(
    '/api/documents/:number.xml',
    { config: { page: true, call: DOCUMENT_XML } },
    async (request, reply) => {
      const { document } = await ownDocument(ctx, request);
      return privately(reply)
        .header('content-disposition', `attachment; filename="${document.number}.xml"`)
        .type('application/xml')
        .send(xmlOf(document));
    },
  );
  app.get<Numbered>(
    '/api/documents/:number',
    { config: { page: true, call: DOCUMENT } },
    async (request, reply) => {
      const { document } = await ownDocument(ctx, request);
      const address = `/api/documents/${document.number}`;
      return sendPage(
        privately(reply),
        documentPage(printedFor(request, document), {
          pdf: `${address}.pdf`,
          xml: eInvoiceOf(document) && `${address}.xml`,
          list: listOf(document),
        }),
      );
    },
  );
}

const printedFor = ({ headers }: FastifyRequest, document: Document): PrintedDocument =>
  shownDocument(document, headers['accept-language']);

async function ownDocument(
  ctx: Context,
  request: FastifyRequest<Numbered>,
): Promise<{ who: Caller; document: IssuedDocument }> {
  const who = await admitUser(ctx, request);
  const { number } = request.params;
  const document = DOCUMENT_NUMBER.test(number)
    ? await findDocument(ctx.db, { userId: who.id, book: ctx.payments.book, number })
    : null;
  if (!document) throw notFound('None of your documents has this number.');
  return { who, document };
}

/** The e-invoice as UBL. Throws 404 if the document has none. [DOCU-16] */
export function xmlOf(document: IssuedDocument): string {
  const ubl = ublOfDocument(document);
  if (ubl === null) throw notFound(`${document.number} has no e-invoice. Download its PDF instead.`);
  return ubl;
}

const privately = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');

/** The page of the application that lists the documents of this side. */
function listOf({ side, content }: Document): string {
  const isOfPublisher = side === 'publisher' || ['commission_note', 'self_billing'].includes(content.kind);
  return isOfPublisher ? '/earnings' : '/billing';
}
