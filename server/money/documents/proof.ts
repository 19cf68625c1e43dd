import type { Parsed, Reply } from '#domain/endpoint.ts';
import type { getDocumentProof } from '#domain/payments/document-contract.ts';
import type { Caller, Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { documentHash, documentText, leafIndexOf } from '../transparency-log/documents.ts';
import { newestProof } from '../transparency-log/prove.ts';
import { findDocument } from './issued.ts';

/** One of the user's own documents as a leaf of the public log. [OWNS-111] */
export async function documentProof(
  ctx: Context,
  who: Caller,
  { params: { number } }: Parsed<typeof getDocumentProof>,
): Promise<Reply<typeof getDocumentProof>> {
  const { book } = ctx.payments;
  const document = await findDocument(ctx.db, { userId: who.id, book, number });
  if (!document) throw notFound('None of your documents has this number.');
  const index = await leafIndexOf(ctx.db, document.id);
  return {
    number,
    hash: documentHash(document),
    leaf: documentText(document),
    proof: index === null ? null : await newestProof(ctx.db, book, index),
  };
}
