import type { FastifyInstance } from 'fastify';
import { invalid } from './errors.ts';
import { html } from './html.ts';

/** A field for an e-mail address. Chromium maps the domain in one of the type `email` to another (web/ui/forms/input.tsx). */
export const EMAIL_FIELD = html`type="text" inputmode="email" autocapitalize="none" autocorrect="off" spellcheck="false"`;

/** In bytes. The forms on the server's pages hold short texts only. */
const MAX_BODY = 32 * 1024;

/** The largest form with a file. */
const MAX_FILE_BODY = 512 * 1024;

/** Leaves the body of a form with a file as it is. `readFileForm` reads it when the caller is known. */
export function acceptFileForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: MAX_FILE_BODY },
    (_request, body, done) => done(null, body),
  );
}

/** Throws 400 for a body that is no such form. */
export async function readFileForm(
  contentType: string,
  body: Buffer<ArrayBuffer>,
): Promise<{ fields: Record<string, string>; file: Buffer | undefined }> {
  const fields: Record<string, string> = {};
  let file: Buffer | undefined;
  for (const [name, value] of await formOf(contentType, body)) {
    if (typeof value === 'string') fields[name] = value;
    else file ??= Buffer.from(await value.arrayBuffer());
  }
  return { fields, file };
}

async function formOf(contentType: string, body: Buffer<ArrayBuffer>) {
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw invalid('The form was interrupted on its way. Please send it again.');
  }
}

/** The routes of this scope accept HTML forms and read them as an object of strings. All others accept only JSON. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_BODY },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
}
