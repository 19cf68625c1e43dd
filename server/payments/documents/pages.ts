import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DOCUMENT_NUMBER } from '#domain/payments/documents.ts';
import type { Context } from '../../context.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { UnprintableError } from '../../print/unprintable.ts';
import type { CallDescription } from '../../http/openapi.ts';
import { sendPage } from '../../http/page.ts';
import { requireUser } from '../../http/sessions.ts';
import { formatsFor } from './formats.ts';
import { documentPage } from './page.ts';
import { type Document, findDocument } from './store.ts';
import { type DocumentView, viewDocument } from './view.ts';

const answers = { 401: 'No session', 404: 'Not one of your documents' };
const DOCUMENT: CallDescription = {
  summary: 'One of your documents as a page',
  access: 'user',
  answers: { 200: 'HTML that prints', ...answers },
};
const DOCUMENT_PDF: CallDescription = {
  summary: 'One of your documents as a file',
  access: 'user',
  answers: { 200: 'PDF', ...answers, 409: 'A letter of it is in no font' },
};

type Numbered = { Params: { number: string } };

/**
 * Registers each document as a page and as a PDF. Answers 404 if the document does not exist or belongs to another
 * user. [DOCU-06]
 */
export function registerDocuments(app: FastifyInstance, ctx: Context): void {
  app.get<Numbered>(
    '/api/documents/:number.pdf',
    { config: { page: true, call: DOCUMENT_PDF } },
    async (request, reply) => {
      const document = await ownDocument(ctx, request);
      // Loaded with the first PDF, because the fonts and the writer slow down the start of the server.
      const { documentPdf } = await import('./pdf.ts');
      const { issuedAt, number } = document;
      const pdf = await documentPdf(viewFor(request, document), {
        issuedAt,
        creator: ctx.config.brand.name,
      }).catch((error: unknown) => {
        throw error instanceof UnprintableError ? unprintable(error, number) : error;
      });
      return privately(reply)
        .header('content-disposition', `inline; filename="${document.number}.pdf"`)
        .type('application/pdf')
        .send(pdf);
    },
  );
  app.get<Numbered>(
    '/api/documents/:number',
    { config: { page: true, call: DOCUMENT } },
    async (request, reply) => {
      const document = await ownDocument(ctx, request);
      const pdf = `/api/documents/${document.number}.pdf`;
      return sendPage(
        privately(reply),
        documentPage(viewFor(request, document), { pdf, list: listOf(document) }),
      );
    },
  );
}

const viewFor = ({ headers }: FastifyRequest, document: Document): DocumentView =>
  viewDocument(document, formatsFor(headers['accept-language'], document.currency));

const unprintable = ({ letter }: UnprintableError, number: string) =>
  conflict(
    `This document has “${letter}”, which no font of PDFs has. Its page shows all of it: /api/documents/${number}`,
  );

async function ownDocument(ctx: Context, request: FastifyRequest<Numbered>): Promise<Document> {
  const who = await requireUser(ctx, request, { isOpenToSuspended: true });
  const { number } = request.params;
  const document = DOCUMENT_NUMBER.test(number)
    ? await findDocument(ctx.db, { userId: who.id, book: ctx.payments.book, number })
    : null;
  if (!document) throw notFound('None of your documents has this number.');
  return document;
}

const privately = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'no-store');

/** The page of the application that lists the documents of this side. */
function listOf({ side, content }: Document): string {
  const isOfPublisher = side === 'publisher' || ['commission_note', 'self_billing'].includes(content.kind);
  return isOfPublisher ? '/earnings' : '/billing';
}
