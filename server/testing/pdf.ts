import { extractText, getDocumentProxy } from 'unpdf';

/** The texts of all pages of a PDF, in the order in which they are drawn. */
export async function textOfPdf(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}
