import { z } from 'zod';
import { endpoint, type Reply } from '../endpoint.ts';
import { money, pageQuery } from '../fields.ts';
import { inclusionProof, month } from './statement-contract.ts';
import { CURRENCIES } from '../money.ts';
import { DOCUMENT_KINDS, DOCUMENT_NUMBER } from './documents.ts';
import { TAX_REASONS } from './tax.ts';
import { LEDGER_SIDES } from './ledger-sides.ts';

/** Your documents. Each is a page at `/api/documents/{number}`, a PDF with `.pdf` and an e-invoice with `.xml`. [DOCU-07] */
export const listDocuments = endpoint({
  method: 'GET',
  path: '/api/documents',
  summary: 'Your receipts, credit notes, commission notes and monthly statements, newest first',
  query: pageQuery.extend({
    /** An advertiser's receipts, credit notes and statements, or a publisher's commission notes and statements. */
    side: z.enum(LEDGER_SIDES).optional(),
  }),
  reply: z.array(
    z.object({
      number: z.string(),
      kind: z.enum(DOCUMENT_KINDS),
      /** The day of issue, as the document prints it: in the time zone of the marketplace. */
      date: z.iso.date(),
      /**
       * The amount paid, the commission of a month, or the balance at the end of a statement's month. Negative for a
       * credit note, like `net` and `tax`.
       */
      amount: money,
      currency: z.enum(CURRENCIES),
      /** Of a receipt or credit note with tax, else null: amount = net + tax. The rate is in percent, such as '19.00'. */
      net: money.nullable(),
      tax: money.nullable(),
      taxRate: z.string().nullable(),
      country: z.string().nullable(),
      taxReason: z.enum(TAX_REASONS).nullable(),
      /** Null unless the document is a receipt or credit note, like `title`. */
      adPublicId: z.string().nullable(),
      title: z.string().nullable(),
      /** YYYY-MM. Null unless the document is a commission note or statement. */
      month: month.nullable(),
      /**
       * The first and the last day of the service in UTC: of the campaign as it was planned when the document was made,
       * or of the month. `periodTo` is null for a goal without an end, and both are for a campaign that never ran.
       */
      periodFrom: z.iso.date().nullable(),
      periodTo: z.iso.date().nullable(),
      /** The advertiser's own reference, from 'Receipt for' at the checkout. */
      reference: z.string().nullable(),
      /** Null unless the document is a statement. */
      side: z.enum(LEDGER_SIDES).nullable(),
      /** The hash of the document's leaf in the public log, in hexadecimal digits: SHA-256 of a zero byte and the leaf. */
      hash: z.string(),
    }),
  ),
  paged: true,
});
export type DocumentItem = Reply<typeof listDocuments>[number];

/** The leaf of a document in the public log, with its proof against the newest root. [OWNS-111] */
export const getDocumentProof = endpoint({
  method: 'GET',
  path: '/api/documents/:number/proof',
  summary: 'The leaf of one of your documents in the public log, with its proof',
  params: z.object({ number: z.string().regex(DOCUMENT_NUMBER) }),
  reply: z.object({
    number: z.string(),
    hash: z.string(),
    /** The text of the leaf. */
    leaf: z.string(),
    /** Null until the next root is signed, at 00:00 UTC. */
    proof: inclusionProof.nullable(),
  }),
});
