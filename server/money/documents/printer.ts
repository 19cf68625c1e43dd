import { type Caller, type Context, personOf } from '#server/platform/context.ts';
import { DecoderEnded } from '#server/platform/decoding/decoders.ts';
import { conflict } from '#server/platform/http/errors.ts';
import type { PrintedDocument } from '#server/platform/print/printed-document.ts';
import type { Printable } from '#server/platform/print/jobs.ts';
import { facturX } from './invoice/cii.ts';
import { eInvoiceOf } from './invoice/invoice.ts';
import type { IssuedDocument } from './issued.ts';
import { findReceiptTexts } from './store.ts';
import type { ReceiptFor } from '#domain/payments/contract.ts';
import { inSnapshot } from '#server/platform/database/database.ts';
import { requirePrintableText } from '#server/platform/http/printed-fields.ts';
import { sellerOf } from './issue.ts';

const MAX_KEPT_BYTES = 16 * 1024 * 1024;

type Print = (who: Caller, document: IssuedDocument, printed: PrintedDocument) => Promise<Buffer>;

/**
 * Prints documents in a decoder process, because a PDF takes 60 ms and one with a long word in a rare script a second, in
 * which this thread would serve no ad. Keeps the newest PDFs: the same document always gives the same bytes. Throws 409 if no
 * font has a letter of the document, and 429 beyond the limit of a person. [DOCU-06]
 */
export function createPrinter(ctx: Context): Print {
  const kept = new Map<string, Buffer>();
  let keptBytes = 0;
  const take = ctx.limits('printed-documents', { points: 200, seconds: 3600 });

  return async (who, document, printed) => {
    const options = printableOf(ctx, document, printed);
    const key = JSON.stringify(options);
    const known = kept.get(key);
    if (known) return known;
    await take(String(personOf(who)));
    const bytes = await printDocument(ctx, options, `/api/documents/${document.number}`);
    if (!kept.has(key)) keptBytes += bytes.length;
    kept.set(key, bytes);
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= MAX_KEPT_BYTES) break;
      kept.delete(oldest);
      keptBytes -= length;
    }
    return bytes;
  };
}

/** The parts from which the PDF of a document is made. Its e-invoice is the same for every reader. */
export function printableOf(
  { config }: Pick<Context, 'config'>,
  document: IssuedDocument,
  printed: PrintedDocument,
): Printable {
  const invoice = eInvoiceOf(document);
  return {
    printed,
    issuedAt: document.issuedAt.toISOString(),
    creator: config.brand.name,
    invoice: invoice && facturX(invoice),
  };
}

/**
 * Makes the PDF of a document in a decoder process. Throws 409 if no font has a letter of it, or if it takes too long.
 * `page` is the address of the page that shows it all the same.
 */
export async function printDocument(
  ctx: Pick<Context, 'decoders'>,
  options: Printable,
  page: string,
): Promise<Buffer> {
  const { unprintable, bytes } = await ctx.decoders
    .decode('document', new Uint8Array(), options)
    .catch((error: unknown) => {
      if (error instanceof DecoderEnded)
        throw conflict(`This document takes too long to print. Print its page instead: ${page}`);
      throw error;
    });
  if (unprintable !== null || !bytes)
    throw conflict(
      `This document has “${unprintable}”, which no font of PDFs has. Its page shows all of it: ${page}`,
    );
  return bytes;
}

/**
 * Throws 400 if the receipt of this ad would have a letter that no font has. A receipt is made with its payment, so it is
 * too late to refuse it then. Only texts of earlier releases can have such a letter. Call it outside of a transaction,
 * because a decoder process may have to start, and counting would wait for a lock of the ad.
 */
export async function requirePrintableReceipt(
  ctx: Context,
  ad: { id: number } | { publicId: string },
  receiptFor?: ReceiptFor | null,
): Promise<void> {
  const seller = Object.values(sellerOf(ctx)).filter((text) => text !== null);
  // The advertiser's account, and the ad with it, may be deleted meanwhile.
  const texts = await inSnapshot(ctx.db, (tx) => findReceiptTexts(tx, ad, receiptFor));
  await requirePrintableText(ctx.decoders, [...texts, ...seller].join(' '));
}
