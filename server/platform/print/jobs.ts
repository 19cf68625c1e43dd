/** The jobs of a decoder process that need fonts (server/platform/decoding/jobs.ts). They read no bytes. */
import { type PrintedDocument, UnprintableError } from './printed-document.ts';
import { findUnprintable } from './fonts.ts';
import { documentPdf } from './pdf.ts';

/** `unprintable`: a letter that no font has; then there are no bytes. */
export type Printed = { unprintable: string | null; bytes?: Buffer };

/** The parts of a PDF. `issuedAt` is an ISO date, and `invoice` the XML of its e-invoice; null if it has none. */
export type Printable = {
  printed: PrintedDocument;
  issuedAt: string;
  creator: string;
  invoice: string | null;
};

export async function printDocument(
  _bytes: Buffer,
  { printed, issuedAt, creator, invoice }: Printable,
): Promise<Printed> {
  try {
    const bytes = await documentPdf(printed, { issuedAt: new Date(issuedAt), creator, invoice });
    return { unprintable: null, bytes };
  } catch (error) {
    if (error instanceof UnprintableError) return { unprintable: error.letter };
    throw error;
  }
}

export async function checkLetters(_bytes: Buffer, text: string): Promise<{ unprintable: string | null }> {
  return { unprintable: await findUnprintable(text) };
}
