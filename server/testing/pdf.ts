import { extractText, getDocumentProxy } from 'unpdf';

/** The texts of all pages of a PDF, in the order in which they are drawn. */
export async function textOfPdf(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}

/** The files inside a PDF, by their names. */
export async function filesInPdf(bytes: ArrayBuffer | Uint8Array): Promise<Record<string, string>> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const files = (await pdf.getAttachments()) as Record<string, { content: Uint8Array }> | null;
  return Object.fromEntries(
    Object.entries(files ?? {}).map(([name, { content }]) => [name, Buffer.from(content).toString()]),
  );
}
