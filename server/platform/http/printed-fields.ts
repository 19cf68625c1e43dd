import { DecoderEnded, type Decoders } from '../decoding/decoders.ts';
import { invalid } from './errors.ts';

/**
 * The fields that documents print, wherever they are in the body of a call: names of accounts, websites and ad zones,
 * titles of ads, and whom a receipt is for.
 */
const PRINTED: ReadonlySet<string> = new Set([
  'address',
  'businessName',
  'company',
  'firstName',
  'lastName',
  'name',
  'reference',
  'taxId',
  'title',
]);

const NO_BYTES = new Uint8Array();

/** Inter has all of these. Most texts have no others, and need no look into a font. */
const PLAIN = /^[\u0020-\u007e\u00a0-\u017f\n\r]*$/;

/**
 * Throws 400 if a field that documents print has a letter that no font has. The receipt of a payment is made with the
 * payment, so it would be too late to refuse it then.
 */
export async function requirePrintable(decoders: Decoders, body: unknown): Promise<void> {
  const pending = [{ path: '', value: body }];
  for (let part = pending.pop(); part; part = pending.pop()) {
    const { path, value } = part;
    if (typeof value === 'string' && PRINTED.has(path.slice(path.lastIndexOf('.') + 1)))
      await requirePrintableText(decoders, value, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value))
        pending.push({ path: path === '' ? name : `${path}.${name}`, value: each });
  }
}

/** Throws 400 if the text has a letter that no font has. The fonts are opened outside of the thread that serves ads. */
export async function requirePrintableText(decoders: Decoders, text: string, field?: string): Promise<void> {
  if (PLAIN.test(text)) return;
  const { unprintable } = await decoders.decode('letters', NO_BYTES, text).catch((error: unknown) => {
    if (error instanceof DecoderEnded)
      throw invalid('This text has letters of too many scripts to check. Please shorten it.', field);
    throw error;
  });
  if (unprintable === null) return;
  throw invalid(`Receipts and other documents can’t print “${unprintable}”. Please write it without.`, field);
}
