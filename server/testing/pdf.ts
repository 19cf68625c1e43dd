import { extractText, getDocumentProxy } from 'unpdf';

/** The texts of all pages of a PDF, in the order in which they are drawn. */
export async function textOfPdf(bytes: ArrayBuffer | Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}

/** The files inside a PDF, by their names. */
export async function filesInPdf(bytes: ArrayBuffer | Uint8Array): Promise<Record<string, string>> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const names = [...((await pdf.getAttachments()) ?? new Map<string, unknown>()).keys()];
  const files = names.map(async (name) => {
    const content = await pdf.getAttachmentContent(name);
    return [name, content && Buffer.from(content).toString()];
  });
  return Object.fromEntries(await Promise.all(files));
}
